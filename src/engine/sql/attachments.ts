import type { Database } from '../storage/database.ts'
import { completed, isReadable, readHeader } from '../storage/database-header.ts'
import { EngineError } from '../errors.ts'
import type { Attachment, PlacedTables } from './place/placed-tables.ts'
import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'

/** A database file that is attached: where it's registered, and what it's called. */
export interface AttachedFile {
  readonly path: string
  readonly catalog: string
}

/**
 * Attaches a database file read-only, under a name that nobody can guess. Where looking at it fails nothing stays attached.
 * @param folder where it's registered
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
    db.run(`ATTACH '${path}' AS ${catalog} (READ_ONLY)`)
    return { path, catalog, found: look(catalog) }
  } catch (error) {
    detachFile(db, { path, catalog })
    throw error
  }
}

/** Lets go of a database file. Nothing may refer to it any more. */
export function detachFile(db: Database, { path, catalog }: AttachedFile): void {
  db.run(`DETACH DATABASE IF EXISTS ${catalog}`)
  db.dropFile(path)
}

/** Tables' files, attached read-only under names that nobody can guess. They never change, so an id tells all. */
export class Attachments {
  /** By file id, the one used longest ago first. */
  private readonly attached = new Map<string, Attachment & AttachedFile>()
  private readonly db: Database
  private readonly folder: string
  private readonly kept: number
  private readonly placed: PlacedTables | null
  private readonly inPlace = new Map<string, Attachment>()

  /**
   * @param kept how many stay attached after the statements that needed them
   * @param placed takes files that are queried where they lie; null where there can't be any
   */
  constructor(db: Database, folder: string, kept: number, placed: PlacedTables | null = null) {
    this.db = db
    this.folder = folder
    this.kept = kept
    this.placed = placed
  }

  /**
   * Attaches a file, unless it is.
   * @throws {EngineError} when the file can't be read, or is neither a database nor one that is queried where it lies
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
    const { found: physical, ...at } = await attachFile(this.db, this.folder, whole, (catalog) => this.tableIn(catalog))
    const made = { ...at, physical, source: `${at.catalog}.main.${quoteIdentifier(physical)}` }
    this.attached.set(fileId, made)
    return made
  }

  private tableIn(catalog: string): string {
    const [batch] = this.db.run(`SELECT table_name FROM system.main.duckdb_tables() WHERE database_name = '${catalog}'`)
    const name: unknown = batch?.getChildAt(0)?.get(0)
    if (typeof name !== 'string') throw damaged()
    return name
  }

  /** Lets go of those used longest ago, as many as there are too many. Nothing may refer to them any more. */
  trim(): void {
    for (const [fileId, known] of this.attached) {
      if (this.attached.size <= this.kept) return
      this.attached.delete(fileId)
      detachFile(this.db, known)
    }
  }

  /** Lets go of a file. Nothing may refer to it any more. */
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
