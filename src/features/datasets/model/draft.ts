import type { Problem } from '../../shared/problem.ts'
import { formatInfo } from '../../../contract/formats.ts'
import { isServiceFormat, MAX_FILE_BYTES } from '../../../contract/limits.ts'
import type { Column, ServiceFormat, Visibility } from '../../../contract/schemas.ts'
import type { InspectProgress } from '../../../engine/client.ts'
import type { IncomingTable } from '../../../session/handover.ts'
import { isAside } from '../../../tables/combine/asides.ts'
import { applyEdits, editColumn, editTable, type Edits, NO_EDITS } from '../../../tables/edits.ts'
import type { ColumnPatch, ImportPlan, InspectedTable, Inspection, RejectedRow } from '../../../tables/plan.ts'
import { neededEdits, type AppliedStep } from '../../../tables/proposals.ts'
import { foldName, freeName, proposeName } from './names.ts'
import { compressedBy } from '../../../tables/settings.ts'
import type { InspectRequest } from '../../../tables/inspect-request.ts'

/* A dataset that isn't created yet: files, and their tables. Plain data, except for the files. */

export interface DraftFile {
  readonly id: string
  readonly file: File
  readonly state:
    | { readonly kind: 'reading'; readonly progress: InspectProgress | null }
    | { readonly kind: 'read'; readonly inspection: Inspection; readonly plan: ImportPlan }
    | { readonly kind: 'failed'; readonly problem: Problem }
  /** The person's changes of columns, made here or earlier. */
  readonly edits: Edits
  /** The person's settings for reading, made here or earlier. */
  readonly request: InspectRequest
  /** Proposals that were applied, the latest last; cleared when something else changes. */
  readonly applied: readonly AppliedStep[]
  /** The last inspection, also shown while the file is read again. */
  readonly found: Inspection | null
  /** SHA-256 of its bytes; null until it's known. */
  readonly hash: string | null
  /** Whether the person adds it although it was already added. */
  readonly again: boolean
}

/** A file that is yet to be read, with the settings that were changed elsewhere. */
export const unread = (id: string, { file, plan, changed }: Omit<IncomingTable, 'inspection'>): DraftFile => ({
  id,
  file,
  state: { kind: 'reading', progress: null },
  edits: [],
  applied: [],
  request: plan && changed ? { format: plan.format, settings: plan.settings } : {},
  found: null,
  hash: null,
  again: false,
})

/** An existing dataset to which tables or rows are added. */
export interface Into {
  readonly id: string
  readonly name: string
  readonly tables: readonly { readonly name: string; readonly rowCount: number; readonly schema: readonly Column[] }[]
  /** What this browser added to it earlier. */
  readonly added: readonly AddedFile[]
}

