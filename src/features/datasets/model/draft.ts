import type { Problem } from '../../shared/problem.ts'
import { formatInfo } from '../../../contract/formats.ts'
import { MAX_FILE_BYTES, SERVICE_FORMATS } from '../../../contract/limits.ts'
import type { Column, ServiceFormat, Visibility } from '../../../contract/schemas.ts'
import type { InspectProgress, InspectRequest } from '../../../engine/client.ts'
import { applyEdits, editColumn, editTable, type Edits } from '../../../tables/edits.ts'
import { NO_EDITS } from '../../../tables/edits.ts'
import type { ColumnPatch, ImportPlan, InspectedTable, Inspection, RejectedRow } from '../../../tables/plan.ts'
import type { AppliedStep } from '../../../tables/proposals.ts'
import { compressedBy } from '../../../tables/settings.ts'
import { foldName, freeName, proposeName } from './names.ts'

/* A dataset that isn't created yet: files, and the tables that they become. Plain data, but for the files. */

export interface DraftFile {
  readonly id: string
  readonly file: File
  readonly state:
    | { readonly kind: 'reading'; readonly progress: InspectProgress | null }
    | { readonly kind: 'read'; readonly inspection: Inspection; readonly plan: ImportPlan }
    | { readonly kind: 'failed'; readonly problem: Problem }
  /** What the person changed of what was found, here or before it came here. */
  readonly edits: Edits
  /** What the person said of how to read it, here or before it came here. */
  readonly request: InspectRequest
  /** The proposals that were applied, the last ones last: until something else is changed. */
  readonly applied: readonly AppliedStep[]
  /** What was found when it was last read: shown while it's read again. */
  readonly found: Inspection | null
  /** SHA-256 of its bytes; null while it isn't known. */
  readonly hash: string | null
  /** The person takes it although it's there already. */
  readonly again: boolean
}

/** A dataset that is there already, and takes more tables, or more rows of those that it has. */
export interface Into {
  readonly id: string
  readonly name: string
  readonly tables: readonly { readonly name: string; readonly rowCount: number; readonly schema: readonly Column[] }[]
  /** What this browser added to it before. */
  readonly added: readonly AddedFile[]
}

