import type { Range } from '../../../tables/range.ts'
import type { SampleRow } from './cells.ts'
import { findHeader, isOverValues } from './find-header.ts'
import { MAX_REMARKS } from './totals.ts'

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
  /** Of each row of remarks behind it. */
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
  private readonly textTables: boolean

  /**
   * @param options `beside` whether tables may stand side by side, with blank columns between; `textTables` whether texts alone
   * may be a table, below a title of its own and another table: where nothing is read so unasked
   */
  constructor({ beside, textTables }: { readonly beside: boolean; readonly textTables: boolean }) {
    this.beside = beside
    this.textTables = textTables
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

  /** The tables; none where all of it is one. */
  parts(): Part[] {
    const all = this.beside ? sideBySide(this.blocks) : this.blocks
    if (this.isOne || all.length < 2) return []
    const { tables, footers } = tablesIn(all, this.textTables)
    if (tables.length === 0 || (tables.length === 1 && footers.length === 0)) return []
    const texts = footers.flatMap(({ sample }) => sample.map(textOf))
    return tables.map(({ titles, blocks }, i) => ({
      range: {
        top: tables.length === 1 ? 1 : Math.min(...[...titles, ...blocks].map(({ first }) => first)),
        bottom: Math.max(...blocks.map(({ last }) => last)),
        left: Math.min(...blocks.map(({ left }) => left)),
        right: Math.max(...blocks.map(({ right }) => right)),
      },
      titles: titlesOf(titles, blocks).map(textOf),
      title: titleOf(titles, blocks),
      footers: i === tables.length - 1 ? texts : [],
      sample: blocks[0].sample,
    }))
  }
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
    if (current ? isAnother(block, current, between, textTables) : isTable(block))
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

/** Whether a block is another table: behind a title, of other columns, with the same names again or a name for each column. */
function isAnother(block: Block, { blocks: [first] }: Table, titles: readonly Block[], textTables: boolean): boolean {
  if (!isTable(block)) return textTables && isTitled(block, titles) && hasOtherKinds(block, first)
  if (titles.length > 0 || block.left !== first.left || block.right !== first.right) return true
  const names = namesIn(block)
  const texts = new Set(names.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])))
  return texts.size === block.right - block.left + 1 || printed(names) === printed(namesIn(first))
}

/** Whether a block has a title above names that don't come again below them. */
function isTitled({ sample }: Block, titles: readonly Block[]): boolean {
  const [names, ...below] = titles.length > 0 ? sample : sample.slice(1)
  if ((titles.length === 0 && sample[0].cells.length > 1) || below.length < LEAST_ROWS - 1) return false
  const said = new Set(names.cells.map(({ text }) => text))
  return (
    names.cells.length > 1 &&
    names.cells.every(({ kind }) => kind === 'text') &&
    said.size === names.cells.length &&
    below.every(({ cells }) => cells.length > 1 && !cells.some(({ text }) => said.has(text)))
  )
}

/** Whether there are texts alone where another block has numbers and the like. */
function hasOtherKinds(block: Block, other: Block): boolean {
  const names = namesIn(other)
  const values = other.sample.flatMap(({ cells }) => cells.filter((cell) => !names.includes(cell)))
  const own = block.sample.flatMap(({ cells }) => cells)
  const areTexts = own.every(({ kind }) => kind === 'text')
  return (
    areTexts &&
    own.some(({ column }) => {
      const above = values.filter((cell) => cell.column === column)
      return above.length > 0 && above.every(({ kind }) => kind !== 'text')
    })
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

/** What is nearest above a table's header. */
function titleOf(titles: readonly Block[], blocks: readonly Block[]): string {
  const title = titlesOf(titles, blocks).findLast(({ cells }) => cells.length === 1 && cells[0].kind === 'text')
  return title ? textOf(title) : ''
}
