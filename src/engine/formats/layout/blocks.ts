import { formatCount } from '../../../lib/counts.ts'
import type { Proposal } from '../../../tables/plan.ts'
import type { ReadSettings } from '../../../tables/settings.ts'
import type { Range } from '../../../tables/range.ts'
import type { SampleRow } from './cells.ts'
import { findHeader, isOverValues } from './find-header.ts'
import { usualName } from './header-rows.ts'
import { MAX_REMARKS } from './ends.ts'

/** What has more blocks is one table with blank rows in it. */
const MAX_BLOCKS = 500
/** Rows that tell what a block is. */
const SAMPLE = 8
/** A table of its own has so many rows at least, its header counted; one of two columns could be a form. */
const LEAST_ROWS = 3
const LEAST_ROWS_OF_TWO = 4

/** A table on a sheet, or in a file, that has more on it than one. */
export interface Part {
  readonly range: Range
  /** Of the rows above it; may be empty. */
  readonly title: string
  /** Of each row above its header. */
  readonly titles: readonly string[]
  /** Of each row of remarks after it. */
  readonly footers: readonly string[]
  /** The first rows of its first block, of which one is the header. */
  readonly sample: readonly SampleRow[]
}

/** Where a row has cells. */
export interface RowExtent {
  /** Of the sheet, or the line of the file, from 1. */
  readonly number: number
  /** Whether nothing blank is between this row and the one before. */
  readonly follows: boolean
  /** From 0, rising; only the first `count` of them. */
  readonly columns: ArrayLike<number>
  /** Of a row of nulls that is no blank one, none. */
  readonly count: number
}

/** Rows one after another, without a blank one. */
interface Block {
  readonly first: number
  last: number
  rows: number
  left: number
  right: number
  /** The most cells of a row. */
  cells: number
  /** By column, whether it has any cell. */
  filled: Uint8Array
  /** Its first rows. */
  readonly sample: readonly SampleRow[]
}

interface Table {
  readonly titles: readonly Block[]
  readonly blocks: Block[]
}

/** Finds the blocks of a sheet or a file, between blank rows, and which of them are tables of their own. */
export class BlockScout {
  private readonly blocks: Block[] = []
  /** The block that the last row was in. */
  private current: GrowingBlock | null = null
  private isOne = false
  private readonly beside: boolean

  /** @param beside whether tables may stand side by side, with blank columns between */
  constructor(beside: boolean) {
    this.beside = beside
  }

  /** @param sample makes a copy of the row */
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
    if (right >= block.filled.length) block.filled = grown(block.filled, right + 1)
    for (let i = 0; i < count; i++) block.filled[columns[i]] = 1
    if (block.sample.length < SAMPLE) block.sample.push(sample())
  }

  /**
   * The tables; none where all of it is one.
   * @param textTables whether texts alone may be a table, too: only the person can tell
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
   * Of rows outside of tables whose places are known: further tables, and the remarks that there are; null where some of
   * these rows may belong to a table that is known.
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

/** Whether a block is no more rows of a table: it's above all of them, a remark, or keys with a value each. */
function isBeside(block: Block, known: readonly Range[], first: number): boolean {
  const { left, right, cells, rows, last } = block
  const widths = known.flatMap((range) =>
    left <= range.right && right >= range.left ? [range.right - range.left + 1] : [],
  )
  const isNarrow = cells === 1 ? isRemark(block) : cells === 2
  return rows <= SAMPLE && (last < first || (isNarrow && widths.every((width) => width > cells)))
}

type GrowingBlock = Block & { readonly sample: SampleRow[] }

function grown(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(size, bytes.length * 2))
  larger.set(bytes)
  return larger
}

/** The blocks, with those taken apart that are tables side by side; none where a block may go on with one of them. */
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

/** A block's columns, without the blank ones between them. */
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
  // Where not all rows were kept, those that were are enough.
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
    const isText = textTables && isTextTable(block, between, current)
    if (isText || (current ? isAnother(block, current, between) : isTable(block)))
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

/** Whether a block's rows have a text each, and nothing else. */
function isRemark({ rows, cells, sample }: Block): boolean {
  return cells === 1 && rows <= MAX_REMARKS && sample.every((row) => row.cells.every(({ kind }) => kind === 'text'))
}

/** Whether a block has a header of its own: names above values. */
function isTable({ rows, left, right, sample }: Block): boolean {
  if (right === left || rows < (right - left === 1 ? LEAST_ROWS_OF_TWO : LEAST_ROWS)) return false
  const header = findHeader(sample)
  if (header === null) return false
  const at = sample.findIndex(({ number }) => number === header)
  return isOverValues(sample[at], sample.slice(at + 1))
}

/** Whether a block is another table: after a title, of other columns, with the same names again or a name for each column. */
function isAnother(block: Block, { blocks: [first] }: Table, titles: readonly Block[]): boolean {
  if (!isTable(block)) return false
  if (titles.length > 0 || block.left !== first.left || block.right !== first.right) return true
  const names = namesIn(block)
  const texts = new Set(names.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])))
  return texts.size === block.right - block.left + 1 || printed(names) === printed(namesIn(first))
}

/**
 * Whether a block of texts alone may be a table: it has a title of its own, as the one above has, or other columns and kinds of
 * values than that, or other columns with names that columns usually have, as those above.
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

/** Whether two names and more are what columns are usually called. */
const areUsual = ({ names }: { readonly names: SampleRow['cells'] }): boolean =>
  names.filter(({ text }) => usualName(text) > 0).length > 1

/** The names above texts alone, which don't come again below; null where there are none, or other values. */
function namesOfTexts(
  { rows, left, right, sample }: Block,
  titles: readonly Block[],
): { readonly names: SampleRow['cells']; readonly isTitled: boolean } | null {
  const hasTitle = titles.length === 0 && sample[0].cells.length === 1
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

/** Whether another block has numbers and the like in a column of these texts. */
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

/** Whether it says something: a line that is drawn has no letters. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text)

/** What is nearest above a table's header and says something, without the mark of a remark. */
function titleOf(titles: readonly Block[], blocks: readonly Block[]): string {
  const title = titlesOf(titles, blocks).findLast(
    ({ cells }) => cells.length === 1 && cells[0].kind === 'text' && hasWords(cells[0].text),
  )
  return title ? textOf(title).replace(/^#+\s*/, '') : ''
}

/**
 * That each of several tables can be read as one of its own.
 * @param of the file or the sheet, and what its rows are called there
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
    // What is said of a column then is said of another one.
    ambiguous: true,
  }
}
