import { spawnSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'

/** A small disk: a file system in memory, mounted for a test. */
export class SmallDisk {
  /** The mount point. */
  readonly place: string

  private constructor(place: string) {
    this.place = place
  }

  /**
   * @param place the mount point, which is created
   * @param size in `mount`'s format, such as `90m`
   * @returns the reason as a text if nothing can be mounted
   */
  static mount(place: string, size: string): SmallDisk | string {
    mkdirSync(place, { recursive: true })
    const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place], {
      encoding: 'utf8',
    })
    if (status === 0) return new SmallDisk(place)
    rmdirSync(place)
    return `no file system can be mounted here: ${error?.message ?? stderr.trim()}`
  }

  unmount(): void {
    // Lazily, since a killed process may still have files open.
    spawnSync('umount', ['--lazy', this.place])
    rmdirSync(this.place)
  }
}
