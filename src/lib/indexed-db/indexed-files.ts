import type { DBSchema, IDBPDatabase } from 'idb'
import { databaseOpener } from './database.ts'

interface Schema extends DBSchema {
  files: {
    key: string
    value: { readonly pieces: readonly ArrayBuffer[]; readonly at: number }
    indexes: { at: number }
  }
}

/** Bytes that are cloned at once: a browser may refuse a single buffer of the size of a large file. */
const PIECE = 64 * 1024 * 1024

/**
 * Files in IndexedDB, for where there's no private file system. Bytes, and not blobs: Safari keeps none of those in
 * private windows. All of a file is in memory while it's put or got.
 */
export class IndexedFiles {
  private readonly open: () => Promise<IDBPDatabase<Schema>>

  /** @param name of the database */
  constructor(name: string) {
    this.open = databaseOpener<Schema>(name, 1, (database) => {
      database.createObjectStore('files').createIndex('at', 'at')
    })
  }

  /** @throws {DOMException} `QuotaExceededError`, with nothing kept */
  async put(id: string, file: Blob): Promise<void> {
    const pieces: ArrayBuffer[] = []
    for (let at = 0; at < file.size; at += PIECE) pieces.push(await file.slice(at, at + PIECE).arrayBuffer())
    await (await this.open()).put('files', { pieces, at: Date.now() }, id)
  }

  /** Null when it's gone. */
  async get(id: string): Promise<Blob | null> {
    const found = await (await this.open()).get('files', id)
    return found ? new Blob([...found.pieces]) : null
  }

  async remove(id: string): Promise<void> {
    await (await this.open()).delete('files', id)
  }

  /** All of them, with when they were put. Their bytes stay where they are. */
  async list(): Promise<{ readonly id: string; readonly at: number }[]> {
    const found: { id: string; at: number }[] = []
    const index = (await this.open()).transaction('files').store.index('at')
    for (let cursor = await index.openKeyCursor(); cursor; cursor = await cursor.continue()) {
      found.push({ id: cursor.primaryKey, at: cursor.key })
    }
    return found
  }
}
