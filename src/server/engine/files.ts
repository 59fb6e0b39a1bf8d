import { openAsBlob } from 'node:fs'
import { access, constants, lstat, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutWarnings } from '../warnings.ts'

/**
 * A file on the disk, as the engine takes files: nothing of it is read before it's needed, and then in slices. Where it
 * changes later, reading it fails.
 * @param name what it's called in receipts and messages; by default as on the disk
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

/** Node 20 takes a file's size modulo this, and gives its beginning for the whole. */
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

/** Where a file is that `openFile` gave; undefined for others. */
export function pathOf(file: Blob): string | undefined {
  return paths.get(file)
}

/**
 * Of a file that can be read.
 * @throws {Error} Node's, with its `code`: `ENOENT`, `EACCES`, `EISDIR`, ...
 */
export async function statFile(file: string): Promise<{ readonly mtimeMs: number; readonly size: number }> {
  const found = await stat(file)
  if (found.isFile()) {
    // A blob would tell it only when it's read, and not why.
    await access(file, constants.R_OK)
    return found
  }
  const kind = found.isDirectory() ? 'folder' : 'device or a pipe'
  throw Object.assign(new Error(`“${file}” is a ${kind}, not a file.`), {
    code: found.isDirectory() ? 'EISDIR' : 'EINVAL',
    path: file,
  })
}

/** Whether there is something at a path, a link that leads nowhere too. */
export function exists(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  )
}

/**
 * Makes a folder, and those above it, where there is none. Node's own `recursive` never returns for a folder that the
 * system lets nobody make, such as `/proc/x`.
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

/** `/proc` says that there is no such folder, where it means that none can be made. */
function forbidden(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? Object.assign(error, { code: 'EPERM' }) : error
}
