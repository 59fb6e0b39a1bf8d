/** A rejected row as corrected by the user. */
interface RowMend {
  /** Number of the data row, from 1. */
  readonly row: number
  /** The row's text in the file. The correction applies only while that is unchanged. */
  readonly raw: string
  /** By the file's columns, as text; null for NULL. */
  readonly cells: readonly (string | null)[]
}

/** A find-and-replace for rejected rows: in their cells, or in the text of rows that can't be split into cells. */
export interface Replacement {
  /** The column's name in the file; null for all columns. */
  readonly source: string | null
  readonly find: string
  readonly replace: string
  /** Whether the whole cell must match. */
  readonly whole: boolean
}

/** Corrections of a table's rejected rows. Plain data. */
export interface Mends {
  readonly rows: readonly RowMend[]
  /** Applied to all rejected rows, in order, except those that were corrected one by one. */
  readonly replacements: readonly Replacement[]
  /** Whether corrected rows that fit are included in the output. */
  readonly putBack: boolean
  /** Whether they come after all other rows of the table; else they keep their place. */
  readonly atEnd?: boolean
}

/** A rejected row that was corrected and included. */
export interface MendedRow {
  /** The file's name, if several are combined. */
  readonly file?: string
  readonly row: number
  readonly line: number | null
  /** Its text in the file. */
  readonly raw: string
  readonly cells: readonly (string | null)[]
  /** Whether it comes after all other rows of its file; else it keeps its place. */
  readonly atEnd?: boolean
}

export const NO_MENDS: Mends = { rows: [], replacements: [], putBack: false }

/** Applies replacements to cells. A cell that becomes empty is null. */
export function replaceIn(
  cells: readonly (string | null)[],
  sources: readonly string[],
  replacements: readonly Replacement[],
): (string | null)[] {
  return cells.map((cell, i) => {
    let text = cell ?? ''
    for (const { source, find, replace, whole } of replacements) {
      if (source !== null && source !== sources[i]) continue
      if (whole) text = text === find ? replace : text
      else if (find !== '') text = text.replaceAll(find, () => replace)
    }
    return text === (cell ?? '') ? cell : text || null
  })
}

/** Applies replacements for all columns to a row that can't be split into cells. */
export function replaceInText(text: string, replacements: readonly Replacement[]): string {
  const anywhere = replacements.filter(({ source, find, whole }) => source === null && !whole && find !== '')
  return anywhere.reduce((all, { find, replace }) => all.replaceAll(find, () => replace), text)
}

/** A row's own correction, if its text is still the same. */
export function mendOf(
  { rows }: Pick<Mends, 'rows'>,
  { row, raw }: Pick<MendedRow, 'row' | 'raw'>,
): RowMend | undefined {
  return rows.find((mend) => mend.row === row && mend.raw === raw)
}

/** Sets a row's correction; null removes it. */
export function withMend(mends: Mends, row: number, mend: RowMend | null): Mends {
  const others = mends.rows.filter((other) => other.row !== row)
  return { ...mends, rows: mend ? [...others, mend] : others }
}

/** The corrections that apply to other files: replacements do, corrections of single rows don't. */
export function mendsForOthers(mends: Mends): Mends | undefined {
  return mends.replacements.length > 0 ? { ...mends, rows: [] } : undefined
}
