import type {
  ColumnPatch,
  ColumnPlan,
  ImportPlan,
  InspectedColumn,
  InspectedTable,
  TablePlan,
  Inspection,
  ValueFormat,
} from './plan.ts'
import { tidyChecks } from './checks.ts'
import { isNumeric, isTemporal } from './types.ts'
import { type Mends, mendsForOthers } from './mends.ts'
import { planFrom } from './plan.ts'

/** What the person changed of one column. Named by what stands in the file, so that it holds for next month's file. */
export interface ColumnEdit extends ColumnPatch {
  readonly source: string
  /** Which of the columns of that name, from 0. */
  readonly nth: number
}

interface TableEdit {
  /** Sheet name; null where a file is one table. */
  readonly table: string | null
  readonly include?: boolean
  readonly columns: readonly ColumnEdit[]
  readonly mends?: Mends
}

/** All that the person changed of the columns and sheets that were found. Plain data. */
export type Edits = readonly TableEdit[]

export const NO_EDITS: Edits = []

/** What an edit finds its column by: the name in the file, and which of those of that name it is. */
export const keyOf = (source: string, nth: number): string => `${nth}:${source}`

/** Which of the columns of its own name each column is, from 0. */
export function occurrences(columns: readonly { readonly source: string }[]): number[] {
  const seen = new Map<string, number>()
  return columns.map(({ source }) => {
    const nth = seen.get(source) ?? 0
    seen.set(source, nth + 1)
    return nth
  })
}

/** The plan that takes what was found, as the person changed it. Changes of columns that aren't there do nothing. */
export function applyEdits(inspection: Inspection, edits: Edits): ImportPlan {
  const plan = planFrom(inspection)
  if (edits.length === 0) return plan
  return {
    ...plan,
    tables: plan.tables.map((table, index) => {
      const edit = edits.find((candidate) => candidate.table === table.name)
      const found = inspection.tables[index]
      if (!edit || !found) return table
      const byKey = new Map(edit.columns.map((column) => [keyOf(column.source, column.nth), column]))
      const nth = occurrences(found.columns)
      return {
        ...table,
        include: edit.include ?? table.include,
        ...(edit.mends ? { mends: edit.mends } : {}),
        ...missingOf(edit, found, nth),
        columns: table.columns.map((column, i) => {
          const change = byKey.get(keyOf(column.source, nth[i] ?? 0))
          return change ? editedColumn(column, change, found.columns[i]) : column
        }),
      }
    }),
  }
}

/** Columns that are to be checked, and that aren't among those that were found. */
function missingOf(edit: TableEdit, found: InspectedTable, nth: readonly number[]): Pick<TablePlan, 'missing'> {
  const known = new Set(found.columns.map(({ source }, i) => keyOf(source, nth[i] ?? 0)))
  const missing = edit.columns.filter(
    (column) => column.checks && column.include !== false && !known.has(keyOf(column.source, column.nth)),
  )
  return missing.length > 0 ? { missing: missing.map(({ source }) => source) } : {}
}

export function editedColumn(column: ColumnPlan, edit: ColumnPatch, found: InspectedColumn | undefined): ColumnPlan {
  const type = edit.type ?? column.type
  const format = formatFor(type, edit.format ?? (type === column.type ? column.format : likelyFormat(found)))
  return {
    index: column.index,
    source: column.source,
    name: edit.name ?? column.name,
    type,
    include: edit.include ?? column.include,
    ...(format ? { format } : {}),
    ...(edit.checks ? { checks: edit.checks } : {}),
  }
}

/** How a column's text would be read as another type than the one that was found. */
const likelyFormat = (found: InspectedColumn | undefined): ValueFormat => ({ ...found?.likely, ...found?.format })

const NUMBER_PARTS = ['decimalMark', 'grouping', 'unit', 'percent', 'scaled', 'negative']
const ANY_PARTS = ['nullValues', 'trim', 'formulas']

/** What of a format says something of a type. */
function formatFor(type: string, format: ValueFormat | undefined): ValueFormat | undefined {
  const own = isNumeric(type)
    ? NUMBER_PARTS
    : isTemporal(type)
      ? ['dateFormat']
      : type === 'BOOLEAN'
        ? ['trueValues', 'falseValues']
        : []
  const kept = Object.entries(format ?? {}).filter(([key]) => own.includes(key) || ANY_PARTS.includes(key))
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as ValueFormat)
}

