import { refuseShort } from '../../lib/full-disk.ts'
import { OUTPUT_FOLDER, PART_SUFFIX } from './file-names.ts'
import { AccessHandleSink } from '../io/access-handle-sink.ts'
import { spaceError, ignoreMissing, moveFile } from '../io/private-files.ts'
import { MemorySink, type ByteSink } from '../../lib/sink.ts'

/** A file being written. End it with either `commit` or `discard`. */
export interface PendingOutput {
  readonly id: string
  readonly sink: ByteSink
  /** Makes the file complete and durable. */
  commit(): Promise<File>
  /** Removes the file and frees its space. Also works after `commit`. */
  discard(): Promise<void>
}

/** Storage for the files that conversions make. */
export interface OutputStorage {
  create(jobId: string): Promise<PendingOutput>
}

/** Outputs in the origin's private file system, which outlive the page. Workers only. */
export class FileSystemOutputs implements OutputStorage {
  async create(jobId: string): Promise<PendingOutput> {
    const name = crypto.randomUUID()
    const { folder, file, access } = await beginFile(jobId, name + PART_SUFFIX)
    const gathering = new AccessHandleSink(access)
    const sink: ByteSink = {
      get size() {
        return gathering.size
      },
      write: (bytes) => gathering.write(bytes).catch((error: unknown) => Promise.reject(spaceError(error))),
    }
    let open = true
    const close = (): void => {
      if (open) access.close()
      open = false
    }
    return {
      id: `${jobId}/${name}`,
      sink,
      commit: async () => {
        try {
          gathering.flush()
          access.flush()
          close()
          await moveFile(folder, file, name)
          const kept = await (await folder.getFileHandle(name)).getFile()
          refuseShort(kept, gathering.size)
          return kept
        } catch (error) {
          throw spaceError(error)
        }
      },
      discard: async () => {
        close()
        await folder.removeEntry(name + PART_SUFFIX).catch(ignoreMissing)
        await folder.removeEntry(name).catch(ignoreMissing)
      },
    }
  }
}

interface BegunFile {
  readonly folder: FileSystemDirectoryHandle
  readonly file: FileSystemFileHandle
  readonly access: FileSystemSyncAccessHandle
}

async function beginFile(jobId: string, name: string): Promise<BegunFile> {
  try {
    const root = await navigator.storage.getDirectory()
    const outputs = await root.getDirectoryHandle(OUTPUT_FOLDER, { create: true })
    const folder = await outputs.getDirectoryHandle(jobId, { create: true })
    const file = await folder.getFileHandle(name, { create: true })
    return { folder, file, access: await file.createSyncAccessHandle() }
  } catch (error) {
    throw spaceError(error)
  }
}

/** Outputs in memory, for the page to keep if there's no private file system, and for tests. */
export class MemoryOutputs implements OutputStorage {
  readonly files = new Map<string, File>()

  create(jobId: string): Promise<PendingOutput> {
    const id = `${jobId}/${crypto.randomUUID()}`
    const sink = new MemorySink()
    return Promise.resolve({
      id,
      sink,
      commit: () => {
        const file = sink.file(id)
        this.files.set(id, file)
        return Promise.resolve(file)
      },
      discard: () => {
        this.files.delete(id)
        return Promise.resolve()
      },
    })
  }
}
