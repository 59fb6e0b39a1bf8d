import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { EngineError } from '../../engine/errors.ts'
import { AccessHandleSink } from '../../engine/io/access-handle-sink.ts'
import type { OutputStorage, PendingOutput } from '../../engine/storage/output.ts'
import type { ByteSink } from '../../lib/sink.ts'
import { isFullDisk } from '../../lib/full-disk.ts'
import { exists, fullDisk, openFile } from './files.ts'

const PART_SUFFIX = '.part'

/** Outputs as files in a folder, with their ids as names. `publish` gives them their own names. */
export class FileOutputs implements OutputStorage {
  private readonly folder: string

  /** @param folder must exist */
  constructor(folder: string) {
    this.folder = folder
  }

  /** The path of a committed output. */
  pathOf(id: string): string {
    return path.join(this.folder, id)
  }

  async create(): Promise<PendingOutput> {
    const id = crypto.randomUUID()
    const whole = this.pathOf(id)
    const part = whole + PART_SUFFIX
    const { folder } = this
    let file: number | null = saying(folder, () =>
      openSync(part, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL),
    )
    const close = (): void => {
      if (file !== null) closeSync(file)
      file = null
    }
    const gathering = new AccessHandleSink({
      write: (bytes, options) => {
        if (file === null) throw new Error('the output is closed')
        return writeSync(file, bytes as Uint8Array, 0, bytes.byteLength, options?.at ?? 0)
      },
    })
    const sink: ByteSink = {
      get size() {
        return gathering.size
      },
      write: (bytes) => gathering.write(bytes).catch((error: unknown) => Promise.reject(diskError(folder, error))),
    }
    return {
      id,
      sink,
      commit: async () => {
        saying(folder, () => {
          gathering.flush()
          if (file !== null) fsyncSync(file)
          close()
        })
        await rename(part, whole)
        return openFile(whole)
      },
      discard: async () => {
        close()
        await rm(part, { force: true })
        await rm(whole, { force: true })
      },
    }
  }
}

function saying<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw diskError(folder, error)
  }
}

function diskError(folder: string, error: unknown): unknown {
  if (!isFullDisk(error)) return error
  return new EngineError('out-of-space', fullDisk(folder), {
    remedy: 'Free some space, or write to another disk.',
    cause: error,
  })
}

/** A file would have been overwritten. */
export class FileExists extends Error {
  readonly tag = 'FileExists'
  readonly path: string
  /** Whether it's a source, which may never be overwritten. */
  readonly isSource: boolean

  constructor(file: string, isSource = false) {
    const name = path.basename(file)
    super(isSource ? `“${name}” would overwrite itself.` : `“${name}” already exists.`)
    this.path = file
    this.isSource = isSource
  }
}

/**
 * Gives files their own names by renaming them. If one fails, those before it are removed again, unless `replace` is
 * set.
 * @param files current and final paths, on the same disk
 * @param replace whether to overwrite existing files
 * @throws {FileExists} if a file exists and `replace` is false
 */
export async function publish(
  files: readonly (readonly [from: string, to: string])[],
  { replace }: { readonly replace: boolean },
): Promise<void> {
  const made: string[] = []
  try {
    for (const [from, to] of files) {
      await mkdir(path.dirname(to), { recursive: true })
      if (replace) await rename(from, to)
      else {
        await renameNew(from, to)
        made.push(to)
      }
    }
  } catch (error) {
    await Promise.allSettled(made.map((file) => rm(file, { force: true })))
    throw error
  }
}

/** Renaming overwrites an existing file; linking doesn't, but not every file system has links. */
async function renameNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
    await rm(from)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new FileExists(to)
    if (code === undefined || !NO_LINKS.has(code)) throw cause
    if (await exists(to)) throw new FileExists(to)
    await rename(from, to)
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