/** Edits with one more change of a column; a change back to what was found is no edit any more. */
export function editColumn(edits: Edits, table: InspectedTable, index: number, patch: ColumnPatch): Edits {
  const column = table.columns[index]
  if (!column) return edits
  const nth = occurrences(table.columns)[index] ?? 0
  return withTable(edits, table.name, (edit) => {
    const same = (candidate: ColumnEdit): boolean => candidate.source === column.source && candidate.nth === nth
    const old = edit.columns.find(same) ?? { source: column.source, nth }
    const next = tidy({ ...old, ...patch }, column)
    const others = edit.columns.filter((candidate) => !same(candidate))
    return { ...edit, columns: next ? [...others, next] : others }
  })
}

/** One change for every column of a table: include all, none. */
export function editAllColumns(edits: Edits, table: InspectedTable, patch: ColumnPatch): Edits {
  const nth = occurrences(table.columns)
  return withTable(edits, table.name, (edit) => {
    const old = new Map(edit.columns.map((column) => [keyOf(column.source, column.nth), column]))
    const columns = table.columns.flatMap((column, i) => {
      const place = { source: column.source, nth: nth[i] ?? 0 }
      const next = tidy({ ...(old.get(keyOf(place.source, place.nth)) ?? place), ...patch }, column)
      return next ? [next] : []
    })
    return { ...edit, columns }
  })
}

export function editMends(edits: Edits, table: string | null, mends: Mends): Edits {
  return withTable(edits, table, (edit) => {
    const { mends: _, ...rest } = edit
    return hasMends(mends) ? { ...rest, mends } : rest
  })
}

const hasMends = ({ rows, replacements, putBack, atEnd = false }: Mends): boolean =>
  rows.length + replacements.length > 0 || putBack || atEnd

/** Edits as they hold for other files with the same columns. */
export function editsForOthers(edits: Edits): Edits {
  return edits.flatMap(({ mends, ...edit }) => {
    const kept = mends && mendsForOthers(mends)
    if (kept) return [{ ...edit, mends: kept }]
    return isEmpty(edit) ? [] : [edit]
  })
}

export function editTable(edits: Edits, table: string | null, include: boolean): Edits {
  return withTable(edits, table, (edit) => ({ ...edit, include }))
}

function withTable(edits: Edits, table: string | null, change: (edit: TableEdit) => TableEdit): Edits {
  const old = edits.find((edit) => edit.table === table) ?? { table, columns: [] }
  const next = change(old)
  const others = edits.filter((edit) => edit.table !== table)
  return isEmpty(next) ? others : [...others, next]
}

const isEmpty = ({ columns, include, mends }: TableEdit): boolean =>
  columns.length === 0 && include === undefined && mends === undefined

/** The edit without what says the same as the file; null when nothing is left of it. */
function tidy(edit: ColumnEdit, column: InspectedColumn): ColumnEdit | null {
  const { source, nth, name, type, include, format } = edit
  const checks = edit.checks && tidyChecks(edit.checks)
  const differs = {
    ...(name !== undefined && name !== column.name ? { name } : {}),
    ...(type !== undefined && type !== column.type ? { type } : {}),
    ...(include === false ? { include } : {}),
    ...(format !== undefined && JSON.stringify(format) !== JSON.stringify(column.format) ? { format } : {}),
    ...(checks ? { checks } : {}),
  }
  return Object.keys(differs).length === 0 ? null : { source, nth, ...differs }
}

/** What would stop a table from being converted, as the engine would say it; empty when nothing does. */
export function planProblems(plan: ImportPlan): string[] {
  const tables = plan.tables.filter((table) => table.include)
  if (tables.length === 0) return ['No sheet is chosen. Choose at least one.']
  return tables.flatMap((table) => {
    const where = table.name === null ? '' : ` in sheet “${table.name}”`
    const columns = table.columns.filter((column) => column.include)
    if (columns.length === 0) return [`Every column${where} is left out. Include at least one.`]
    const seen = new Set<string>()
    const problems = new Set<string>()
    for (const { name } of columns) {
      if (name === '') problems.add(`A column${where} has no name.`)
      else if (seen.has(name)) problems.add(`Two columns${where} are named “${name}”.`)
      seen.add(name)
    }
    return [...problems]
  })
}
