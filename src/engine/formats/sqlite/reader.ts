import { type InspectedTable, type Inspection, type Note, type RejectedRow, MAX_RAW } from '../../../tables/plan.ts'
import { type ReadSettings, compressedBy } from '../../../tables/settings.ts'
import { BatchBuilder } from '../../columns/batch-builder.ts'
import { EngineError } from '../../errors.ts'
import { unpackedFile } from '../shared/unpacked-file.ts'
import type { EngineContext, FormatReader, ReadBatch, ReadRequest } from '../types.ts'
import { RowCells, type Cell } from './cells.ts'
import { ColumnValues, inspectedColumns } from './columns.ts'
import { type StoredRow, storedRows } from './records.ts'
import { openDatabase, tableOf, type Database, type StoredTable } from './tables.ts'
import { rejectedValue } from '../../columns/rejected-value.ts'

const MOST_REJECTED = 100

/** Reads the tables of SQLite's database files directly from their pages. */
export const sqliteReader: FormatReader = { format: 'sqlite', convertsTypes: true, inspect, read }

/** A database's file, unpacked if it's compressed. */
async function plainFile(file: File, settings: Partial<ReadSettings>, { signal }: EngineContext): Promise<File> {
  const compression = compressedBy(settings)
  return compression ? unpackedFile(file, compression, signal) : file
}

async function inspect(file: File, given: Partial<ReadSettings>, context: EngineContext): Promise<Inspection> {
  const compression = compressedBy(given)
  const database = await openDatabase(await plainFile(file, given, context), context.signal)
  const tables: InspectedTable[] = []
  const notes: Note[] = [...database.notes]
  let failure: EngineError | null = null
  for (const table of database.tables) {
    try {
      tables.push(await inspectTable(database, table, context))
    } catch (error) {
      // Damage affects one table only; the others are read.
      if (!(error instanceof EngineError && error.code === 'corrupt-file')) throw error
      failure ??= error
      const where = error.place === undefined ? '' : ` (${error.place})`
      notes.push({
        code: 'damaged-table',
        message: `The table “${table.name}” is left out. ${error.message}${where}`,
        doubt: true,
      })
    }
  }
  const settings = { kind: 'sqlite', ...(compression ? { compression } : {}) } as const
  if (tables.length > 0) return { format: 'sqlite', settings, tables, notes }
  if (failure) throw failure
  throw new EngineError('empty-file', notes[0]?.message ?? 'The database has no tables.', {
    remedy: 'Add a database with a table; of a view, make a table in SQLite first: CREATE TABLE … AS SELECT …',
  })
}

/** The columns stored in the file, by index in the table. */
const columnsIn = ({ schema }: StoredTable): number[] =>
  schema.columns.flatMap(({ isVirtual }, index) => (isVirtual ? [] : [index]))

async function inspectTable({ pages }: Database, table: StoredTable, context: EngineContext): Promise<InspectedTable> {
  const places = columnsIn(table)
  const values = places.map(() => new ColumnValues())
  const cells = new RowCells(table.schema, pages.encoding)
  const rejected: RejectedRow[] = []
  let [rows, rejectedCount] = [0, 0]
  for await (const page of storedRows(pages, table.root, context.signal)) {
    for (const row of page) {
      const found = cells.of(row)
      if (typeof found === 'number') {
        rejectedCount++
        if (rejected.length < MOST_REJECTED) rejected.push(noText(table, found, rows + rejectedCount))
        continue
      }
      rows++
      for (const [i, place] of places.entries()) values[i].add(found[place])
    }
    context.progress({ rows, bytes: 0 })
  }
  const { columns, notes } = inspectedColumns(
    places.map((place) => table.schema.columns[place]),
    values,
  )
  const computed = table.schema.columns.filter(({ isVirtual }) => isVirtual)
  for (const { name } of computed) {
    notes.push({
      code: 'computed-column',
      message: `“${name}” is computed whenever it is asked for, and isn’t in the file: it’s left out.`,
      column: name,
    })
  }
  const { name, hidden } = table
  return { name, columns, rows, rejectedCount, rejected, notes, ...(hidden ? { hidden } : {}) }
}

async function* read(file: File, request: ReadRequest, context: EngineContext): AsyncGenerator<ReadBatch> {
  const database = await openDatabase(await plainFile(file, request.settings, context), context.signal)
  const table = tableOf(database, request.table)
  const { pages } = database
  const { columns, limit = Number.POSITIVE_INFINITY } = request
  const places = columnsIn(table)
  const names = columns.map(({ index }) => table.schema.columns[places[index]]?.name ?? '')
  const cells = new RowCells(table.schema, pages.encoding)
  const batch = new BatchBuilder(columns)
  let [row, seen] = [0, 0]
  const flush = (): ReadBatch => ({ ...batch.finish(), bytes: Math.min(file.size, seen), names })
  for await (const page of storedRows(pages, table.root, context.signal)) {
    seen += pages.usable
    for (const stored of page) {
      if (row >= limit) break
      row++
      append(batch, cells, { table, columns, places, stored, row })
      if (batch.isFull) yield flush()
    }
    context.progress({ rows: row, bytes: Math.min(file.size, seen) })
    if (row >= limit) break
  }
  yield flush()
}

interface Appended extends Pick<ReadRequest, 'columns'> {
  readonly table: StoredTable
  readonly places: readonly number[]
  readonly stored: StoredRow
  /** From 1. */
  readonly row: number
}

function append(batch: BatchBuilder, cells: RowCells, { table, columns, places, stored, row }: Appended): void {
  const found = cells.of(stored)
  if (typeof found === 'number') {
    batch.reject(noText(table, found, row))
    return
  }
  let bytes = 0
  for (const [i, column] of columns.entries()) {
    const builder = batch.builders[i]
    const cell = found[places[column.index]] ?? null
    if (cell === null) builder.appendNull()
    else if (builder.appendText(cell.text, 0, cell.text.length)) bytes += cell.text.length
    else {
      const all = places.map((place) => textOf(found[place]))
      const raw = all
        .map((text) => text ?? '')
        .join('\t')
        .slice(0, MAX_RAW)
      batch.reject(rejectedValue(column, textOf(cell) ?? '', { row, line: null, raw, cells: all }))
      return
    }
  }
  batch.endRow(bytes)
}

const decoder = new TextDecoder()
const textOf = (cell: Cell | null | undefined): string | null => (cell ? decoder.decode(cell.text) : null)

/** Rejects a row with invalid text. */
function noText(table: StoredTable, index: number, row: number): RejectedRow {
  const column = table.schema.columns[index].name
  const message = 'The text has bytes that aren’t characters in the database’s encoding.'
  return { row, line: null, reason: 'encoding', message, column, value: null, raw: '' }
}
