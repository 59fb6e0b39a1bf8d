import { isJsonObject } from '../lib/json.ts'
import { applyEdits, editColumn, editedColumn, type Edits } from './edits.ts'
import { columnAt } from './plan.ts'
import type { ColumnPatch, ColumnPlan, ImportPlan, InspectedColumn, Inspection, Proposal } from './plan.ts'
import { type InspectRequest, mergeSettings } from './inspect-request.ts'

/** A proposal with its place: a column, a table, or the file (both null). */
export interface PlacedProposal {
  readonly table: number | null
  /** The column's index in the file. */
  readonly column: number | null
  readonly proposal: Proposal
}

/**
 * Proposals that are still open: for included tables, and columns that the user hasn't changed in that respect.
 * @param request what the user set about reading; until the file is read again, the inspection still proposes it
 */
export function openProposals(
  inspection: Inspection,
  plan: ImportPlan,
  request: InspectRequest = {},
): PlacedProposal[] {
  const ofFile = (inspection.proposals ?? []).map((proposal) => ({ table: null, column: null, proposal }))
  const ofTables = inspection.tables.flatMap((found, table) => {
    const planned = plan.tables[table]
    if (planned?.include !== true) return []
    return [
      ...(found.proposals ?? []).map((proposal) => ({ table, column: null, proposal })),
      ...found.columns.flatMap((column) =>
        openOf(column, columnAt(planned.columns, column.index)).map((proposal) => ({
          table,
          column: column.index,
          proposal,
        })),
      ),
    ]
  })
  return [...ofFile, ...ofTables].filter(
    ({ proposal: { change } }) =>
      change.kind !== 'reading' || !same(mergeSettings(request, change.settings).settings, request.settings),
  )
}

/** A column's proposals that would have an effect and don't conflict with changes already made. */
export function openOf(column: InspectedColumn, planned: ColumnPlan | undefined): readonly Proposal[] {
  const proposals = column.proposals ?? []
  if (proposals.length === 0 || planned?.include !== true) return []
  const set = setOf(column, planned)
  return proposals.filter(({ change }) => {
    if (change.kind === 'reading') return true
    const next = editedColumn(planned, withPatch(set, change.patch), column)
    return (
      !share(set, change.patch) && (next.name !== planned.name || next.type !== planned.type || adds(next, planned))
    )
  })
}

/** The changes of a column from what was found. */
const setOf = (column: InspectedColumn, planned: ColumnPlan): ColumnPatch => ({
  ...(planned.name === column.name ? {} : { name: planned.name }),
  ...(planned.type === column.type ? {} : { type: planned.type }),
  ...(adds(planned, column) ? { format: Object.fromEntries(added(planned, column)) } : {}),
})

type Formatted = Pick<ColumnPlan, 'format'>

/** What a format sets that another lacks or sets differently. */
function added({ format = {} }: Formatted, other: Formatted): [string, unknown][] {
  const before = new Map<string, unknown>(Object.entries(other.format ?? {}))
  return Object.entries(format).filter(([key, value]) => !same(value, before.get(key)))
}
const adds = (one: Formatted, other: Formatted): boolean => added(one, other).length > 0

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** From this number of columns on, equal proposals are shown as one. */
const MANY = 4

/** Groups proposals for display: alone, or equal ones for many columns of a table. */
export function grouped(placed: readonly PlacedProposal[]): [PlacedProposal, ...PlacedProposal[]][] {
  const alike = new Map<string, PlacedProposal[]>()
  // A choice's label has the column's own first value.
  const keyOf = ({ table, column, proposal: { label, ambiguous, code, change } }: PlacedProposal): string | null =>
    column === null
      ? null
      : ambiguous && change.kind === 'column' && change.patch.type !== undefined
        ? `${table}/${code} ${JSON.stringify(change.patch)}`
        : `${table}/${label}`
  for (const each of placed) {
    const key = keyOf(each)
    if (key !== null) alike.set(key, [...(alike.get(key) ?? []), each])
  }
  return placed.flatMap((each): [PlacedProposal, ...PlacedProposal[]][] => {
    const group = alike.get(keyOf(each) ?? '') ?? []
    if (group.length < MANY) return [[each]]
    return group[0] === each ? [[each, ...group.slice(1)]] : []
  })
}

/** The proposals that can be applied together: the first of mutually exclusive ones, and no ambiguous ones. */
export function compatible(placed: readonly PlacedProposal[]): PlacedProposal[] {
  const taken: PlacedProposal[] = []
  for (const each of placed) {
    if (!each.proposal.ambiguous && !taken.some((other) => exclude(other, each))) taken.push(each)
  }
  return taken
}

