import { grown } from '../../../lib/bytes.ts'
import { formatCount } from '../../../lib/counts.ts'
import type { Proposal } from '../../../tables/plan.ts'
import type { ReadSettings } from '../../../tables/settings.ts'
import type { Range } from '../../../tables/range.ts'
import type { SampleRow } from './cells.ts'
import { findHeader, isOverValues } from './find-header.ts'
import { usualName } from './header-rows.ts'
import { MAX_REMARKS } from './ends.ts'

/** With more blocks than this, it's one table with blank rows. */
const MAX_BLOCKS = 500
/** Rows of a block to keep for classifying it. */
const SAMPLE = 8
/** Minimum number of rows, including the header, of a separate table. With two columns, fewer rows could be a form. */
const LEAST_ROWS = 3
const LEAST_ROWS_OF_TWO = 4

/** One of several tables on a sheet or in a file. */
export interface Part {
  readonly range: Range
  /** From the rows above it; may be empty. */
  readonly title: string
  /** Text of each row above its header. */
  readonly titles: readonly string[]
  /** Text of each row of remarks after it. */
  readonly footers: readonly string[]
  /** The first rows of its first block, including the header. */
  readonly sample: readonly SampleRow[]
}

/** Which columns of a row have cells. */
interface RowExtent {
  /** Row of the sheet, or line of the file, from 1. */
  readonly number: number
  /** Whether it directly follows the previous row, without a blank one between them. */
  readonly follows: boolean
  /** From 0, ascending; only the first `count` are valid. */
  readonly columns: ArrayLike<number>
  /** Zero for a row of nulls that isn't blank. */
  readonly count: number
}

/** Consecutive rows without a blank one. */
interface Block {
  readonly first: number
  last: number
  rows: number
  left: number
  right: number
  /** Maximum number of cells in a row. */
  cells: number
  /** For each column, whether it has any cell. */
  filled: Uint8Array
  /** Its first rows. */
  readonly sample: readonly SampleRow[]
}

interface Table {
  readonly titles: readonly Block[]
  readonly blocks: Block[]
}

/** Finds the blocks of a sheet or file, which are separated by blank rows, and decides which are separate tables. */
export class BlockScout {
  private readonly blocks: Block[] = []
  /** The block of the last row. */
  private current: GrowingBlock | null = null
  private isOne = false
  private readonly beside: boolean

  /** @param beside whether tables may be side by side, separated by blank columns */
  constructor(beside: boolean) {
    this.beside = beside
  }

  /** @param sample creates a copy of the row */
  take({ number, follows, columns, count }: RowExtent, sample: () => SampleRow): void {
    if (this.isOne) return
    const [left, right] = [columns[0], columns[count - 1]]
    let block = follows ? this.current : null
    this.current = block
    if (!block) {
      if (count === 0) return
      if (this.blocks.length === MAX_BLOCKS) this.isOne = true
      block = { first: number, last: number, rows: 0, left, right, cells: 0, filled: new Uint8Array(64), sample: [] }
      this.current = block
      this.blocks.push(block)
    }
    block.last = number
    block.rows++
    if (count === 0) return
    if (left < block.left) block.left = left
    if (right > block.right) block.right = right
    if (count > block.cells) block.cells = count
    if (right >= block.filled.length) block.filled = grown(block.filled, Math.max(right + 1, block.filled.length * 2))
    for (let i = 0; i < count; i++) block.filled[columns[i]] = 1
    if (block.sample.length < SAMPLE) block.sample.push(sample())
  }

  /**
   * The tables, if there are several; else none.
   * @param textTables whether tables may consist of texts only, or the first one of a single row, which only the person
   *   can decide
   */
  parts(textTables: boolean): Part[] {
    const all = this.beside ? sideBySide(this.blocks) : this.blocks
    if (this.isOne || all.length < 2) return []
    const { tables, footers } = tablesIn(all, textTables)
    if (tables.length === 0 || (tables.length === 1 && footers.length === 0)) return []
    const texts = footers.flatMap(({ sample }) => sample.map(textOf))
    return tables.map((table, i) => {
      const part = partOf(table, i === tables.length - 1 ? texts : [])
      return tables.length === 1 ? { ...part, range: { ...part.range, top: 1 } } : part
    })
  }

  /**
   * For rows outside the known tables: further tables, and remarks. Null if some of these rows may belong to a known
   * table.
   */
  outside(known: readonly Range[]): { readonly parts: Part[]; readonly remarks: readonly string[] } | null {
    if (this.isOne) return null
    const { tables, footers } = tablesIn(sideBySide(this.blocks), false)
    const isApart = (title: Block, block: Block): boolean =>
      known.some(({ top }) => top > title.first && top < block.first)
    const own = tables.map(({ titles, blocks }) => ({
      titles: titles.filter((title) => !isApart(title, blocks[0])),
      blocks,
    }))
    const titles = tables.flatMap((table, i) => table.titles.filter((title) => !own[i].titles.includes(title)))
    const rest = [...titles, ...footers]
    const first = Math.min(...known.map(({ top }) => top))
    const parts = own.map((table) => partOf(table, []))
    const areApart = parts.every(({ range }) => !known.some((other) => overlap(range, other)))
    if (!areApart || !rest.every((block) => isBeside(block, known, first))) return null
    return { parts, remarks: rest.flatMap(({ sample }) => sample.map(textOf)) }
  }
}

