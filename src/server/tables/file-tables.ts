import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { EngineError } from '../../engine/errors.ts'
import type { Database } from '../../engine/storage/database.ts'
import { tablePath } from '../../engine/storage/file-names.ts'
import { MemoryTables, type PendingTable, type TableStorage } from '../../engine/storage/tables.ts'
import { openFile } from '../engine/files.ts'
import { PART, syncFolder, writeWhole } from '../objects/whole-file.ts'

/** Path of a table's file. */
export function pathOfTable(folder: string, fileId: string): string {
  const { creationId, name } = tablePath(fileId)
  return path.join(folder, creationId, name)
}

/**
 * Stores tables as files, with a folder for each creation. A table is built in memory, and its file gets its name once
 * it's complete and on the disk.
 */
export class FileTables implements TableStorage {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async create(creationId: string, db: Database, at: string): Promise<PendingTable> {
    const pending = await new MemoryTables().create(creationId, db, at)
    const { folder } = this
    const place = pathOfTable(folder, pending.fileId)
    return {
      fileId: pending.fileId,
      failure: undefined,
      async commit() {
        const made = await pending.commit()
        try {
          await mkdir(path.dirname(place), { recursive: true })
          await writeWhole(place, [new Uint8Array(await made.arrayBuffer())])
          await syncFolder(folder)
          return await openFile(place)
        } catch (error) {
          throw asEngineError(error)
        }
      },
      async discard() {
        await pending.discard()
        await rm(place + PART, { force: true })
        await rm(place, { force: true })
      },
    }
  }
}

function asEngineError(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error
  return new EngineError('out-of-space', 'The server’s disk is full.', { cause: error })
}
