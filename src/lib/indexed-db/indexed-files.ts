import type { DBSchema, IDBPDatabase } from 'idb'
import { databaseOpener } from './database.ts'

interface Schema extends DBSchema {
  files: {
    key: string
    value: { readonly pieces: readonly ArrayBuffer[]; readonly at: number }
    indexes: { at: number }
  }
}

/** Bytes cloned at once, since browsers may refuse a single buffer for a large file. */
const PIECE = 64 * 1024 * 1024

/**
 * Files in IndexedDB, for browsers without a private file system. Stored as bytes, because Safari can't store blobs in
 * private windows. Reading or writing a file holds all of it in memory.
 */
export class IndexedFiles {
  private readonly open: () => Promise<IDBPDatabase<Schema>>

  /** @param name of the database */
  constructor(name: string) {
    this.open = databaseOpener<Schema>(name, 1, (database) => {
      database.createObjectStore('files').createIndex('at', 'at')
    })
  }

  /** @throws {DOMException} `QuotaExceededError`; then nothing is stored */
  async put(id: string, file: Blob): Promise<void> {
    const pieces: ArrayBuffer[] = []
    for (let at = 0; at < file.size; at += PIECE) pieces.push(await file.slice(at, at + PIECE).arrayBuffer())
    await (await this.open()).put('files', { pieces, at: Date.now() }, id)
  }

  /** Null if there's none. */
  async get(id: string): Promise<Blob | null> {
    const found = await (await this.open()).get('files', id)
    return found ? new Blob([...found.pieces]) : null
  }

  async remove(id: string): Promise<void> {
    await (await this.open()).delete('files', id)
  }

  /** All files with the time they were stored, without reading their bytes. */
  async list(): Promise<{ readonly id: string; readonly at: number }[]> {
    const found: { id: string; at: number }[] = []
    const index = (await this.open()).transaction('files').store.index('at')
    for (let cursor = await index.openKeyCursor(); cursor; cursor = await cursor.continue()) {
      found.push({ id: cursor.primaryKey, at: cursor.key })
    }
    return found
  }
}
