import type { Mends, Replacement, RowMend } from './plan.ts'
import type { MendedRow } from './receipt.ts'

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
