import { spawnSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'

/** A disk that soon is full: a file system in memory, mounted for a test. */
export class SmallDisk {
  /** The folder that it's mounted on. */
  readonly place: string

  private constructor(place: string) {
    this.place = place
  }

  /**
   * @param place a folder, which is made
   * @param size as `mount` takes it, such as `90m`
   * @returns why there's none, where none may be mounted
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
    // Lazily: a process that was killed may still be ending there.
    spawnSync('umount', ['--lazy', this.place])
    rmdirSync(this.place)
  }
}