function partOf({ titles, blocks }: Table, footers: readonly string[]): Part {
  return {
    range: {
      top: Math.min(...[...titles, ...blocks].map(({ first }) => first)),
      bottom: Math.max(...blocks.map(({ last }) => last)),
      left: Math.min(...blocks.map(({ left }) => left)),
      right: Math.max(...blocks.map(({ right }) => right)),
    },
    titles: titlesOf(titles, blocks).map(textOf),
    title: titleOf(titles, blocks),
    footers,
    sample: blocks[0].sample,
  }
}

const overlap = (a: Range, b: Range): boolean =>
  a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right

/** Whether a block doesn't continue a table: it's above all of them, a remark, or keys with a value each. */
function isBeside(block: Block, known: readonly Range[], first: number): boolean {
  const { left, right, cells, rows, last } = block
  const widths = known.flatMap((range) =>
    left <= range.right && right >= range.left ? [range.right - range.left + 1] : [],
  )
  const isNarrow = cells === 1 ? isRemark(block) : cells === 2
  return rows <= SAMPLE && (last < first || (isNarrow && widths.every((width) => width > cells)))
}

type GrowingBlock = Block & { readonly sample: SampleRow[] }

/** Splits blocks into tables that are side by side. Returns none if a block may continue one of them. */
function sideBySide(blocks: readonly Block[]): readonly Block[] {
  const apart = blocks.map((block) => {
    const parts = columnRuns(block).map((run) => within(block, run))
    return parts.length > 1 && parts.every(isTable) ? parts : [block]
  })
  const first = apart.findIndex((parts) => parts.length > 1)
  const goesOn = blocks.slice(first + 1).some((block) => !isRemark(block) && !isTable(block))
  return first < 0 || goesOn ? blocks : apart.flat()
}

type Run = Pick<Block, 'left' | 'right'>

/** The ranges of a block's columns between blank ones. */
function columnRuns({ left, right, filled }: Block): Run[] {
  const runs: { left: number; right: number }[] = []
  for (let column = left; column <= right; column++) {
    const last = runs.at(-1)
    if (filled[column] === 0) continue
    if (last?.right === column - 1) last.right = column
    else runs.push({ left: column, right: column })
  }
  return runs
}

function within(block: Block, { left, right }: Run): Block {
  const sample = block.sample.flatMap(({ number, cells }) => {
    const own = cells.filter(({ column }) => column >= left && column <= right)
    return own.length === 0 ? [] : [{ number, cells: own }]
  })
  const cells = Math.max(0, ...sample.map((row) => row.cells.length))
  // If only the first rows were kept, they suffice.
  return { ...block, left, right, cells, rows: sample.length, sample }
}

function tablesIn(all: readonly Block[], textTables: boolean): { tables: Table[]; footers: Block[] } {
  const tables: Table[] = []
  let between: Block[] = []
  for (const block of all) {
    const current = tables.at(-1)
    if (isRemark(block)) {
      between.push(block)
      continue
    }
    const isProposed = textTables && (isTextTable(block, between, current) || (!current && isSingleRow(block)))
    if (isProposed || (current ? isAnother(block, current, between) : isTable(block)))
      tables.push({ titles: between, blocks: [block] })
    else if (current) current.blocks.push(...between, block)
    else {
      between.push(block)
      continue
    }
    between = []
  }
  return { tables, footers: between }
}

/** Whether each row of a block is a single text. */
function isRemark({ rows, cells, sample }: Block): boolean {
  return cells === 1 && rows <= MAX_REMARKS && sample.every((row) => row.cells.every(({ kind }) => kind === 'text'))
}

/** Whether a block has its own header: names above values. */
function isTable({ rows, left, right, sample }: Block): boolean {
  if (right === left || rows < (right - left === 1 ? LEAST_ROWS_OF_TWO : LEAST_ROWS)) return false
  const header = findHeader(sample)
  if (header === null) return false
  const at = sample.findIndex(({ number }) => number === header)
  return isOverValues(sample[at], sample.slice(at + 1))
}

/** Whether a block is one row of values below its names, as Zoom writes what a meeting was above who was there. */
const isSingleRow = ({ rows, sample: [names, ...below] }: Block): boolean =>
  rows === 2 &&
  names.cells.length > LEAST_ROWS_OF_TWO &&
  below.every(({ cells }) => cells.length === names.cells.length) &&
  names.cells.every(({ kind }) => kind === 'text') &&
  isOverValues(names, below)

/**
 * Whether a block is another table: it follows a title, has other columns, repeats the same names, or has a name for
 * each column.
 */
