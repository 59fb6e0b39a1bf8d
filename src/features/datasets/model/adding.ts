import { appendedColumns, type AppendedColumn, asStored, columnsApart } from '../../../tables/combine/append.ts'
import { bareName } from '../../../tables/combine/likeness.ts'
import type { CombineInput, InputTable } from '../../../tables/combine/plan.ts'
import { type AddedFile, type Draft, type DraftFile, type DraftTable, foundTable, type Into } from './draft.ts'
import { foldName } from './names.ts'

/* Adding to an existing dataset: to which table, whether rows fit, and whether they were already added. */

type IntoTable = Into['tables'][number]
type Parts = Pick<Draft, 'into' | 'files' | 'tables'>

/** The table to which rows are added: the one that the person chose, or the only one with the same columns. */
export function ontoOf(draft: Parts, table: DraftTable): string | null {
  if (!draft.into || table.onto !== undefined) return table.onto ?? null
  const input = inputOf(draft, table)
  if (!input) return null
  const included = input.plan.tables[input.table]?.columns.filter(({ include }) => include) ?? []
  const own = spelled(included)
  const alike = draft.into.tables.filter(({ schema }) => spelled(schema) === own)
  return alike.length === 1 ? (alike[0]?.name ?? null) : null
}

/** Equal for names that would be matched. */
const spelled = (columns: readonly { readonly name: string }[]): string =>
  JSON.stringify(columns.map(({ name }) => bareName(name)).toSorted())

/** A table with the person's settings, in the form used to combine tables; undefined until its file is read. */
function inputOf({ files }: Pick<Draft, 'files'>, { fileId, index }: DraftTable): CombineInput | undefined {
  const file = files.find(({ id }) => id === fileId)
  return file?.state.kind === 'read'
    ? asStored({ file: file.file.name, plan: file.state.plan, table: index })
    : undefined
}

/** The columns of the existing table matched with the file's; empty for a new table. */
function ontoColumns(draft: Draft, table: DraftTable): readonly AppendedColumn[] {
  const onto = ontoTable(draft, table)
  const input = inputOf(draft, table)
  return onto && input ? appendedColumns(atRest(onto), input) : []
}

function ontoTable(draft: Draft, table: DraftTable): IntoTable | undefined {
  const name = ontoOf(draft, table)
  return name === null ? undefined : draft.into?.tables.find((each) => foldName(each.name) === foldName(name))
}

const atRest = ({ name, rowCount, schema }: IntoTable): InputTable => ({
  id: 'table',
  label: name,
  rows: rowCount,
  table: null,
  columns: schema.map((column, index) => ({ ...column, index, source: column.name, nth: 0, empty: false })),
})

/** Why a table's rows can't be added to the chosen table; null if they can, as far as it's known. */
export function ontoProblem(draft: Draft, table: DraftTable): string | null {
  const apart = columnsApart(ontoColumns(draft, table))
  return apart && `${apart} Rename or leave out columns under “Columns”, or choose “A new table”.`
}

/** A column whose values must be read as the table's type. */
interface OtherType {
  readonly name: string
  /** Index in the file's table. */
  readonly index: number
  /** The table's type, with DuckDB's name. */
  readonly type: string
}

/**
 * Columns whose type the table's column can't be widened to hold: rows whose values aren't of the column's own type are
 * rejected.
 */
export function otherTypes(draft: Draft, table: DraftTable): OtherType[] {
  return ontoColumns(draft, table).flatMap(({ name, type, added, keepsType }) =>
    keepsType && type !== 'VARCHAR' ? [{ name, index: added?.index ?? -1, type }] : [],
  )
}

/** How a file's rows may be added twice. */
export type Repeat =
  /** The draft already has the same bytes, in a file with that name. */
  | { readonly kind: 'twice'; readonly name: string }
  /** The same bytes were added earlier. */
  | ({ readonly kind: 'added' } & Pick<AddedFile, 'table' | 'at'>)
  /** The table with the same name and columns has the same number of rows. */
  | { readonly kind: 'alike'; readonly table: string; readonly rows: number }

/** Whether a file was probably already added; null if not, or unknown. */
export function repeatOf(draft: Draft, file: DraftFile): Repeat | null {
  const { into, files } = draft
  const own = draft.tables.filter(({ fileId }) => fileId === file.id)
  if (own.length === 0) return null
  const same = file.hash === null ? undefined : files.find(({ hash }) => hash === file.hash)
  if (same && same !== file) return { kind: 'twice', name: same.file.name }
  const before = into?.added.findLast(
    ({ hash, index, table }) =>
      hash === file.hash &&
      own.some((each) => each.index === index) &&
      into.tables.some(({ name }) => foldName(name) === foldName(table)),
  )
  if (before) return { kind: 'added', table: before.table, at: before.at }
  for (const table of own) {
    const onto = ontoTable(draft, table)
    const isAlike = onto && foldName(onto.name) === foldName(table.proposed) && onto.rowCount > 0
    if (isAlike && onto.rowCount === foundTable(file, table)?.rows) {
      return { kind: 'alike', table: onto.name, rows: onto.rowCount }
    }
  }
  return null
}

/** The first file that was probably already added, and about which the person hasn't decided yet. */
export const unaskedRepeat = (draft: Draft): DraftFile | undefined =>
  draft.files.find((file) => !file.again && repeatOf(draft, file) !== null)
