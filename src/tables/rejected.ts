import type { RejectedRow } from './plan.ts'

/**
 * Characters of a rejected row's text that are kept; all of it where it has fewer. A quote that isn't closed can make one
 * row of all that follows.
 */
export const MAX_RAW = 1_000_000

/** Characters of rejected rows that are held to be looked at, together. */
const MAX_HELD = 10_000_000

/** Whether there may be more of a row's text than is kept, so that it can't be mended. */
export const isCut = ({ raw }: Pick<RejectedRow, 'raw'>): boolean => raw.length >= MAX_RAW

/** How many characters of a row are held. */
export const sizeOf = ({ raw, cells }: Pick<RejectedRow, 'raw' | 'cells'>): number =>
  raw.length + (cells?.reduce((sum, cell) => sum + (cell?.length ?? 0), 0) ?? 0)

/** The first rows that were rejected: as many as are to be shown, or as have room. */
export class FirstRejected {
  readonly rows: RejectedRow[] = []
  private readonly most: number
  private room = MAX_HELD

  /** @param most rows */
  constructor(most: number) {
    this.most = most
  }

  add(rows: readonly RejectedRow[]): void {
    for (const row of rows) {
      if (this.rows.length >= this.most || this.room <= 0) return
      this.room -= sizeOf(row)
      if (this.room > 0 || this.rows.length === 0) this.rows.push(row)
    }
  }
}
