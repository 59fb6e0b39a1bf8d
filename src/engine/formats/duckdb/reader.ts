import { foldName } from '../../../lib/names.ts'
import { columnNames, uniqueNames } from '../../../tables/names.ts'
import type { RecordBatch } from 'apache-arrow'
import { isAbort } from '../../../lib/abort.ts'
import type { ColumnFlag, InspectedColumn, InspectedTable, Inspection, Note } from '../../../tables/plan.ts'
import {
  type Column,
  type ColumnType,
  isNested,
  mapLeaves,
  printType,
  sameType,
  VARCHAR,
} from '../../../tables/types.ts'
import { MessageReader } from '../../arrow/ipc/rows.ts'
import { refusalOf } from '../../storage/database.ts'
import type { DatabaseTables, ListedTable } from '../../storage/table-types.ts'
import { EngineError } from '../../errors.ts'
import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { asTextNote } from '../shared/adapt.ts'
import { combined } from '../../arrow/concatenate.ts'
import type { EngineContext, FormatReader, ReadBatch, ReadRequest } from '../types.ts'
import { inFile, withFile, type AttachedFile, type FileEngine } from './attached.ts'
import { tableType } from '../../arrow/duckdb-types.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/**
 * Reads tables and views of DuckDB's database files, with the file's types. Outside schema `main`, names are prefixed
 * with the schema.
 */
export const duckdbReader: FormatReader = { format: 'duckdb', convertsTypes: false, inspect, read }

/** The location and name of a table or view. */
type Place = Pick<ListedTable, 'schema' | 'table' | 'view' | 'name'>

/**
 * Lists a database's tables and views without reading their rows, for queries in place.
 * @throws {EngineError} if it can't be read or has no table
 */
export function listTables(file: File, signal: AbortSignal): Promise<DatabaseTables> {
  return inFile(file, (attached) =>
    eachTable(attached, async (place) => {
      const source = sourceOf(attached, place)
      const columns = describe(attached, source).map(([name, type]) => ({ name, type }))
      if (place.view) return { ...place, columns, rows: null }
      const counted = await attached.query(`SELECT count(*)::DOUBLE FROM ${source}`, signal)
      return { ...place, columns, rows: Number(counted.flatMap(rowsOf)[0]?.[0] ?? 0) }
    }),
  )
}

interface FoundTable {
  readonly place: Place
  readonly columns: readonly CarriedColumn[]
  readonly inspected: InspectedTable
}

interface OpenedFile {
  readonly tables: readonly FoundTable[]
  readonly notes: readonly Note[]
}

/** Cached by file: inspecting and every reading of it need the same facts. */
const opened = new WeakMap<File, Promise<OpenedFile>>()

function openFile(file: File, context: EngineContext): Promise<OpenedFile> {
  const known = opened.get(file)
  if (known) return known
  const opening = inFile(file, (attached) => look(attached, context))
  opened.set(file, opening)
  opening.catch(() => opened.delete(file))
  return opening
}

function look(attached: AttachedFile, context: EngineContext): Promise<OpenedFile> {
  return eachTable(attached, (place) => lookAt(place, attached, context))
}

/** @throws {EngineError} if a table can't be read or there's none */
async function eachTable<T>(
  attached: AttachedFile,
  work: (place: Place) => Promise<T>,
): Promise<{ readonly tables: readonly T[]; readonly notes: readonly Note[] }> {
  const tables: T[] = []
  const notes: Note[] = []
  for (const place of placesIn(attached)) {
    try {
      tables.push(await work(place))
    } catch (error) {
      // A view may need something outside the file; but a table that can't be read is damaged.
      if (!place.view || isAbort(error)) throw error
      const reason = reasonOf(error, attached)
      notes.push({ code: 'unreadable-view', message: `The view “${place.name}” can’t be read: ${reason}` })
    }
  }
  if (tables.length > 0) return { tables, notes }
  throw new EngineError('empty-file', notes[0]?.message ?? 'The database has no tables.', {
    remedy: 'Add a database with a table that can be read.',
  })
}

function reasonOf(error: unknown, attached: AttachedFile): string {
  const refusal = error instanceof EngineError ? refusalOf(error.cause) : null
  if (refusal?.kind === 'Catalog' && refusal.name) {
    const { name } = refusal
    return placesIn(attached).some(({ table }) => foldName(table) === foldName(name))
      ? `it needs ${name} of another database or schema, which isn’t in the file.`
      : `it needs ${name}, which isn’t in the file.`
  }
  const [reason] = (refusal?.message ?? String(error)).split('\n')
  return reason.replace(/[.!]?$/, '.')
}

