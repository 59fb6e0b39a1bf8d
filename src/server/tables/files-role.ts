import type { Role } from '../../engine/channel/serve.ts'
import { convertFile } from '../../engine/convert/convert.ts'
import { ingestFile } from '../../engine/convert/stored/ingest.ts'
import { inspectFile } from '../../engine/convert/inspect.ts'
import { isOutgrown } from '../../engine/io/wasm-memory.ts'
import { stopped } from '../../engine/storage/database.ts'
import { openFile } from '../engine/files.ts'
import { FileOutputs } from '../engine/outputs.ts'
import type { FileCalls, FileOnDisk } from './calls.ts'
import { FileTables } from './file-tables.ts'

const open = ({ path, name }: FileOnDisk): Promise<File> => openFile(path, name)

/** Reads, converts and loads files, like the browser's workers, but on the disk. */
export function openFiles(): Role<FileCalls> {
  return {
    handlers: {
      inspect: async ({ file, ...request }, { signal }) =>
        inspectFile(await open(file), request, { signal, progress: () => undefined }),
      convert: async ({ file, folder, ...request }, { signal }) =>
        convertFile(await open(file), request, {
          signal,
          progress: () => undefined,
          storage: new FileOutputs(folder),
        }),
      ingest: async ({ file, folder, onto, ...request }, { signal }) =>
        ingestFile(
          await open(file),
          { ...request, ...(onto ? { onto: await open(onto) } : {}) },
          { signal, progress: () => undefined, storage: new FileTables(folder) },
        ),
    },
    fatal: stopped,
    outgrown: isOutgrown,
  }
}
