import { spawnSync } from 'node:child_process'
import { afterAll } from 'vitest'

/** A disk that soon is full; null where none may be had. */
export function mountOf(size: string): string | null {
  const { status, stdout } = spawnSync('mktemp', ['-d'], { encoding: 'utf8' })
  const place = stdout?.trim() ?? ''
  if (status !== 0 || spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place]).status !== 0)
    return null
  // Lazily: a process that was killed may still be ending there.
  afterAll(() => {
    spawnSync('umount', ['-l', place])
    spawnSync('rmdir', [place])
  })
  return place
}
