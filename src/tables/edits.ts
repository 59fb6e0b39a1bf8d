import { columnAt } from './plan.ts'
import type {
  ColumnPatch,
  ColumnPlan,
  ImportPlan,
  InspectedColumn,
  InspectedTable,
  TablePlan,
  Inspection,
  ValueFormat,
  Mends,
} from './plan.ts'
import { foldName } from '../lib/names.ts'
import { isNumeric, isTemporal } from './types.ts'
import { MINUTES_PATTERN } from './meaning.ts'
import { mendsForOthers } from './mends.ts'
import { tidyChecks } from './checking.ts'

/**
 * The user's changes to one column. It's identified by its name in the file, so that they also apply to next month's
 * file.
 */
export interface ColumnEdit extends ColumnPatch {
  readonly source: string
  /** Index among the columns with that name, from 0. */
  readonly nth: number
}

interface TableEdit {
  /** Sheet name; null for a file with a single table. */
  readonly table: string | null
  readonly include?: boolean
  readonly columns: readonly ColumnEdit[]
  readonly mends?: Mends
}

/** The user's changes to the columns and sheets that were found. Plain data. */
export type Edits = readonly TableEdit[]

export const NO_EDITS: Edits = []

/** Key of a column: its name in the file, and its index among those with that name. */
export const keyOf = (source: string, nth: number): string => `${nth}:${source}`

/** For each column, its index among the columns with the same name, from 0. */
export function occurrences(columns: readonly { readonly source: string }[]): number[] {
  const seen = new Map<string, number>()
  return columns.map(({ source }) => {
    const nth = seen.get(source) ?? 0
    seen.set(source, nth + 1)
    return nth
  })
}

type Placed = readonly [source: string, nth: number]

/** Finds what is known of a column by its exact name, else by a unique match that differs only in case. */
export function columnFinder<T extends { readonly source: string; readonly nth: number }>(
  known: readonly T[],
  found: readonly Placed[],
): (...column: Placed) => T | null {
  const byKey = new Map(known.map((each) => [keyOf(each.source, each.nth), each]))
  const keys = new Set(found.map((column) => keyOf(...column)))
  const folded = new Map<string, T | null>()
  for (const each of known.filter(({ source, nth }) => !keys.has(keyOf(source, nth)))) {
    const key = foldName(each.source)
    folded.set(key, folded.has(key) ? null : each)
  }
  if (folded.size === 0) return (...column) => byKey.get(keyOf(...column)) ?? null
  const times = new Map<string, number>()
  for (const [source] of found) times.set(foldName(source), (times.get(foldName(source)) ?? 0) + 1)
  return (...column) => {
    const key = foldName(column[0])
    return byKey.get(keyOf(...column)) ?? (times.get(key) === 1 ? (folded.get(key) ?? null) : null)
  }
}

/** A table's columns with their occurrences. */
function placed(columns: readonly { readonly source: string }[]): Placed[] {
  const nth = occurrences(columns)
  return columns.map(({ source }, i) => [source, nth[i] ?? 0])
}

/** The plan for what was found, with the user's changes. Changes of missing columns have no effect. */
export function applyEdits(inspection: Inspection, edits: Edits): ImportPlan {
  const plan = planFrom(inspection)
  if (edits.length === 0) return plan
  return {
    ...plan,
    tables: plan.tables.map((table, index) => {
      const edit = edits.find((candidate) => candidate.table === table.name)
      const found = inspection.tables[index]
      if (!edit || !found) return table
      const columns = placed(found.columns)
      const editOf = columnFinder(edit.columns, columns)
      return {
        ...table,
        include: edit.include ?? table.include,
        ...(edit.mends ? { mends: edit.mends } : {}),
        ...missingOf(edit, columns, editOf),
        columns: table.columns.map((column, i) => {
          const change = columns[i] ? editOf(...columns[i]) : null
          return change ? editedColumn(column, change, found.columns[i]) : column
        }),
      }
    }),
  }
}

/** Columns with checks that aren't in the file. */
function missingOf(
  edit: TableEdit,
  columns: readonly Placed[],
  editOf: (...column: Placed) => ColumnEdit | null,
): Pick<TablePlan, 'missing'> {
  const known = new Set(columns.map((column) => editOf(...column)))
  const missing = edit.columns.filter((column) => column.checks && column.include !== false && !known.has(column))
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

/** The format to start from if the user chooses another type. */
const likelyFormat = (found: InspectedColumn | undefined): ValueFormat => ({ ...found?.likely, ...found?.format })

const NUMBER_PARTS = ['decimalMark', 'grouping', 'unit', 'percent', 'scaled', 'sizes', 'negative']
const ANY_PARTS = ['nullValues', 'trim', 'formulas', 'apostrophes', 'fillDown']

/** The parts of a format that apply to a type. */
function formatFor(type: string, format: ValueFormat | undefined): ValueFormat | undefined {
  const own = isNumeric(type)
    ? NUMBER_PARTS
    : isTemporal(type)
      ? ['dateFormat']
      : type === 'INTERVAL' && format?.dateFormat === MINUTES_PATTERN
        ? ['dateFormat']
        : type === 'BOOLEAN'
          ? ['trueValues', 'falseValues']
          : []
  const kept = Object.entries(format ?? {}).filter(([key]) => own.includes(key) || ANY_PARTS.includes(key))
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as ValueFormat)
}

/**
 * Adds a change of a column. A change back to what was found removes the edit.
 * @param index the column's in the file
 */
export function editColumn(edits: Edits, table: InspectedTable, index: number, patch: ColumnPatch): Edits {
  const column = columnAt(table.columns, index)
  if (!column) return edits
  const columns = placed(table.columns)
  const [source, nth] = columns[table.columns.indexOf(column)] ?? [column.source, 0]
  return withTable(edits, table.name, (edit) => {
    const old = columnFinder(edit.columns, columns)(source, nth)
    const next = tidy({ ...old, source, nth, ...patch }, column)
    const others = edit.columns.filter((candidate) => candidate !== old)
    return { ...edit, columns: next ? [...others, next] : others }
  })
}

/** Applies the same change to all columns of a table. */
export function editAllColumns(edits: Edits, table: InspectedTable, patch: ColumnPatch): Edits {
  const all = placed(table.columns)
  return withTable(edits, table.name, (edit) => {
    const editOf = columnFinder(edit.columns, all)
    const columns = table.columns.flatMap((column, i) => {
      const [source, nth] = all[i] ?? [column.source, 0]
      const next = tidy({ ...editOf(source, nth), source, nth, ...patch }, column)
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

/** The edits that also apply to other files with the same columns. */
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

/** Drops what is the same as in the file; null if nothing is left. */
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

/** The problems that would stop the conversion, in the engine's words; empty if there are none. */
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

/**
 * The plan for an inspection without changes: all columns of all visible tables, or of hidden ones if no other has
 * columns.
 */
export function planFrom(inspection: Inspection): ImportPlan {
  const isAnyShown = inspection.tables.some((table) => !table.hidden && table.columns.length > 0)
  return {
    format: inspection.format,
    settings: inspection.settings,
    tables: inspection.tables.map((table) => ({
      name: table.name,
      include: table.columns.length > 0 && !(table.hidden && isAnyShown),
      found: {
        rows: table.rows + table.rejectedCount,
        notes: [...inspection.notes, ...table.notes],
        columns: table.columns,
        ...(table.flattened ? { flattened: table.flattened } : {}),
      },
      columns: table.columns.map(({ index, source, name, type, format }) => ({
        index,
        source,
        name,
        type,
        include: true,
        ...(format ? { format } : {}),
      })),
    })),
  }
}
