import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Gives all tests of a run one folder for temporary files, as `os.tmpdir()`, and removes it at the end. */
export function setup(): () => void {
  // Paths of sockets must be short, and macOS's temporary folder for each user takes up half of one.
  const folder = mkdtempSync(path.join(process.platform === 'win32' ? tmpdir() : '/tmp', 'rowhouse-tests-'))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
