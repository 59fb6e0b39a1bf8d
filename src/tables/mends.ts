/** A rejected row as a person wants it to be. */
interface RowMend {
  /** Among the table's data rows, from 1. */
  readonly row: number
  /** Its text in the file: a mend is of this row only as long as it still says the same. */
  readonly raw: string
  /** By the columns of the file, as text; null for null. */
  readonly cells: readonly (string | null)[]
}

/** Text to find and replace in the cells of rejected rows; in the text of those that can't be taken apart. */
export interface Replacement {
  /** The column's name in the file; null for all columns. */
  readonly source: string | null
  readonly find: string
  readonly replace: string
  /** Whether the whole cell has to be what is to be found. */
  readonly whole: boolean
}

/** What is to be done with the rejected rows of a table. Plain data. */
export interface Mends {
  readonly rows: readonly RowMend[]
  /** Made in all rejected rows, in order; a row that was mended by itself is as it was mended. */
  readonly replacements: readonly Replacement[]
  /** Whether rows that fit once they are mended are put back, or left out like the others. */
  readonly putBack: boolean
  /** Whether they are put after all other rows of the table; else they're put where they were. */
  readonly atEnd?: boolean
}

export const NO_MENDS: Mends = { rows: [], replacements: [], putBack: false }

/** A rejected row that was put back. */
export interface MendedRow {
  /** The file's name, where several are combined. */
  readonly file?: string
  readonly row: number
  readonly line: number | null
  /** Its text in the file. */
  readonly raw: string
  readonly cells: readonly (string | null)[]
  /** Whether it stands after all other rows of its file; else it stands where it was. */
  readonly atEnd?: boolean
}

/** Cells as replacements leave them; a cell that is left with nothing is null. */
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

/** The text of a row that can't be taken apart, as those replacements leave it that aren't of cells. */
export function replaceInText(text: string, replacements: readonly Replacement[]): string {
  const anywhere = replacements.filter(({ source, find, whole }) => source === null && !whole && find !== '')
  return anywhere.reduce((all, { find, replace }) => all.replaceAll(find, () => replace), text)
}

/** The mend of a row, if it has one of its own and still is the row that was mended. */
export function mendOf(
  { rows }: Pick<Mends, 'rows'>,
  { row, raw }: Pick<MendedRow, 'row' | 'raw'>,
): RowMend | undefined {
  return rows.find((mend) => mend.row === row && mend.raw === raw)
}

/** Mends with one more, or with another of the same row; null takes it away. */
export function withMend(mends: Mends, row: number, mend: RowMend | null): Mends {
  const others = mends.rows.filter((other) => other.row !== row)
  return { ...mends, rows: mend ? [...others, mend] : others }
}

/** What holds for the rows of other files, too: replacements do, rows mended one by one don't. */
export function mendsForOthers(mends: Mends): Mends | undefined {
  return mends.replacements.length > 0 ? { ...mends, rows: [] } : undefined
}