function exclude(a: PlacedProposal, b: PlacedProposal): boolean {
  const [one, other] = [a.proposal.change, b.proposal.change]
  if (one.kind === 'column' && other.kind === 'column') {
    return a.table === b.table && a.column === b.column && share(one.patch, other.patch)
  }
  return one.kind === 'reading' && other.kind === 'reading' && share(one.settings, other.settings)
}

/** Whether both set the same property to different values; settings by sheet are compared by sheet. */
function share(a: object, b: object): boolean {
  const others = new Map<string, unknown>(Object.entries(b))
  return Object.entries(a).some(([key, value]: [string, unknown]) => {
    if (!others.has(key)) return false
    const other = others.get(key)
    return isJsonObject(value) && isJsonObject(other) ? share(value, other) : !same(value, other)
  })
}

/** What is set for a file. */
interface FileSettings {
  readonly request: InspectRequest
  readonly edits: Edits
}

/** Proposals that were applied in one step, and the settings before. */
export interface AppliedStep {
  readonly count: number
  readonly before: FileSettings
}

/** The settings of a file, and the steps that led to them, latest last. */
export interface SettingsWithSteps extends FileSettings {
  readonly applied: readonly AppliedStep[]
}

/**
 * Applies proposals as one step that can be undone: as edits of columns, or as changes of how the file is read. If the
 * request is another object afterwards, the file must be read again.
 */
export function applyProposals(
  inspection: Inspection,
  { request, edits, applied }: SettingsWithSteps,
  placed: readonly PlacedProposal[],
): SettingsWithSteps {
  const next = { request, edits }
  const plan = applyEdits(inspection, edits)
  const patches = new Map<string, ColumnPatch>()
  for (const { table, column, proposal } of placed) {
    if (proposal.change.kind === 'reading') {
      next.request = mergeSettings(next.request, proposal.change.settings)
      continue
    }
    if (table === null || column === null) continue
    const found = inspection.tables[table]
    const of = columnAt(found?.columns ?? [], column)
    const planned = columnAt(plan.tables[table]?.columns ?? [], column)
    if (!found || !of || !planned) continue
    const key = `${table}/${column}`
    const patch = withPatch(patches.get(key) ?? setOf(of, planned), proposal.change.patch)
    patches.set(key, patch)
    next.edits = editColumn(next.edits, found, column, patch)
  }
  return { ...next, applied: [...applied, { count: grouped(placed).length, before: { request, edits } }] }
}

/** Merges a proposal's patch with earlier ones: each sets only a part of the format. */
const withPatch = (before: ColumnPatch, { format, ...patch }: ColumnPatch): ColumnPatch => ({
  ...before,
  ...patch,
  ...(format ? { format: { ...before.format, ...format } } : {}),
})

/**
 * The edits after the file was read again for the last step, without null values and trimming of that step which no
 * column still asks for: with the total row left out, its empty text needn't be null.
 */
export function neededEdits(inspection: Inspection, { edits, applied }: Pick<SettingsWithSteps, 'edits' | 'applied'>) {
  const last = applied.at(-1)
  if (!last) return edits
  const [before, after] = [last.before.edits, edits].map((each) => applyEdits(inspection, each).tables)
  return inspection.tables.reduce((all, found, table) => {
    const columnsOf = (tables: ImportPlan['tables'] | undefined): readonly ColumnPlan[] =>
      tables?.[table]?.columns ?? []
    return found.columns.reduce((some, column) => {
      const [old, now] = [before, after].map((tables) => columnAt(columnsOf(tables), column.index))
      const { nullValues, trim, ...format } = now?.format ?? {}
      if (!nullValues && !trim) return some
      const known = [column, ...(old ? [old] : []), ...(column.proposals ?? []).map(({ change }) => patchOf(change))]
      const nulls = nullValues?.filter((word) => known.some((each) => each.format?.nullValues?.includes(word))) ?? []
      const trims = trim && known.some((each) => each.format?.trim)
      if (nulls.length === (nullValues?.length ?? 0) && trims === trim) return some
      const kept = { ...format, ...(nulls.length > 0 ? { nullValues: nulls } : {}), ...(trims ? { trim } : {}) }
      return editColumn(some, found, column.index, { format: Object.keys(kept).length > 0 ? kept : column.format })
    }, all)
  }, edits)
}

const patchOf = (change: Proposal['change']): ColumnPatch => (change.kind === 'column' ? change.patch : {})

/** Returns to the settings before the last step; null if there is none. */
export function undoProposals({ applied }: Pick<SettingsWithSteps, 'applied'>): SettingsWithSteps | null {
  const last = applied.at(-1)
  return last ? { ...last.before, applied: applied.slice(0, -1) } : null
}
