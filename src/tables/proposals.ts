import { isJsonObject } from '../lib/json.ts'
import { applyEdits, editColumn, editedColumn, type Edits } from './edits.ts'
import type { ColumnPatch, ColumnPlan, ImportPlan, InspectedColumn, Inspection, Proposal } from './plan.ts'
import { type InspectRequest, mergeSettings } from './settings.ts'

/** A proposal and what it is about: a column of a table, a table, or the file (both null). */
export interface PlacedProposal {
  readonly table: number | null
  /** Position in the table's columns. */
  readonly column: number | null
  readonly proposal: Proposal
}

/** What is still to be decided: of tables and columns that are included, and that the person hasn't changed. */
export function openProposals(inspection: Inspection, plan: ImportPlan): PlacedProposal[] {
  const ofFile = (inspection.proposals ?? []).map((proposal) => ({ table: null, column: null, proposal }))
  const ofTables = inspection.tables.flatMap((found, table) => {
    const planned = plan.tables[table]
    if (planned?.include !== true) return []
    return [
      ...(found.proposals ?? []).map((proposal) => ({ table, column: null, proposal })),
      ...found.columns.flatMap((column) =>
        openOf(column, planned.columns[column.index]).map((proposal) => ({ table, column: column.index, proposal })),
      ),
    ]
  })
  return [...ofFile, ...ofTables]
}

/** A column's proposals that would change it still, and none of what was changed by the person or another proposal. */
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

/** What of a column isn't as it was found. */
const setOf = (column: InspectedColumn, planned: ColumnPlan): ColumnPatch => ({
  ...(planned.name === column.name ? {} : { name: planned.name }),
  ...(planned.type === column.type ? {} : { type: planned.type }),
  ...(adds(planned, column) ? { format: Object.fromEntries(added(planned, column)) } : {}),
})

type Formatted = Pick<ColumnPlan, 'format'>

/** What one says of how values are read that the other doesn't say, or says otherwise. */
function added({ format = {} }: Formatted, other: Formatted): [string, unknown][] {
  const before = new Map<string, unknown>(Object.entries(other.format ?? {}))
  return Object.entries(format).filter(([key, value]) => !same(value, before.get(key)))
}
const adds = (one: Formatted, other: Formatted): boolean => added(one, other).length > 0

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** From so many columns on, what is proposed of each alike is one proposal over all of them. */
const MANY = 4

/** Proposals as people decide about them: alone, or the same one of many columns of a table. */
export function grouped(placed: readonly PlacedProposal[]): [PlacedProposal, ...PlacedProposal[]][] {
  const alike = new Map<string, PlacedProposal[]>()
  const keyOf = ({ table, column, proposal }: PlacedProposal): string | null =>
    column === null ? null : `${table}/${proposal.label}`
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

/** Those that can be applied together: of two that exclude each other the first, and none that is ambiguous. */
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

/** Whether both say something of the same, and not the same of it; what is set sheet by sheet is compared so. */
function share(a: object, b: object): boolean {
  const others = new Map<string, unknown>(Object.entries(b))
  return Object.entries(a).some(([key, value]: [string, unknown]) => {
    if (!others.has(key)) return false
    const other = others.get(key)
    return isJsonObject(value) && isJsonObject(other) ? share(value, other) : !same(value, other)
  })
}

/** What is set about a file. */
interface FileSettings {
  readonly request: InspectRequest
  readonly edits: Edits
}

/** Proposals that were applied with one button, and what was set before them. */
export interface AppliedStep {
  readonly count: number
  readonly before: FileSettings
}

/** What is set about a file, and the steps that it came from: the last ones last. */
export interface SettingsWithSteps extends FileSettings {
  readonly applied: readonly AppliedStep[]
}

/**
 * Applies proposals, as one step that can be undone: an ordinary edit of a column each, or an ordinary change of how the
 * file is read. Where the request isn't the same object as before, the file has to be read again.
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
    const [of, planned] = [found?.columns[column], plan.tables[table]?.columns[column]]
    if (!found || !of || !planned) continue
    const key = `${table}/${column}`
    const patch = withPatch(patches.get(key) ?? setOf(of, planned), proposal.change.patch)
    patches.set(key, patch)
    next.edits = editColumn(next.edits, found, column, patch)
  }
  return { ...next, applied: [...applied, { count: grouped(placed).length, before: { request, edits } }] }
}

/** What a proposal says of a column beside what is set of it: each says but a part of how its values are read. */
const withPatch = (before: ColumnPatch, { format, ...patch }: ColumnPatch): ColumnPatch => ({
  ...before,
  ...patch,
  ...(format ? { format: { ...before.format, ...format } } : {}),
})

/** Back to what was set before the last step; null where there is none. */
export function undoProposals({ applied }: Pick<SettingsWithSteps, 'applied'>): SettingsWithSteps | null {
  const last = applied.at(-1)
  return last ? { ...last.before, applied: applied.slice(0, -1) } : null
}