function placesIn({ catalog, run }: AttachedFile): Place[] {
  const where = `database_name = '${catalog}' AND NOT internal`
  const batches = run(`
    FROM (SELECT schema_name, table_name, false FROM duckdb_tables() WHERE ${where}
      UNION ALL SELECT schema_name, view_name, true FROM duckdb_views() WHERE ${where}) AS t(place, name, view)
    ORDER BY place <> 'main', place, view, name
  `)
  const found = batches.flatMap((batch) =>
    rowsOf(batch).map(([schema, table, view]) => ({
      schema: String(schema),
      table: String(table),
      view: view === true,
    })),
  )
  const names = uniqueNames(found.map(({ schema, table }) => (schema === 'main' ? table : `${schema}.${table}`)))
  return found.map((place, i) => ({ ...place, name: names[i] }))
}

function rowsOf(batch: RecordBatch): unknown[][] {
  const columns = batch.schema.fields.map((_, i) => batch.getChildAt(i))
  return Array.from({ length: batch.numRows }, (_, row) => columns.map((column) => column?.get(row) as unknown))
}

function sourceOf({ catalog }: AttachedFile, { schema, table }: WantedTable['place']): string {
  return `${catalog}.${quoteIdentifier(schema)}.${quoteIdentifier(table)}`
}

function describe(attached: AttachedFile, source: string): [name: string, type: string][] {
  return attached
    .run(`DESCRIBE ${source}`)
    .flatMap(rowsOf)
    .map(([name, type]) => [String(name), String(type)])
}

async function lookAt(place: Place, attached: AttachedFile, context: EngineContext): Promise<FoundTable> {
  const source = sourceOf(attached, place)
  const first = describe(attached, source).map(([column, type]) => carriedColumn(column, type))
  const counts = first.flatMap((column) => {
    const own = quoteIdentifier(column.name)
    const widest = mayOverflow(column) ? `coalesce(max(abs(${own}::DOUBLE)) >= 1e38, false)` : 'false'
    return [`count(${own})::DOUBLE`, widest]
  })
  const batches = await attached.query(
    `SELECT ${['count(*)::DOUBLE', ...counts].join(', ')} FROM ${source}`,
    context.signal,
  )
  const [rows = 0, ...found] = batches.flatMap((batch) => rowsOf(batch))[0] ?? []
  const columns = first.map((column, i) =>
    found[i * 2 + 1] === true ? carriedColumn(column.name, column.ownType, true) : column,
  )
  const nulls = columns.map((_, i) => Number(rows) - Number(found[i * 2]))
  return { place, columns, inspected: inspected(place.name, columns, Number(rows), nulls) }
}

function inspected(
  name: string,
  columns: readonly CarriedColumn[],
  rows: number,
  nulls: readonly number[],
): InspectedTable {
  const names = columnNames(columns.map((column) => column.name))
  return {
    name,
    rows,
    rejectedCount: 0,
    rejected: [],
    notes: columns.flatMap(({ asText }, i) => asTextNote(names[i], asText.join(', '), rows - nulls[i])),
    columns: columns.map((column, i): InspectedColumn => {
      const flags: ColumnFlag[] = []
      if (isNested(column.type)) flags.push('nested')
      if (column.asText.length > 0) flags.push('as-text')
      if (nulls[i] === rows) flags.push('empty')
      if (names[i] !== column.name) flags.push('renamed')
      return {
        index: i,
        source: column.name,
        name: names[i],
        type: printType(column.type),
        reason: `The file says ${column.ownType.slice(0, 100)}${column.asText.length > 0 ? ', which is kept as text' : ''}.`,
        flags,
        nulls: nulls[i],
      }
    }),
  }
}

async function inspect(file: File, _given: unknown, context: EngineContext): Promise<Inspection> {
  const { tables, notes } = await openFile(file, context)
  context.progress({ bytes: file.size, rows: tables.reduce((sum, { inspected: { rows } }) => sum + rows, 0) })
  return { format: 'duckdb', settings: { kind: 'duckdb' }, tables: tables.map((table) => table.inspected), notes }
}

