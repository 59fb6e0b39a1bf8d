import { formatCount } from '../../../lib/counts.ts'
import { columnNames } from '../../../tables/names.ts'
import type { ColumnFlag, InspectedColumn, Inspection, Note } from '../../../tables/plan.ts'
import { isNested, printType, sameType } from '../../../tables/types.ts'
import { normalizeBatch } from '../../arrow/normalize.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { EngineError } from '../../errors.ts'
import type { EngineContext, FormatReader, ReadBatch, ReadRequest } from '../types.ts'
import { openInLibrary, project, readGroups } from './batches.ts'
import { rowGroupParts } from './bounds.ts'
import { CODECS, PHYSICAL, type Footer } from './footer.ts'
import { applyRules } from '../shared/leaf-rules.ts'
import { neutralName } from './neutral.ts'
import { openFile, type OpenedFile } from './open.ts'
import { release } from './wasm.ts'
import { fileTypeName, type ParquetColumn, type TypedColumn } from './schema.ts'

/** Reads Parquet: its types are the file's own, and its footer tells them without a look at the rows. */
export const parquetReader: FormatReader = {
  format: 'parquet',
  convertsTypes: false,
  inspect,
  read,
  parts: rowGroupParts,
}

async function inspect(file: File, _given: unknown, context: EngineContext): Promise<Inspection> {
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

function reasonOf(column: ParquetColumn, { type, asText }: TypedColumn): string {
  const own = fileTypeName(column, type)
  const text = asText
    ? '; its values have more digits than a number or timestamp can carry, so they are kept as text'
    : ''
  return own.startsWith('no type') ? `The file gives it ${own}.` : `The file says ${own}${text}.`
}

function columnFlags(
  footer: Footer,
  column: ParquetColumn,
  { type, asText }: TypedColumn,
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

/** By the statistics, where there are any. */
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

function columnNotes(name: string, column: ParquetColumn, typed: TypedColumn): Note[] {
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

async function* read(file: File, request: ReadRequest, context: EngineContext): AsyncGenerator<ReadBatch> {
  const opened = await openFile(file, context)
  const { footer, leaves, neutral } = opened
  checkRequest(opened, request)
  const types = request.columns.map(({ type }) => type)
  const names = request.columns.map(({ source }) => source)
  const projection = project(
    leaves,
    request.columns.map(({ index }) => neutralName(index)),
  )
  const places = new Map(projection.columns.map((index, place) => [index, place]))
  const library = await openInLibrary(neutral)
  const sizes = footer.rowGroups.map((group) => group.columns.reduce((sum, chunk) => sum + chunk.compressed, 0))
  let bytes = 0
  let rows = 0
  try {
    const { limit } = request
    for await (const { batch, group, rows: inGroup } of readGroups(
      library,
      footer,
      projection,
      context.signal,
      request,
    )) {
      const chosen = request.columns.map(({ index }) =>
        applyRules(batch.data.children[places.get(index) ?? -1], opened.typed[index].rules),
      )
      const done = sizes.slice(0, group).reduce((sum, size) => sum + size, 0)
      bytes = Math.round(done + (sizes[group] * inGroup) / footer.rowGroups[group].rows)
      rows += batch.numRows
      context.progress({ bytes, rows })
      yield {
        batch: normalizeBatch(batchFromColumns(chosen, batch.numRows), types, undefined, names),
        rejected: [],
        bytes,
      }
    }
    if (limit === undefined || rows < limit) context.progress({ bytes: file.size, rows })
  } finally {
    release(library)
  }
}

function checkRequest({ columns, typed }: OpenedFile, request: ReadRequest): void {
  for (const { index, type, source } of request.columns) {
    if (!columns[index]) throw new EngineError('invalid-plan', `The file has no column number ${index + 1}.`)
    if (!sameType(type, typed[index].type)) {
      throw new EngineError('invalid-plan', `“${source}” is ${printType(typed[index].type)}, not ${printType(type)}.`)
    }
  }
}