function isAnother(block: Block, { blocks: [first] }: Table, titles: readonly Block[]): boolean {
  if (!isTable(block)) return false
  if (titles.length > 0 || block.left !== first.left || block.right !== first.right) return true
  const names = namesIn(block)
  const texts = new Set(names.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])))
  return texts.size === block.right - block.left + 1 || printed(names) === printed(namesIn(first))
}

/**
 * Whether a block of texts may be a separate table. Compared with the table above, either both have titles, or the
 * widths differ and both have usual names; if the kinds of values differ, a title or another width is enough.
 */
function isTextTable(block: Block, titles: readonly Block[], current: Table | undefined): boolean {
  const own = namesOfTexts(block, titles)
  if (own === null) return false
  if (!current) return own.isTitled || areUsual(own)
  const first = current.blocks[0]
  if (hasOtherKinds(block, first)) return own.isTitled || block.right !== first.right
  const above = namesOfTexts(first, current.titles)
  if (above === null || printed(above.names) === printed(own.names)) return false
  return (own.isTitled && above.isTitled) || (block.right !== first.right && [above, own].every(areUsual))
}

/** Whether at least two names are usual ones for columns. */
const areUsual = ({ names }: { readonly names: SampleRow['cells'] }): boolean =>
  names.filter(({ text }) => usualName(text) > 0).length > 1

/** The names above a block of texts, which aren't repeated below; null if there are none, or other values. */
function namesOfTexts(
  { rows, left, right, sample }: Block,
  titles: readonly Block[],
): { readonly names: SampleRow['cells']; readonly isTitled: boolean } | null {
  const hasTitle = sample[0].cells.length === 1
  const isTitled = hasTitle || titles.length > 0
  const [names, ...below] = hasTitle ? sample.slice(1) : sample
  const least = !isTitled && right - left === 1 ? LEAST_ROWS_OF_TWO : LEAST_ROWS
  if (below.length < LEAST_ROWS - 1 || rows - (hasTitle ? 1 : 0) < least) return null
  const said = new Set(names.cells.map(({ text }) => text))
  const areNames =
    names.cells.length > 1 &&
    said.size === names.cells.length &&
    !names.cells.some(({ text }) => text.trim().endsWith(':')) &&
    below.every(({ cells }) => cells.length > 1 && !cells.some(({ text }) => said.has(text)))
  const areTexts = [names, ...below].every(({ cells }) => cells.every(({ kind }) => kind === 'text'))
  return areNames && areTexts ? { names: names.cells, isTitled } : null
}

/** Whether another block has values other than text in a column of these texts. */
function hasOtherKinds(texts: Block, other: Block): boolean {
  const names = namesIn(other)
  const values = other.sample.flatMap(({ cells }) => cells.filter((cell) => !names.includes(cell)))
  return texts.sample.some(({ cells }) =>
    cells.some(({ column }) => {
      const above = values.filter((cell) => cell.column === column)
      return above.length > 0 && above.every(({ kind }) => kind !== 'text')
    }),
  )
}

/** The cells of a block's header. */
function namesIn({ sample }: Block): SampleRow['cells'] {
  const header = findHeader(sample)
  return sample.find(({ number }) => number === header)?.cells ?? []
}

const printed = (cells: SampleRow['cells']): string => JSON.stringify(cells.map(({ text }) => text))

const textOf = (row: SampleRow): string => row.cells.map(({ text }) => text.trim()).join(' ')

/** The rows above a table's header. */
function titlesOf(titles: readonly Block[], [{ sample }]: readonly Block[]): SampleRow[] {
  const header = findHeader(sample)
  return [...titles.flatMap((block) => block.sample), ...sample.filter(({ number }) => number < (header ?? 0))]
}

/** Whether a text has words, unlike a drawn line. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text)

/** `Start date: 20250301` is no title. */
const KEY_WITH_NUMBER = /^[^:]+:[\d\s./-]+$/

/** The closest text above a table's header that has words, without a comment mark. */
function titleOf(titles: readonly Block[], blocks: readonly Block[]): string {
  const title = titlesOf(titles, blocks).findLast(
    ({ cells: [cell, ...others] }) =>
      others.length === 0 && cell.kind === 'text' && hasWords(cell.text) && !KEY_WITH_NUMBER.test(cell.text),
  )
  return title ? textOf(title).replace(/^#+\s*/, '') : ''
}

/**
 * Proposes to read several tables separately.
 * @param of whether they're in a file or on a sheet, and what rows are called there
 */
export function tablesProposal(
  tables: readonly { readonly name: string; readonly from: number }[],
  of: { readonly whole: string; readonly row: 'row' | 'line' },
  settings: Partial<ReadSettings>,
): Proposal {
  const shown = tables.slice(0, 4).map(({ name, from }) => `“${name}” from ${of.row} ${formatCount(from)} on`)
  return {
    code: 'several-tables',
    label: `Apply: read as ${tables.length} tables`,
    message: `The ${of.whole} looks like ${tables.length} tables with blank ${of.row}s between: ${shown.join(', ')}${tables.length > 4 ? ', …' : ''}.`,
    count: tables.length,
    change: { kind: 'reading', settings },
    // Column settings would then apply to other columns.
    ambiguous: true,
  }
}