/** A file that was added to a dataset as a table, or as rows of one. */
export interface AddedFile {
  /** The table's name. */
  readonly table: string
  readonly hash: string
  /** Index in the file's tables. */
  readonly index: number
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface DraftTable {
  readonly id: string
  readonly fileId: string
  /** Index in the file's tables. */
  readonly index: number
  readonly name: string
  /** Whether the person typed the name. Otherwise it's that of the file or sheet, numbered if another table has it. */
  readonly named: boolean
  readonly proposed: string
  /** The table to which the person adds its rows, or null for a new one; undefined until they decide. */
  readonly onto?: string | null
  /** Rows that didn't fit when the table was written; null before, when only the inspection's are known. */
  readonly rejected: { readonly count: number; readonly first: readonly RejectedRow[] } | null
  /** Whether the person accepts the table without the rows that don't fit. */
  readonly agreed: boolean
  /** For a file above the service's limit: its size as Parquet. */
  readonly measure: Measure
}

export type Measure =
  | { readonly kind: 'none' }
  | { readonly kind: 'measuring'; readonly progress: number | null }
  | { readonly kind: 'measured'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** A dataset's properties that people set. */
export interface DatasetValues {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly visibility: Visibility
}

export interface Draft extends DatasetValues {
  /** Null for a new dataset. */
  readonly into: Into | null
  readonly files: readonly DraftFile[]
  readonly tables: readonly DraftTable[]
  /** Whether the person typed its name. Otherwise it follows from the files. */
  readonly named: boolean
}

export const EMPTY_DRAFT: Draft = {
  into: null,
  files: [],
  tables: [],
  name: '',
  named: false,
  description: '',
  tags: [],
  visibility: 'private',
}

export function isEmpty(draft: Draft): boolean {
  return draft.files.length === 0 && !draft.named && draft.description === '' && draft.tags.length === 0
}

/* What to publish of a file */

/** Why a table is published as Parquet, and not as its original file. */
type ParquetReason = 'changed' | 'rows-left-out' | 'format' | 'compressed' | 'encoding' | 'several-tables' | 'size'

export type Publication =
  | { readonly how: 'file'; readonly format: ServiceFormat }
  | { readonly how: 'parquet'; readonly because: ParquetReason }

/**
 * Publishes the file itself if the service accepts it and nothing was changed, otherwise the planned table as Parquet.
 */
export function publicationOf(file: DraftFile, table: DraftTable): Publication | null {
  if (file.state.kind !== 'read') return null
  const { inspection } = file.state
  const { format, tables } = inspection
  const because = parquetReason(file, inspection, tables[table.index])
  return because || !isServiceFormat(format)
    ? { how: 'parquet', because: because ?? 'format' }
    : { how: 'file', format }
}

function parquetReason(
  { file, edits, request }: DraftFile,
  { format, settings, tables }: Inspection,
  found: InspectedTable | undefined,
): ParquetReason | null {
  if (edits.some((edit) => edit.columns.length > 0) || Object.keys(request).length > 0) return 'changed'
  if (found && found.rejectedCount > 0) return 'rows-left-out'
  if (!isServiceFormat(format)) return 'format'
  if (compressedBy(settings)) return 'compressed'
  if ('encoding' in settings && !/^(utf-8|us-ascii)$/i.test(settings.encoding)) return 'encoding'
  if (tables.length > 1) return 'several-tables'
  // To the service, a workbook with macros is another type.
  if (format === 'xlsx' && !/\.xlsx$/i.test(file.name)) return 'format'
  return file.size > MAX_FILE_BYTES ? 'size' : null
}

const REASON_WORDS: Readonly<Record<ParquetReason, string>> = {
  changed: 'published as Parquet, with the columns as you set them',
  'rows-left-out': 'published as Parquet, without the rows that don’t fit',
  format: 'published as Parquet: the service doesn’t take this format',
  compressed: 'published as Parquet: the service takes no compressed files',
  encoding: 'published as Parquet: the service takes text as UTF-8',
  'several-tables': 'published as Parquet: one file a table',
  size: 'published as Parquet: the file is beyond the service’s 50 MB',
}

export function publicationWords(publication: Publication): string {
  if (publication.how === 'parquet') return REASON_WORDS[publication.because]
  return `published as it is: ${formatInfo(publication.format).displayName}`
}

/* Reading the draft */

export function fileOf(draft: Draft, table: DraftTable): DraftFile | undefined {
  return draft.files.find((file) => file.id === table.fileId)
}

export function foundTable(file: DraftFile | undefined, table: DraftTable): InspectedTable | undefined {
  return file?.state.kind === 'read' ? file.state.inspection.tables[table.index] : undefined
}

/** Rows that would be missing in a table; null if all fit. */
export function rejectedOf(file: DraftFile | undefined, table: DraftTable): DraftTable['rejected'] {
  if (table.rejected) return table.rejected
  const found = foundTable(file, table)
  return found && found.rejectedCount > 0 ? { count: found.rejectedCount, first: found.rejected } : null
}

/* Changing the draft */

export function withFile(draft: Draft, id: string, change: (file: DraftFile) => DraftFile): Draft {
  return { ...draft, files: draft.files.map((file) => (file.id === id ? change(file) : file)) }
}

export function withTable(draft: Draft, id: string, change: (table: DraftTable) => DraftTable): Draft {
  return { ...draft, tables: draft.tables.map((table) => (table.id === id ? change(table) : table)) }
}

/**
 * Adds the tables of a file that was read, with free names; tables it already had keep theirs.
 * @param handed the plan of another screen, on which the person chose the file
 */
export function readFile(draft: Draft, id: string, inspection: Inspection, handed: ImportPlan | null): Draft {
  const file = draft.files.find((candidate) => candidate.id === id)
  if (!file) return draft
  const edits = handed ? editsFrom(inspection, handed) : neededEdits(inspection, file)
  const plan = applyEdits(inspection, edits)
  const several = plan.tables.filter(({ include }) => include).length > 1
  const before = new Map(draft.tables.filter(({ fileId }) => fileId === id).map((table) => [table.index, table]))
  const among = (each: DraftFile) => ({ ...each, inspection: each.id === id ? inspection : each.found })
  const aside = !handed && isAside(among(file), draft.files.map(among))
  const tables = plan.tables.flatMap((table, index): DraftTable[] => {
    if (!table.include || aside) return []
    const known = before.get(index)
    return [
      known ? { ...known, ...UNSEEN } : newTable(id, index, proposeName(file.file.name, several ? table.name : null)),
    ]
  })
  const others = draft.tables.filter(({ fileId }) => fileId !== id)
  const state = { kind: 'read', inspection, plan } as const
  const next = withFile(draft, id, (old) => ({ ...old, edits, state, found: inspection }))
  return { ...next, tables: numbered(sorted(draft.files, [...others, ...tables]), draft.into) }
}

function newTable(fileId: string, index: number, name: string): DraftTable {
  return {
    id: `${fileId}/${index}`,
    fileId,
    index,
    name,
    proposed: name,
    named: false,
    ...UNSEEN,
  }
}

/** Resets what was found or accepted earlier. */
const UNSEEN = { rejected: null, agreed: false, measure: { kind: 'none' } } as const

/** Gives tables free names in order; typed names stay. */
function numbered(tables: readonly DraftTable[], into: Into | null): DraftTable[] {
  const typed = tables.filter((table) => table.named)
  const taken = new Set([...typed, ...(into?.tables ?? [])].map(({ name }) => foldName(name)))
  return tables.map((table) => {
    if (table.named) return table
    const name = freeName(table.proposed, taken)
    taken.add(foldName(name))
    return { ...table, name }
  })
}

/** In the order of the files, whichever was read first. */
function sorted(files: readonly DraftFile[], tables: readonly DraftTable[]): DraftTable[] {
  const place = new Map(files.map((file, i) => [file.id, i]))
  return tables.toSorted((a, b) => (place.get(a.fileId) ?? 0) - (place.get(b.fileId) ?? 0) || a.index - b.index)
}

/** Whether a file's only table was left out, as a text about the other files. */
export function isLeftAside({ tables }: Draft, { id, state }: DraftFile): boolean {
  const [only, ...others] = state.kind === 'read' ? state.inspection.tables : []
  return (
    only !== undefined &&
    others.length + tables.filter(({ fileId }) => fileId === id).length === 0 &&
    only.columns.length > 0
  )
}

/** Adds or removes a sheet's table. */
export function includeSheet(draft: Draft, fileId: string, index: number, include: boolean): Draft {
  const file = draft.files.find((candidate) => candidate.id === fileId)
  if (file?.state.kind !== 'read') return draft
  const sheet = file.state.inspection.tables[index]
  if (!sheet) return draft
  const others = draft.tables.filter((table) => !(table.fileId === fileId && table.index === index))
  const next = edited(draft, file, editTable(file.edits, sheet.name, include))
  const added = include ? [newTable(fileId, index, proposeName(file.file.name, sheet.name))] : []
  return { ...next, tables: numbered(sorted(draft.files, [...others, ...added]), draft.into) }
}

/** Changes a column. Results and confirmations for the old columns no longer apply. */
export function changeColumn(draft: Draft, table: DraftTable, column: number, patch: ColumnPatch): Draft {
  const file = fileOf(draft, table)
  const found = foundTable(file, table)
  if (!file || !found) return draft
  const next = edited(draft, file, editColumn(file.edits, found, column, patch))
  return withTable(next, table.id, (old) => ({ ...old, ...UNSEEN }))
}

function edited(draft: Draft, file: DraftFile, edits: Edits): Draft {
  return withFile(draft, file.id, (old) => ({
    ...old,
    edits,
    applied: [],
    state: old.state.kind === 'read' ? { ...old.state, plan: applyEdits(old.state.inspection, edits) } : old.state,
  }))
}

/** Sets all columns of a file by edits. Confirmations for its tables no longer apply. */
export function changeColumns(draft: Draft, id: string, edits: Edits): Draft {
  const file = draft.files.find((candidate) => candidate.id === id)
  if (!file) return draft
  const next = edited(draft, file, edits)
  return { ...next, tables: next.tables.map((table) => (table.fileId === id ? { ...table, ...UNSEEN } : table)) }
}

/** What was chosen of another dataset's tables doesn't apply to this one. */
export function movedTo(draft: Draft, into: Into | null): Draft {
  if (draft.into?.id === into?.id) return { ...draft, into }
  const tables = draft.tables.map((table) => {
    const { onto: _, ...rest } = table
    return rest
  })
  return { ...draft, into, tables: numbered(tables, into) }
}

/** Names the draft after its files, unless somebody typed a name. */
export function named(draft: Draft, taken: ReadonlySet<string>): Draft {
  if (draft.named || draft.into) return draft
  const [first] = draft.files
  return { ...draft, name: first ? freeName(proposeName(first.file.name), taken) : '' }
}

export function removeFile(draft: Draft, id: string): Draft {
  return {
    ...draft,
    files: draft.files.filter((file) => file.id !== id),
    tables: numbered(
      draft.tables.filter((table) => table.fileId !== id),
      draft.into,
    ),
  }
}

/** The edits that turn an inspection into a plan. */
export function editsFrom(inspection: Inspection, plan: ImportPlan): Edits {
  let edits: Edits = NO_EDITS
  const usual = applyEdits(inspection, NO_EDITS)
  for (const [i, table] of plan.tables.entries()) {
    const found = inspection.tables[i]
    if (!found) continue
    if (usual.tables[i]?.include !== table.include) edits = editTable(edits, found.name, table.include)
    for (const { index, name, type, include, format } of table.columns) {
      edits = editColumn(edits, found, index, { name, type, include, ...(format ? { format } : {}) })
    }
  }
  return edits
}

/** The plan for a single table. */
export function planOf(plan: ImportPlan, index: number): ImportPlan {
  return { ...plan, tables: plan.tables.map((table, i) => ({ ...table, include: i === index })) }
}