/** A file that became a table of a dataset, or rows of one. */
export interface AddedFile {
  /** The table's name. */
  readonly table: string
  readonly hash: string
  /** Index into the file's tables. */
  readonly index: number
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface DraftTable {
  readonly id: string
  readonly fileId: string
  /** Index into the file's tables. */
  readonly index: number
  readonly name: string
  /** The person typed it; until then it's the file's or the sheet's, with a number where another has it. */
  readonly named: boolean
  readonly proposed: string
  /** The table that the person has take its rows, null for a new one; undefined until they say. */
  readonly onto?: string | null
  /** What was found not to fit while the table was made; all that is known of it beforehand is the inspection's. */
  readonly rejected: { readonly count: number; readonly first: readonly RejectedRow[] } | null
  /** The person takes the table without the rows that don't fit. */
  readonly agreed: boolean
  /** Of a file beyond the service's limit: how large it is as Parquet. */
  readonly measure: Measure
}

export type Measure =
  | { readonly kind: 'none' }
  | { readonly kind: 'measuring'; readonly progress: number | null }
  | { readonly kind: 'measured'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** What a person says of a dataset: when it's made, and later. */
export interface DatasetValues {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly visibility: Visibility
}

export interface Draft extends DatasetValues {
  /** Null for a dataset that is to be made. */
  readonly into: Into | null
  readonly files: readonly DraftFile[]
  readonly tables: readonly DraftTable[]
  /** The person typed its name; until then it follows the files. */
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

/* What of a file is published */

/** Why a table is published as Parquet, not as the file that it came in. */
type ParquetReason = 'changed' | 'rows-left-out' | 'format' | 'compressed' | 'encoding' | 'several-tables' | 'size'

export type Publication =
  | { readonly how: 'file'; readonly format: ServiceFormat }
  | { readonly how: 'parquet'; readonly because: ParquetReason }

/** The file as it is where the service takes it and nothing of it was changed; else the planned table, as Parquet. */
export function publicationOf(file: DraftFile, table: DraftTable): Publication | null {
  if (file.state.kind !== 'read') return null
  const { inspection } = file.state
  const found = inspection.tables[table.index]
  const because = parquetReason(file, inspection, found)
  const format = SERVICE_FORMATS.find((known) => known === inspection.format)
  return because || !format ? { how: 'parquet', because: because ?? 'format' } : { how: 'file', format }
}

function parquetReason(
  { file, edits, request }: DraftFile,
  { format, settings, tables }: Inspection,
  found: InspectedTable | undefined,
): ParquetReason | null {
  if (edits.some((edit) => edit.columns.length > 0) || Object.keys(request).length > 0) return 'changed'
  if (found && found.rejectedCount > 0) return 'rows-left-out'
  if (!SERVICE_FORMATS.some((known) => known === format)) return 'format'
  if (compressedBy(settings)) return 'compressed'
  if ('encoding' in settings && !/^(utf-8|us-ascii)$/i.test(settings.encoding)) return 'encoding'
  if (tables.length > 1) return 'several-tables'
  // A workbook with macros is another type to the service.
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

/* Reading what the draft says */

export function fileOf(draft: Draft, table: DraftTable): DraftFile | undefined {
  return draft.files.find((file) => file.id === table.fileId)
}

export function foundTable(file: DraftFile | undefined, table: DraftTable): InspectedTable | undefined {
  return file?.state.kind === 'read' ? file.state.inspection.tables[table.index] : undefined
}

/** Rows that a table would be without; null when all of them fit. */
export function rejectedOf(file: DraftFile | undefined, table: DraftTable): DraftTable['rejected'] {
  if (table.rejected) return table.rejected
  const found = foundTable(file, table)
  return found && found.rejectedCount > 0 ? { count: found.rejectedCount, first: found.rejected } : null
}

/* Changing it */

export function withFile(draft: Draft, id: string, change: (file: DraftFile) => DraftFile): Draft {
  return { ...draft, files: draft.files.map((file) => (file.id === id ? change(file) : file)) }
}

export function withTable(draft: Draft, id: string, change: (table: DraftTable) => DraftTable): Draft {
  return { ...draft, tables: draft.tables.map((table) => (table.id === id ? change(table) : table)) }
}

/** A file that was read: its tables join the draft, with names that are free; those that it had before keep theirs. */
export function readFile(draft: Draft, id: string, inspection: Inspection, handed: ImportPlan | null): Draft {
  const file = draft.files.find((candidate) => candidate.id === id)
  if (!file) return draft
  const edits = handed ? editsFrom(inspection, handed) : file.edits
  const plan = applyEdits(inspection, edits)
  const several = plan.tables.filter(({ include }) => include).length > 1
  const before = new Map(draft.tables.filter(({ fileId }) => fileId === id).map((table) => [table.index, table]))
  const tables = plan.tables.flatMap((table, index): DraftTable[] => {
    if (!table.include) return []
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

/** What nobody has seen or agreed to yet. */
const UNSEEN = { rejected: null, agreed: false, measure: { kind: 'none' } } as const

/** With names that are free, given in the tables' order; those that were typed stay. */
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

/** In the order of the files, however long each took to be read. */
function sorted(files: readonly DraftFile[], tables: readonly DraftTable[]): DraftTable[] {
  const place = new Map(files.map((file, i) => [file.id, i]))
  return tables.toSorted((a, b) => (place.get(a.fileId) ?? 0) - (place.get(b.fileId) ?? 0) || a.index - b.index)
}

/** A sheet that was left out joins, or one that's there is left out. */
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

/** A changed column; what was found and agreed to with the old columns doesn't hold any more. */
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

/** A file whose columns are all as these edits say; what was agreed to of its tables doesn't hold any more. */
export function changeColumns(draft: Draft, id: string, edits: Edits): Draft {
  const file = draft.files.find((candidate) => candidate.id === id)
  if (!file) return draft
  const next = edited(draft, file, edits)
  return { ...next, tables: next.tables.map((table) => (table.fileId === id ? { ...table, ...UNSEEN } : table)) }
}

/** The draft with a name of its files, as long as nobody typed one. */
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

/** The changes that make a plan of an inspection. */
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

/** The plan that makes one table alone. */
export function planOf(plan: ImportPlan, index: number): ImportPlan {
  return { ...plan, tables: plan.tables.map((table, i) => ({ ...table, include: i === index })) }
}
