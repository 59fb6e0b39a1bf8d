import type { CellText } from './cell-text.ts'
import { findHeader, isOverValues, type SampleRow } from './header.ts'
import type { Range } from '../../../../tables/range.ts'
import type { Row } from './row.ts'
import { sampleRow } from './table-rows.ts'

/** Sheets of more blocks are one table with blank rows in it. */
const MAX_BLOCKS = 500
/** Rows that tell what a block is. */
const SAMPLE = 8
/** Remarks have no more rows. */
const MAX_REMARKS = 10
/** A table of its own has so many rows at least, its header counted; one of two columns could be a form. */
const LEAST_ROWS = 3
const LEAST_ROWS_OF_TWO = 4

/** A table on a sheet that has more on it than one. */
export interface Part {
  readonly range: Range | null
  /** Of the rows above it; may be empty. */
  readonly title: string
  /** Of each row of remarks behind it. */
  readonly footers: readonly string[]
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
  /** Its first rows. */
  readonly sample: SampleRow[]
}

interface Table {
  readonly titles: readonly Block[]
  readonly blocks: Block[]
}

/** Finds the blocks of a sheet, between blank rows, and which of them are tables of their own. */
export class BlockScout {
  private readonly blocks: Block[] = []
  private readonly cells: CellText
  private isOne = false

  constructor(cells: CellText) {
    this.cells = cells
  }

  take(row: Row): void {
    if (this.isOne) return
    const { number, count, column } = row
    let block = this.blocks.at(-1)
    if (!block || number > block.last + 1) {
      if (count === 0) return
      if (this.blocks.length === MAX_BLOCKS) this.isOne = true
      block = { first: number, last: number, rows: 0, left: column[0], right: column[0], cells: 0, sample: [] }
      this.blocks.push(block)
    }
    block.last = number
    block.rows++
    if (count === 0) return
    if (column[0] < block.left) block.left = column[0]
    if (column[count - 1] > block.right) block.right = column[count - 1]
    if (count > block.cells) block.cells = count
    if (block.sample.length < SAMPLE) block.sample.push(sampleRow(row, this.cells))
  }

  /** The tables; none where all of the sheet is one. */
  parts(): Part[] {
    if (this.isOne || this.blocks.length < 2) return []
    const { tables, footers } = tablesIn(this.blocks)
    if (tables.length === 0 || (tables.length === 1 && footers.length === 0)) return []
    const texts = footers.flatMap(({ sample }) => sample.map(textOf))
    return tables.map(({ titles, blocks }, i) => ({
      range: {
        top: tables.length === 1 ? 1 : Math.min(...[...titles, ...blocks].map(({ first }) => first)),
        bottom: Math.max(...blocks.map(({ last }) => last)),
        left: Math.min(...blocks.map(({ left }) => left)),
        right: Math.max(...blocks.map(({ right }) => right)),
      },
      title: titleOf(titles, blocks),
      footers: i === tables.length - 1 ? texts : [],
    }))
  }
}

function tablesIn(all: readonly Block[]): { tables: Table[]; footers: Block[] } {
  const tables: Table[] = []
  let between: Block[] = []
  for (const block of all) {
    const current = tables.at(-1)
    if (isRemark(block)) {
      between.push(block)
      continue
    }
    if (current ? isAnother(block, current, between) : isTable(block)) tables.push({ titles: between, blocks: [block] })
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

/** Whether a block is another table: behind a title, of other columns, or with the same names again. */
function isAnother(block: Block, { blocks: [first] }: Table, titles: readonly Block[]): boolean {
  if (!isTable(block)) return false
  return (
    titles.length > 0 || block.left !== first.left || block.right !== first.right || namesIn(block) === namesIn(first)
  )
}

function namesIn({ sample }: Block): string {
  const header = findHeader(sample)
  const row = sample.find(({ number }) => number === header)
  return JSON.stringify(row?.cells.map(({ text }) => text))
}

const textOf = (row: SampleRow): string => row.cells.map(({ text }) => text.trim()).join(' ')

/** What is nearest above a table's header. */
function titleOf(titles: readonly Block[], [{ sample }]: readonly Block[]): string {
  const header = findHeader(sample)
  const above = [...titles.flatMap((block) => block.sample), ...sample.filter(({ number }) => number < (header ?? 0))]
  const title = above.findLast(({ cells }) => cells.length === 1 && cells[0].kind === 'text')
  return title ? textOf(title) : ''
}
