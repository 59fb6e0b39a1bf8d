import type { Database } from '../storage/database.ts'
import { completed, isReadable, readHeader } from '../storage/database-header.ts'
import { physicalName } from '../storage/file-names.ts'
import { EngineError } from '../errors.ts'
import type { Attachment, PlacedTables } from './place/placed-tables.ts'
import { textRows } from './text-rows.ts'
import { quoteIdentifier, quoteText } from '../../lib/duckdb-sql/names.ts'

/** An attached database file: its path in DuckDB's file system, and its catalog name. */
export interface AttachedFile {
  readonly path: string
  readonly catalog: string
}

/**
 * Attaches a database file read-only, under an unguessable name. If `look` fails, it's detached again.
 * @param folder where to register it
 */
export async function attachFile<T>(
  db: Database,
  folder: string,
  file: Blob,
  look: (catalog: string) => T,
): Promise<AttachedFile & { readonly found: T }> {
  const catalog = `f_${crypto.randomUUID().replaceAll('-', '')}`
  const path = `${folder}${catalog}.db`
  await db.registerFile(path, file)
  try {
    db.run(`ATTACH ${quoteText(path)} AS ${catalog} (READ_ONLY)`)
    return { path, catalog, found: look(catalog) }
  } catch (error) {
    detachFile(db, { path, catalog })
    throw error
  }
}

/** Detaches a database file. Nothing may use it any more. */
export function detachFile(db: Database, { path, catalog }: AttachedFile): void {
  db.run(`DETACH DATABASE IF EXISTS ${catalog}`)
  db.dropFile(path)
}

/**
 * The files of published and persistent tables, attached read-only under unguessable names. A file never changes, so
 * its id identifies its content.
 */
export class Attachments {
  /** By file id, least recently used first. */
  private readonly attached = new Map<string, Attachment & AttachedFile>()
  private readonly db: Database
  private readonly folder: string
  private readonly kept: number
  private readonly placed: PlacedTables | null
  private readonly inPlace = new Map<string, Attachment>()

  /**
   * @param kept how many files stay attached after the statements that needed them
   * @param placed handles files that are queried in place; null if there can't be any
   */
  constructor(db: Database, folder: string, kept: number, placed: PlacedTables | null) {
    this.db = db
    this.folder = folder
    this.kept = kept
    this.placed = placed
  }

  /**
   * Attaches a file unless it already is.
   * @throws {EngineError} if the file can't be read, or is neither a database nor a file to be queried in place
   */
  async attach(fileId: string, file: Blob): Promise<Attachment> {
    const known = this.attached.get(fileId)
    if (known) {
      this.attached.delete(fileId)
      this.attached.set(fileId, known)
      return known
    }
    const there = this.inPlace.get(fileId)
    if (there) return there
    const format = file instanceof File ? await this.placed?.takes(file) : null
    if (this.placed && format && file instanceof File) {
      const made = await this.placed.attach(file, format)
      this.inPlace.set(fileId, made)
      return made
    }
    const header = await readHeader(file)
    const whole = header && isReadable(header) ? await completed(file, header) : null
    if (!whole) throw damaged()
    const { found: physical, ...at } = await attachFile(this.db, this.folder, whole, (catalog) =>
      this.tableIn(catalog, fileId),
    )
    const made = { ...at, physical, source: `${at.catalog}.main.${quoteIdentifier(physical)}` }
    this.attached.set(fileId, made)
    return made
  }

  /** The name of a file's only table: that of its id, unless the file is a copy under another. */
  private tableIn(catalog: string, fileId: string): string {
    const own = physicalName(fileId)
    try {
      this.db.run(`FROM ${catalog}.main.${quoteIdentifier(own)} LIMIT 0`)
      return own
    } catch {
      // DuckDB's list of tables takes a tenth of a second for the first time, as it makes all of its own views.
      const tables = `SELECT table_name FROM system.main.duckdb_tables() WHERE database_name = '${catalog}'`
      const [[name] = []] = this.db.run(tables).flatMap(textRows)
      if (name === undefined) throw damaged()
      return name
    }
  }

  /** Detaches the least recently used files that exceed the limit. Nothing may use them any more. */
  trim(): void {
    for (const [fileId, known] of this.attached) {
      if (this.attached.size <= this.kept) return
      this.attached.delete(fileId)
      detachFile(this.db, known)
    }
  }

  /** Detaches a file. Nothing may use it any more. */
  release(fileId: string): void {
    const there = this.inPlace.get(fileId)
    if (there) this.placed?.release(there)
    this.inPlace.delete(fileId)
    const known = this.attached.get(fileId)
    if (!known) return
    this.attached.delete(fileId)
    detachFile(this.db, known)
  }
}

function damaged(): EngineError {
  return new EngineError('corrupt-file', 'The table’s file is damaged.', {
    remedy: 'Add the table again, or restore a backup.',
  })
}
