import { openAsBlob, statfsSync } from 'node:fs'
import { access, constants, lstat, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutWarnings } from '../warnings.ts'

/**
 * Opens a file on disk for the engine. It's read only when needed, in slices. If it changes later, reading it fails.
 * @param name for receipts and messages; by default its name on disk
 * @throws {Error} Node's, with its `code`: `ENOENT`, `EACCES`, `EISDIR`, ...
 * @throws {EngineError} `too-large`
 */
export async function openFile(file: string, name = path.basename(file)): Promise<File> {
  const { mtimeMs, size } = await statFile(file)
  const blob = await withoutWarnings(() => openAsBlob(file))
  if (size >= MOST_BYTES && blob.size !== size) throw tooLarge(name, size)
  const opened = new File([blob], name, { lastModified: Math.round(mtimeMs) })
  paths.set(opened, file)
  return opened
}

/** In blobs of files, Node 20 takes the size modulo this number, and so would only read the file's beginning. */
const MOST_BYTES = 2 ** 32

function tooLarge(name: string, size: number): EngineError {
  return new EngineError(
    'too-large',
    `“${name}” is ${formatBytes(size)}; Node.js reads files of less than 4 GiB here.`,
    {
      remedy: 'Split the file, or add it to Rowhouse in a browser, which has no such limit.',
    },
  )
}

const paths = new WeakMap<Blob, string>()

/** The path of a file that `openFile` returned; undefined for others. */
export function pathOf(file: Blob): string | undefined {
  return paths.get(file)
}

/**
 * The size and modification time of a readable file.
 * @throws {Error} Node's, with its `code`: `ENOENT`, `EACCES`, `EISDIR`, ...
 */
export async function statFile(file: string): Promise<{ readonly mtimeMs: number; readonly size: number }> {
  const found = await stat(file)
  if (found.isFile()) {
    // Reading a blob would also fail, but later and without the reason.
    await access(file, constants.R_OK)
    return found
  }
  const kind = found.isDirectory() ? 'folder' : 'device or a pipe'
  throw Object.assign(new Error(`“${file}” is a ${kind}, not a file.`), {
    code: found.isDirectory() ? 'EISDIR' : 'EINVAL',
    path: file,
  })
}

/** Whether there's anything at a path, even a broken link. */
export function exists(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  )
}

/**
 * Creates a folder and its parents if they don't exist. Node's own `recursive` never returns for a folder that nobody
 * may create, such as `/proc/x`.
 * @throws {Error} Node's, with its `code`
 */
export async function makeFolder(folder: string): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error
    })
  const parent = path.dirname(folder)
  if (parent === folder || (await exists(parent))) return make().catch(forbidden)
  await makeFolder(parent)
  return make()
}

/** The path for people: the temporary folders that files are made in have names that mean nothing to them. */
export const shownFolder = (place: string): string => place.replace(/[\\/]\.rowhouse-\w+$/, '')

/** The number of bytes that can still be written to the disk of a folder; null if it can't be told. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** What to say if nothing more can be written to a folder. */
export function fullDisk(folder: string): string {
  const free = freeBytes(folder)
  const left = free === null ? '' : `: ${formatBytes(free)} are free`
  return `The disk of ${shownFolder(folder)} is full${left}.`
}

/** `/proc` reports a missing folder if none can be created. */
function forbidden(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? Object.assign(error, { code: 'EPERM' }) : error
}
