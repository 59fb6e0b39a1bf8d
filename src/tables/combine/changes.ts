import type { FormatId } from '../../contract/formats.ts'
import { hasNames, isChange, nullTexts, unnamed, type Target } from '../changes/changes.ts'
import { typeWords } from '../type-names.ts'
import { retyped, rewritten } from '../changes/value-changes.ts'
import type { ColumnPlan, Note, TablePlan, WriteOptions } from '../plan.ts'
import { keepsText, readAsFound } from '../changes/verbatim.ts'
import { labelOf, type CombinedColumn, type CombineInput, type CombinePlan } from './plan.ts'
import { quotedList } from '../../lib/text.ts'

/** An input that has the column. */
interface Holder {
  readonly input: CombineInput
  readonly table: TablePlan
  readonly column: ColumnPlan
}

/** The inputs that have a column, each with its own column. */
function holdersOf({ cells }: CombinedColumn, inputs: readonly CombineInput[]): Holder[] {
  return inputs.flatMap((input, i) => {
    const table = input.plan.tables[input.table]
    const cell = cells[i]
    const column = cell === null || cell === undefined ? undefined : table?.columns[cell]
    return table && column ? [{ input, table, column }] : []
  })
}

/** Whether a column's values are written exactly as in the files, which requires that all files write them alike. */
export function isKeptAsText(column: CombinedColumn, inputs: readonly CombineInput[], options: WriteOptions): boolean {
  const holders = holdersOf(column, inputs)
  const formats = new Set(holders.map(({ column: { format } }) => JSON.stringify(format)))
  return (
    holders.length > 0 &&
    formats.size <= 1 &&
    holders.every(({ input, table, column: own }) => keepsText(input.plan, options) && readAsFound(table, own) !== null)
  )
}

/** The differences in form between the files and the combined table that follow from the plan. */
export function combineChanges(
  inputs: readonly CombineInput[],
  plan: CombinePlan,
  { target, options }: Target,
): Note[] {
  return [
    ...addedColumns(plan),
    ...plan.leftOut.map((column) => ({ code: 'column-left-out', message: 'You left this out.', column })),
    ...leftOutOfFiles(inputs),
    ...plan.columns.flatMap((column) => matchedNames(column, inputs)),
    ...plan.columns.flatMap((column) => missing(column, inputs)),
    ...plan.columns.flatMap((column) => {
      if (isKeptAsText(column, inputs, options)) return []
      return [...widened(column, inputs), ...values(column, inputs, target)]
    }),
    ...inputs.flatMap((input) => ofFile(input, options)),
  ]
}

function addedColumns({ fileColumn, rowColumn }: CombinePlan): Note[] {
  const said = [
    ...(fileColumn === null ? [] : [`“${fileColumn}” was added: the name of each row’s file.`]),
    ...(rowColumn === null ? [] : [`“${rowColumn}” was added: each row’s number in its file.`]),
  ]
  return said.map((message) => ({ code: 'column-added', message }))
}

function leftOutOfFiles(inputs: readonly CombineInput[]): Note[] {
  const files = new Map<string, string[]>()
  for (const input of inputs) {
    for (const { include, source, name } of input.plan.tables[input.table]?.columns ?? []) {
      if (include) continue
      const key = source || name
      files.set(key, [...(files.get(key) ?? []), labelOf(input)])
    }
  }
  return [...files].map(([column, labels]) => {
    return { code: 'column-left-out', message: `You left this out of ${quotedList(labels)}.`, column }
  })
}

function matchedNames(column: CombinedColumn, inputs: readonly CombineInput[]): Note[] {
  const byName = new Map<string, string[]>()
  for (const { input, table, column: own } of holdersOf(column, inputs)) {
    const name = hasNames(input.plan, table) ? own.source : own.name
    if (name !== column.name) byName.set(name, [...(byName.get(name) ?? []), labelOf(input)])
  }
  return [...byName].map(([name, labels]) => {
    const called = name === '' ? 'A column without a name' : `“${name}”`
    return { code: 'columns-matched', message: `${called} of ${quotedList(labels)} is “${column.name}”.` }
  })
}

function missing(column: CombinedColumn, inputs: readonly CombineInput[]): Note[] {
  const without = inputs.filter((_, i) => column.cells[i] === null)
  if (without.length === 0) return []
  const count = without.reduce((sum, { plan, table }) => sum + (plan.tables[table]?.found?.rows ?? 0), 0)
  const message = `Null in the rows of ${quotedList(without.map(labelOf))}, which ${without.length === 1 ? 'has' : 'have'} no such column.`
  return [{ code: 'column-missing', message, column: column.name, count }]
}

/** Reports the types that a column has in the files, if they aren't all the combined column's. */
function widened(column: CombinedColumn, inputs: readonly CombineInput[]): Note[] {
  const byType = new Map<string, string[]>()
  for (const { input, table, column: own } of holdersOf(column, inputs)) {
    if (isEmpty(table, own)) continue
    byType.set(own.type, [...(byType.get(own.type) ?? []), labelOf(input)])
  }
  const words = typeWords([column.type, column.was ?? column.type, ...byType.keys()])
  const [own, before, ...theirs] = words
  if (byType.size < 2) {
    const message = `“${own}”. In the recipe it was “${before}”.`
    return column.was === undefined ? [] : [{ code: 'type-widened', message, column: column.name }]
  }
  const was = column.was === undefined ? '' : ` In the recipe it was “${before}”.`
  const found = [...byType.values()].map((labels, i) => `“${theirs[i]}” in ${quotedList(labels)}`).join('; ')
  const message =
    column.type === 'VARCHAR'
      ? `Text as written in the files, since no other type fits all of theirs (${found}).${was}`
      : `“${own}”, which holds the values of all files (${found}).${was}`
  return [{ code: 'type-widened', message, column: column.name }]
}

const isEmpty = (table: TablePlan, column: ColumnPlan): boolean =>
  readAsFound(table, column)?.flags.includes('empty') ?? false

function values(column: CombinedColumn, inputs: readonly CombineInput[], target: FormatId): Note[] {
  return holdersOf(column, inputs).flatMap(({ table, column: own }) => {
    // As text, values stay unchanged.
    const isText = column.type === 'VARCHAR' && own.type !== 'VARCHAR'
    const notes = [...retyped(table, own), ...(isText ? [] : rewritten(table, own, target, column.type))]
    return notes.map((note) => ({ ...note, column: column.name }))
  })
}

function ofFile(input: CombineInput, options: WriteOptions): Note[] {
  const { plan } = input
  const table = plan.tables[input.table]
  if (!table) return []
  const included = table.columns.filter(({ include }) => include)
  const names = included.map(({ name }) => name)
  const label = `“${labelOf(input)}”`
  const rows = (table.found?.notes ?? []).filter(isChange)
  return [
    ...rows.map((note) => ({ ...note, message: `${label}: ${note.message}` })),
    ...unnamed(plan, table, included, names, label),
    ...nullTexts(plan, table, included, options),
  ]
}
