import { RecordBatchStreamWriter, type RecordBatch } from 'apache-arrow'
import type { Connection, Database } from './database.ts'

/** Bytes of Arrow data to insert at once. */
const INSERT_BYTES = 3 * 1024 * 1024

/** Collects batches, since each insertion is a statement with its own cost. */
export class Inserter {
  private batches: RecordBatch[] = []
  private bytes = 0
  private readonly db: Database
  private readonly table: string
  private readonly connection: Connection | undefined

  /** @param connection whose catalog has the table; by default the database's own */
  constructor(db: Database, table: string, connection?: Connection) {
    this.db = db
    this.table = table
    this.connection = connection
  }

  add(batch: RecordBatch): void {
    if (batch.numRows === 0) return
    this.batches.push(batch)
    this.bytes += batch.data.byteLength
    if (this.bytes >= INSERT_BYTES) this.flush()
  }

  flush(): void {
    if (this.batches.length === 0) return
    const stream = RecordBatchStreamWriter.writeAll(this.batches).toUint8Array(true)
    this.db.insertStream(stream, { name: this.table, create: false }, this.connection)
    this.batches = []
    this.bytes = 0
  }
}
