import { formatCount } from '../../../lib/counts.ts'
import { columnNames } from '../../../tables/names.ts'
import type { ColumnFlag, InspectedColumn, Inspection, Note } from '../../../tables/plan.ts'
import { isNested, printType, type ColumnType } from '../../../tables/types.ts'
import type { EngineContext } from '../types.ts'
import { CODECS, PHYSICAL, type Footer } from './footer.ts'
import { openFile } from './open.ts'
import { isInt96, isInterval } from './neutral.ts'
import type { ParquetColumn, TypedParquetColumn } from './schema.ts'

export async function inspect(file: File, _given: unknown, context: EngineContext): Promise<Inspection> {
  const opened = await openFile(file, context)
  const { footer, columns, typed, nulls } = opened
  context.progress({ bytes: file.size, rows: footer.rows })
  const names = columnNames(columns.map(({ name }) => name))
  return {
    format: 'parquet',
    settings: { kind: 'parquet' },
    notes: [],
    tables: [
      {
        name: null,
        rows: footer.rows,
        rejectedCount: 0,
        rejected: [],
        notes: [layoutNote(footer), ...columns.flatMap((column, i) => columnNotes(names[i], column, typed[i]))],
        columns: columns.map((column, i): InspectedColumn => {
          const flags = columnFlags(footer, column, typed[i], nulls[i])
          if (names[i] !== column.name) flags.push('renamed')
          return {
            index: i,
            source: column.name,
            name: names[i],
            type: printType(typed[i].type),
            reason: reasonOf(column, typed[i]),
            flags,
            nulls: nulls[i],
          }
        }),
      },
    ],
  }
}

function reasonOf(column: ParquetColumn, { type, asText }: TypedParquetColumn): string {
  const own = fileTypeName(column, type)
  const text = asText
    ? '; its values have more digits than a number or timestamp can carry, so they are kept as text'
    : ''
  return own.startsWith('no type') ? `The file gives it ${own}.` : `The file says ${own}${text}.`
}

function columnFlags(
  footer: Footer,
  column: ParquetColumn,
  { type, asText }: TypedParquetColumn,
  nulls: number,
): ColumnFlag[] {
  const flags: ColumnFlag[] = []
  if (isNested(type)) flags.push('nested')
  if (asText) flags.push('as-text')
  if (nulls === footer.rows) flags.push('empty')
  if (type.kind === 'scalar' && (type.name === 'BIGINT' || type.name === 'UBIGINT') && beyondDouble(footer, column)) {
    flags.push('beyond-2-53')
  }
  return flags
}

/** Decided by the statistics, if there are any. */
function beyondDouble(footer: Footer, column: ParquetColumn): boolean {
  if (column.element.physical !== PHYSICAL.int64) return false
  return footer.rowGroups.some(({ columns }) => {
    const { min, max } = columns[column.firstLeaf]
    return [min, max].some((bytes) => {
      if (bytes?.length !== 8) return false
      const value = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true)
      return value > 2n ** 53n || value < -(2n ** 53n)
    })
  })
}

function layoutNote({ rows, rowGroups, createdBy }: Footer): Note {
  const codecs = new Set(rowGroups.flatMap(({ columns }) => columns.map(({ codec }) => CODECS[codec])))
  const groups = rowGroups.length === 1 ? '1 row group' : `${formatCount(rowGroups.length)} row groups`
  const by = createdBy === '' ? '' : `, written by ${createdBy.slice(0, 100)}`
  const packed = codecs.size === 0 ? '' : `, compression: ${[...codecs].join(', ')}`
  return { code: 'parquet-layout', message: `${formatCount(rows)} rows in ${groups}${packed}${by}.` }
}

function columnNotes(name: string, column: ParquetColumn, typed: TypedParquetColumn): Note[] {
  const notes: Note[] = []
  if (typed.zonedNanos) {
    notes.push({
      code: 'zone-dropped',
      column: name,
      message: `“${name}” has times finer than a microsecond; they are kept to the nanosecond as UTC, without the zone.`,
    })
  }
  if (typed.zonedTime) {
    notes.push({
      code: 'time-in-utc',
      column: name,
      message: `“${name}” holds times of day in UTC; they are kept as they are.`,
    })
  }
  const { precision } = column.element
  if (typed.type.kind === 'decimal' && precision !== undefined && precision < typed.type.width) {
    notes.push({
      code: 'decimal-widened',
      column: name,
      message: `“${name}” has numbers of ${typed.type.width} digits, though the file allows ${precision}: it’s read as ${printType(typed.type)}.`,
    })
  }
  if (column.element.logical === 'geometry' || column.element.logical === 'geography') {
    notes.push({ code: 'geometry', column: name, message: `“${name}” holds shapes, carried as their WKB bytes.` })
  }
  return notes
}

/** Describes a column's type as the file defines it, for people. */
function fileTypeName(column: ParquetColumn, type: ColumnType): string {
  const { element } = column
  if (isInt96(element)) return 'INT96, an old form of timestamp'
  if (isInterval(element)) return 'INTERVAL'
  if (element.physical === undefined) return printType(type)
  if (element.logical === 'enum') return 'ENUM'
  if (element.logical === 'json') return 'JSON'
  if (element.logical === 'bson') return 'BSON'
  if (element.logical === 'null') return 'no type: every value is null'
  if (element.logical === 'float16') return 'FLOAT16'
  if (element.logical === 'geometry' || element.logical === 'geography') return element.logical.toUpperCase()
  if (element.unit === 3) {
    return `${element.logical === 'time' ? 'TIME' : 'TIMESTAMP'}${element.utc ? ' WITH TIME ZONE' : ''} in nanoseconds`
  }
  if (element.logical === 'time' && element.utc) return 'TIME in UTC'
  if (element.precision !== undefined && element.precision > 38) {
    return `DECIMAL(${element.precision},${element.scale ?? 0})`
  }
  if (element.physical === PHYSICAL.fixed && type.kind === 'scalar' && type.name === 'BLOB') {
    return `${element.typeLength ?? 0} bytes each`
  }
  return printType(type)
}