async function* read(file: File, request: ReadRequest, context: EngineContext): AsyncGenerator<ReadBatch> {
  const { tables } = await openFile(file, context)
  const table = tables.find(({ place }) => place.name === request.table)
  if (!table) throw new EngineError('invalid-plan', `The file has no table “${request.table ?? ''}”.`)
  const columns = request.columns.map(({ index, type, source }) => {
    const column = table.columns[index]
    if (!column) throw new EngineError('invalid-plan', `The table has no column number ${index + 1}.`)
    if (sameType(type, column.type)) return column
    throw new EngineError('invalid-plan', `“${source}” is ${printType(column.type)}, not ${printType(type)}.`)
  })
  const { rows } = table.inspected
  const wanted = { place: table.place, rows, columns, limit: request.limit }
  yield* withFile(file, (attached) => readRows(attached, wanted, file.size, context))
}

/** Reads a table with known rows and columns, from a file that isn't inspected. */
export function readKnown(
  file: File,
  { name, rows, columns }: { readonly name: string; readonly rows: number; readonly columns: readonly Column[] },
  engine: FileEngine,
  context: EngineContext,
): AsyncGenerator<ReadBatch, void, undefined> {
  const place = { schema: 'main', table: name }
  const wanted = { place, rows, columns: columns.map((column) => carriedColumn(column.name, printType(column.type))) }
  return withFile(file, (attached) => readRows(attached, wanted, file.size, context), engine)
}

interface WantedTable {
  readonly place: Pick<Place, 'schema' | 'table'>
  readonly rows: number
  readonly columns: readonly CarriedColumn[]
  readonly limit?: number | undefined
}

async function* readRows(
  attached: AttachedFile,
  table: WantedTable,
  size: number,
  context: EngineContext,
): AsyncGenerator<ReadBatch, void, undefined> {
  const { columns, limit } = table
  const list = columns.map(({ name, cast }, i) => {
    const own = quoteIdentifier(name)
    return `${cast === null ? own : `CAST(${own} AS ${cast})`} AS c${i}`
  })
  const sql = `SELECT ${list.join(', ')} FROM ${sourceOf(attached, table.place)}${limit === undefined ? '' : ` LIMIT ${limit}`}`
  const types = columns.map(({ type }) => type)
  const reader = new MessageReader(
    types,
    columns.map(({ name }) => name),
  )
  let rows = 0
  const taken = (): number => Math.round(size * Math.min(1, rows / Math.max(1, table.rows)))
  const batches = async function* (): AsyncGenerator<RecordBatch, void, undefined> {
    for await (const messages of attached.stream(sql, context.signal)) {
      for (const batch of await reader.read(messages)) {
        yield batch
        rows += batch.numRows
      }
      context.progress({ bytes: taken(), rows })
      await checkpoint(context.signal)
    }
  }
  for await (const batch of combined(batches(), types)) yield { batch, rejected: [], bytes: taken() }
}

/** How a database column is represented here. */
interface CarriedColumn {
  readonly name: string
  /** DuckDB's name for its type. */
  readonly ownType: string
  readonly type: ColumnType
  /** Types that columns here can't have, so that DuckDB's text is used. */
  readonly asText: readonly string[]
  /** Type for DuckDB to cast it to, so that nothing is lost; null if none is needed. */
  readonly cast: string | null
}

/** @param text whether it's an integer with too many digits, so that it's represented as text */
function carriedColumn(name: string, ownType: string, text = false): CarriedColumn {
  const { type, asText } = text ? { type: VARCHAR, asText: [ownType] } : tableType(ownType)
  // Arrow's intervals have nanoseconds, which overflow for some of DuckDB's intervals, and 128-bit integers are
  // decimals.
  const crossing = printType(
    mapLeaves(type, (leaf) => {
      if (leaf.kind !== 'scalar') return leaf
      return leaf.name === 'INTERVAL'
        ? VARCHAR
        : leaf.name === 'HUGEINT'
          ? { kind: 'decimal', width: 38, scale: 0 }
          : leaf
    }),
  )
  return {
    name,
    ownType,
    type,
    asText,
    cast: crossing === ownType ? null : crossing,
  }
}

/** Whether values of the column may have too many digits, which depends on the values. */
function mayOverflow({ type }: CarriedColumn): boolean {
  return !isNested(type) && sameType(type, { kind: 'scalar', name: 'HUGEINT' })
}
