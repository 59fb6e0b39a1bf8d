import { type RejectedRow, MAX_RAW } from './plan.ts'

/** Most characters to keep of all rejected rows to show. */
const MAX_HELD = 10_000_000

/** Whether a row's text may have been cut, so that it can't be corrected. */
export const isCut = ({ raw }: Pick<RejectedRow, 'raw'>): boolean => raw.length >= MAX_RAW

/** Number of characters kept of a row. */
export const sizeOf = ({ raw, cells }: Pick<RejectedRow, 'raw' | 'cells'>): number =>
  raw.length + (cells?.reduce((sum, cell) => sum + (cell?.length ?? 0), 0) ?? 0)

/** The first rejected rows: as many as will be shown, or as fit in `MAX_HELD`. */
export class FirstRejected {
  readonly rows: RejectedRow[] = []
  private readonly most: number
  private room = MAX_HELD

  /** @param most number of rows */
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

/** Converts a row's position in a part of a file to one in the whole, given the rows and lines before the part. */
export function movedDown<Row extends Pick<RejectedRow, 'row' | 'line'>>(row: Row, rows: number, lines: number): Row {
  return { ...row, row: row.row + rows, line: row.line === null ? null : row.line + lines }
}
