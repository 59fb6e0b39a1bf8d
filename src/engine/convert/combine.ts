import { combineChanges, isKeptAsText } from '../../tables/combine/changes.ts'
import type { CombinedColumn, CombineInput, CombinePlan } from '../../tables/combine/plan.ts'
import type { ColumnPlan, Note, TablePlan, ValueFormat, WriteOptions } from '../../tables/plan.ts'
import { parseType, scalar, VARCHAR } from '../../tables/types.ts'
import { EngineError } from '../errors.ts'
import type { ConvertContext } from './carry.ts'
import { makeOutputs } from './convert.ts'
import { ColumnPlacement } from './placement.ts'
import { jsonFormFor, FOR_STATEMENT, plannedTable, type PlannedColumn, type PlannedTable } from './plan.ts'
import type { ConvertResult } from './protocol.ts'
import type { CombineRequest } from './calls.ts'
import type { CarriedColumn, OutputTablePlan, PlacedColumn, Placement, TableInput } from './transfer.ts'
import { extensionOf } from '../../tables/file-names.ts'

/**
 * Combines tables of several files into one output with one receipt. The files' rows follow one another, and each file
 * is checked as if it were converted alone. On any failure or cancellation, nothing is left behind.
 * @throws {EngineError} that names the file
 */
export async function combineFiles(
  files: readonly File[],
  request: CombineRequest,
  context: Omit<ConvertContext, 'locate'>,
): Promise<ConvertResult> {
  const table = combinedTable(files, request.shape ? { ...request, ...FOR_STATEMENT } : request)
  const name = `${request.name}.${extensionOf(request)}`
  return makeOutputs([{ name, tables: [table] }], `${request.name}.rejected.csv`, request, context)
}

/** The combined table of several files. */
export function combinedTable(
  files: readonly File[],
  request: Pick<CombineRequest, 'name' | 'inputs' | 'combine' | 'target' | 'options' | 'rowCount'>,
): OutputTablePlan {
  const { name, combine, options } = request
  const inputs = files.map((file, i): CombineInput => ({ file: file.name, ...request.inputs[i] }))
  const kept = combine.columns.map((column) => isKeptAsText(column, inputs, options))
  const planned = inputs.map((input, i) => plannedInput(input, i, combine, kept, options))
  const columns = combine.columns.map((column, i): CarriedColumn => {
    const { name: called } = column
    if (kept[i]) {
      const format = formatOf(column, inputs)
      return { name: called, type: VARCHAR, textOf: parseType(column.type), ...(format ? { textFormat: format } : {}) }
    }
    return { name: called, type: carriedType(called, planned) ?? parseType(column.type) }
  })
  const own = [
    ...(combine.fileColumn === null ? [] : [{ name: combine.fileColumn, type: VARCHAR }]),
    ...(combine.rowColumn === null ? [] : [{ name: combine.rowColumn, type: scalar('BIGINT') }]),
  ]
  return {
    name,
    columns: [...columns, ...own],
    checks: combine.columns.flatMap((column, index) => {
      const cells = column.cells.map((cell, i) => (cell === null ? undefined : tableOf(inputs[i]).columns[cell]))
      const different = new Map(cells.map((cell) => [JSON.stringify(cell?.checks), cell?.checks]))
      return [...different.values()].flatMap((checks) => (checks ? [{ ...columns[index], index, checks }] : []))
    }),
    ...(request.rowCount ? { rowCount: { check: request.rowCount, table: null } } : {}),
    changes: [...combineChanges(inputs, combine, request), ...once(planned.flatMap(({ changes }) => changes))],
    inputs: files.map((file, i): TableInput => {
      const { plan } = inputs[i]
      return {
        file,
        source: { format: plan.format, settings: plan.settings },
        planned: planned[i],
        placement: placementOf(file.name, i, combine, columns),
      }
    }),
  }
}

const tableOf = ({ plan, table }: CombineInput): TablePlan => plan.tables[table]

/** The format in which a column's text is read, if all inputs have the same. */
function formatOf({ cells }: CombinedColumn, inputs: readonly CombineInput[]): ValueFormat | undefined {
  const first = cells.findIndex((cell) => cell !== null)
  return first < 0 ? undefined : tableOf(inputs[first]).columns[cells[first] ?? -1]?.format
}

/** An input's columns that are part of the combined table, with its names and types. */
export function plannedInput(
  input: CombineInput,
  i: number,
  { columns }: Pick<CombinePlan, 'columns'>,
  kept: readonly boolean[],
  options: WriteOptions,
): PlannedTable {
  const table = input.plan.tables[input.table]
  const cells = columns.flatMap((column, at) => {
    const cell = column.cells[i]
    const own = cell === null ? undefined : table.columns[cell]
    return own ? [combinedColumn(own, column, kept[at])] : []
  })
  if (cells.length === 0) {
    throw new EngineError('invalid-plan', `No column of “${input.file}” is in the combined table.`, {
      remedy: 'Include one of its columns, or leave the file out.',
    })
  }
  const combined: TablePlan = { ...table, include: true, columns: cells }
  const formats = new Map(table.columns.map(({ index, format }) => [index, format]))
  // To split fixed rows into cells, all columns of the file are needed.
  const planned = plannedTable(combined, jsonFormFor(options))
  const read = planned.columns.map((column): PlannedColumn => {
    const format = column.format ? undefined : formats.get(column.index)
    return format ? { ...column, textFormat: format } : column
  })
  return { ...planned, columns: read, table }
}

function combinedColumn(own: ColumnPlan, { name, type }: CombinedColumn, kept: boolean): ColumnPlan {
  const { format, index, source } = own
  const read = kept ? 'VARCHAR' : type
  return { index, source, name, type: read, include: true, ...(format && read !== 'VARCHAR' ? { format } : {}) }
}

/** The type as which a column is read, without JSON if the output's format can't hold it. */
function carriedType(name: string, planned: readonly PlannedTable[]): CarriedColumn['type'] | undefined {
  for (const { columns } of planned) {
    const column = columns.find((each) => each.name === name)
    if (column) return column.type
  }
  return undefined
}

function placementOf(file: string, i: number, plan: CombinePlan, columns: readonly CarriedColumn[]): Placement {
  let next = 0
  const placed = plan.columns.map((column, at): PlacedColumn => {
    if (column.cells[i] === null) return { kind: 'missing', type: columns[at].type }
    return { kind: 'own', index: next++ }
  })
  if (plan.fileColumn !== null) placed.push({ kind: 'text', text: file })
  if (plan.rowColumn !== null) placed.push({ kind: 'row' })
  return new ColumnPlacement(placed)
}

function once(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()]
}
