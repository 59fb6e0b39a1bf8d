import { refuseShort } from '../../lib/full-disk.ts'
import type { ByteSink } from '../../lib/sink.ts'
import { AccessHandleSink } from '../io/access-handle-sink.ts'
import { ignoreMissing, moveFile, spaceError } from '../io/private-files.ts'
import { OUTPUT_FOLDER, PART_SUFFIX } from './file-names.ts'
import type { OutputStorage, PendingOutput } from './output.ts'

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
