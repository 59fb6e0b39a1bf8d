import { formatCount } from '../../../lib/counts.ts'
import type { InspectedColumn, Proposal, ValueFormat } from '../../../tables/plan.ts'
import { isInteger, isNumeric } from '../../../tables/types.ts'
import { isSubtotalLabel } from './subtotals.ts'

/* Finds columns that name a group only in its first row, as pivot tables and reports do. */

/** Groups within groups that are recognized. */
const MAX_LEVELS = 4
/** If none of these first rows lacks its first cell, the table has no groups. */
const FIRST_ROWS = 40
/** From this number of names on, it's no longer checked whether one comes twice. */
const MAX_NAMES = 50_000

/** What is known of a table's first columns. */
export interface GroupLabels {
  /** Whether some row contradicts that the first columns name groups. */
  readonly failed: boolean
  readonly levels: readonly Level[]
}

interface Level {
  /** Number of names. */
  readonly labels: number
  /** Number of blank cells below them. */
  readonly blanks: number
  /** Whether a name comes twice in a group, or is missing where a group begins. */
  readonly failed: boolean
}

/** Looks at a table's rows, from the first to the last. */
export class GroupScout {
  private failed = false
  private rows = 0
  private isGrouped = false
  private readonly levels = Array.from({ length: MAX_LEVELS }, () => ({ labels: 0, blanks: 0, failed: false }))
  private readonly names = this.levels.map(() => new Set<string>())
  private readonly last: (string | null)[] = this.levels.map(() => null)

  /** Whether more rows are wanted. Check this before each row. */
  get isLooking(): boolean {
    return !this.failed
  }

  /** @param texts the first cells of a row that isn't blank, up to `GROUP_CELLS` */
  take(texts: readonly string[]): void {
    const blanks = texts.findIndex((text) => text !== '')
    const isFirst = this.rows++ === 0
    if (blanks > 0) this.isGrouped = true
    if (blanks < 0 || blanks > MAX_LEVELS || (isFirst && blanks > 0)) this.failed = true
    if (this.rows === FIRST_ROWS && !this.isGrouped) this.failed = true
    // A total, or a name with nothing beside it, isn't a group's first row.
    if (this.failed || isSubtotalLabel(texts[blanks])) return
    if (blanks === 0 && texts.slice(1).every((text) => text === '')) return
    for (const [i, level] of this.levels.slice(0, texts.length - 1).entries()) {
      if (i < blanks) level.blanks++
      else this.takeName(i, texts[i], level)
    }
    if (this.levels[0].failed) this.failed = true
  }

  private takeName(i: number, text: string, level: { labels: number; failed: boolean }): void {
    const names = this.names[i]
    // A page may begin with the name of the group that goes on.
    if (text === this.last[i] && names.has(text)) return
    if (text === '' || names.has(text)) level.failed = true
    if (names.size < MAX_NAMES) names.add(text)
    level.labels++
    this.last[i] = text
    for (const inner of this.names.slice(i + 1)) inner.clear()
  }

  get found(): GroupLabels {
    return { failed: this.failed || !this.isGrouped, levels: this.levels }
  }
}

/** Number of a row's first cells that `GroupScout` looks at. */
export const GROUP_CELLS = MAX_LEVELS + 1

/**
 * Proposes to fill the blank cells below the names of groups.
 * @param level the column's position among the first columns
 */
export function fillProposals(
  { failed, levels }: GroupLabels,
  level: number,
  { name, type, format }: Pick<InspectedColumn, 'name' | 'type'> & { readonly format: ValueFormat | undefined },
): Proposal[] {
  const isGroup = (at: number): boolean => {
    if (!(at in levels)) return false
    const { labels, blanks, failed: isOdd } = levels[at]
    // An id that some rows lack isn't a group.
    return !isOdd && blanks > 0 && labels > 1 && (at === 0 ? blanks >= labels : isGroup(at - 1))
  }
  if (failed || !isGroup(level) || (isNumeric(type) && !isInteger(type))) return []
  const { blanks, labels } = levels[level]
  return [
    {
      code: 'fill-down',
      label: 'Apply: fill blanks with the value above',
      message: `“${name}” names each of ${formatCount(labels)} groups only in the group’s first row, as pivot tables do: ${blanks === 1 ? '1 blank cell' : `${formatCount(blanks)} blank cells`} below would have the value above.`,
      count: blanks,
      change: { kind: 'column', patch: { format: { ...format, fillDown: true } } },
      // Numbers may as well be values that some rows lack.
      ...(isNumeric(type) ? { ambiguous: true } : {}),
    },
  ]
}
