import { damaged, type Pages } from './pages.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/* Reads rows according to https://www.sqlite.org/fileformat2.html: records in the cells of b-trees. */

const INTERIOR_INDEX = 2
const INTERIOR_TABLE = 5
const LEAF_INDEX = 10
const LEAF_TABLE = 13
/** Maximum depth of a tree. */
const DEEPEST = 40

/** A row: its row id (0 in an index), and its record. */
export interface StoredRow {
  readonly rowid: number | bigint
  readonly record: Uint8Array
  /** Its page. */
  readonly page: number
}

/** A value and its storage class. */
export type Stored =
  | { readonly kind: 'null' }
  | { readonly kind: 'integer'; readonly value: number | bigint }
  | { readonly kind: 'real'; readonly value: number }
  | { readonly kind: 'text' | 'blob'; readonly bytes: Uint8Array }

/**
 * Reads the rows of a table in order, or of the index that stores a table WITHOUT ROWID, a page at a time. Each page
 * may occur only once, so that circular references end with an error.
 * @throws {EngineError} `corrupt-file` with the page
 */
export async function* storedRows(
  pages: Pages,
  root: number,
  signal: AbortSignal,
): AsyncGenerator<StoredRow[], void, undefined> {
  const seen = new Uint8Array((pages.count >> 3) + 1)
  const waiting: Visit[] = [{ page: root, cell: 0 }]
  for (let visit = waiting.at(-1); visit; visit = waiting.at(-1)) {
    await checkpoint(signal)
    const node = new Node(await pages.page(visit.page), visit.page, pages.usable)
    if (visit.cell === 0) {
      const bit = 1 << (visit.page & 7)
      if ((seen[visit.page >> 3] & bit) !== 0) throw damaged('its pages name each other in a circle', visit.page)
      seen[visit.page >> 3] |= bit
    }
    if (node.isLeaf) {
      const rows: StoredRow[] = []
      for (let cell = 0; cell < node.count; cell++) rows.push(await rowOf(pages, node, cell))
      waiting.pop()
      yield rows
      continue
    }
    if (waiting.length > DEEPEST) throw damaged('its pages are nested too deeply', visit.page)
    // In an index, interior pages have rows, too: one between each two child pages.
    if (!node.isTable && visit.cell > 0 && visit.cell <= node.count) yield [await rowOf(pages, node, visit.cell - 1)]
    if (visit.cell > node.count) waiting.pop()
    else waiting.push({ page: node.childAt(visit.cell++), cell: 0 })
  }
}

interface Visit {
  readonly page: number
  /** Index of the next child. */
  cell: number
}

/** A page of a b-tree. */
class Node {
  readonly isLeaf: boolean
  readonly isTable: boolean
  readonly count: number
  readonly view: DataView
  readonly number: number
  readonly usable: number
  private readonly head: number

  constructor(bytes: Uint8Array, number: number, usable: number) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, usable)
    this.number = number
    this.usable = usable
    // The first page begins with the file's header.
    this.head = number === 1 ? 100 : 0
    const kind = this.view.getUint8(this.head)
    if (![INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE].includes(kind)) {
      throw damaged('what should be rows is something else', number)
    }
    this.isLeaf = kind === LEAF_INDEX || kind === LEAF_TABLE
    this.isTable = kind === LEAF_TABLE || kind === INTERIOR_TABLE
    this.count = this.view.getUint16(this.head + 3)
    if (this.head + (this.isLeaf ? 8 : 12) + this.count * 2 > usable) throw damaged('it has too many rows', number)
  }

  /** Offset of a cell. */
  cellAt(index: number): number {
    const at = this.view.getUint16(this.head + (this.isLeaf ? 8 : 12) + index * 2)
    if (at + 4 > this.usable) throw damaged('a row is outside of its page', this.number)
    return at
  }

  /** Page of a child. The page after the last cell's is stored separately. */
  childAt(index: number): number {
    return this.view.getUint32(index === this.count ? this.head + 8 : this.cellAt(index))
  }
}

async function rowOf(pages: Pages, node: Node, cell: number): Promise<StoredRow> {
  const { view, usable, number: page } = node
  const reader = new Varints(view, node.cellAt(cell) + (node.isLeaf ? 0 : 4), page)
  const size = Number(reader.next())
  const rowid = node.isTable ? reader.next() : 0
  if (size > pages.count * usable) throw damaged('a row is larger than the file', page)
  const most = node.isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const fitting = least + ((size - least) % (usable - 4))
  const local = size <= most ? size : fitting <= most ? fitting : least
  const { at } = reader
  if (at + local + (local < size ? 4 : 0) > usable) throw damaged('a row doesn’t end on its page', page)
  const start = new Uint8Array(view.buffer, view.byteOffset + at, local)
  if (local === size) return { rowid, record: start, page }
  const record = new Uint8Array(size)
  record.set(start)
  let next = view.getUint32(at + local)
  for (let filled = local; filled < size;) {
    const bytes = await pages.page(next)
    const part = bytes.subarray(4, Math.min(usable, 4 + size - filled))
    record.set(part, filled)
    filled += part.length
    next = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
  }
  return { rowid, record, page }
}

/**
 * The values of a row's record.
 * @throws {EngineError} `corrupt-file`
 */
export function valuesOf({ record, page }: StoredRow): Stored[] {
  const view = new DataView(record.buffer, record.byteOffset, record.length)
  const header = new Varints(view, 0, page)
  let at = Number(header.next())
  const end = at
  if (end > record.length) throw damaged('a row’s values are beyond its end', page)
  const values: Stored[] = []
  while (header.at < end) {
    const type = Number(header.next())
    const size = type < 12 ? SIZES[type] : (type - 12 - (type & 1)) / 2
    if (size === undefined || at + size > record.length) throw damaged('a row’s values are beyond its end', page)
    values.push(valueOf(view, type, at, size))
    at += size
  }
  return values
}

/** Bytes by serial type; 10 and 11 never occur in files. */
const SIZES: readonly (number | undefined)[] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
const NULL: Stored = { kind: 'null' }

function valueOf(view: DataView, type: number, at: number, size: number): Stored {
  if (type === 0) return NULL
  if (type === 7) {
    const value = view.getFloat64(at)
    return Number.isNaN(value) ? NULL : { kind: 'real', value }
  }
  if (type >= 12) {
    return { kind: type % 2 === 0 ? 'blob' : 'text', bytes: new Uint8Array(view.buffer, view.byteOffset + at, size) }
  }
  return { kind: 'integer', value: type >= 8 ? type - 8 : integerOf(view, at, size) }
}

function integerOf(view: DataView, at: number, size: number): number | bigint {
  if (size === 8) {
    const value = view.getBigInt64(at)
    return BigInt.asIntN(53, value) === value ? Number(value) : value
  }
  let value = view.getInt8(at)
  for (let i = 1; i < size; i++) value = value * 256 + view.getUint8(at + i)
  return value
}

/** Numbers of one to nine bytes, with seven bits per byte and eight in the ninth. */
class Varints {
  at: number
  private readonly view: DataView
  private readonly page: number

  constructor(view: DataView, at: number, page: number) {
    this.view = view
    this.at = at
    this.page = page
  }

  next(): number | bigint {
    const { view, page } = this
    let value = 0
    for (let i = 0; i < 7; i++) {
      if (this.at >= view.byteLength) throw damaged('a row doesn’t end on its page', page)
      const byte = view.getUint8(this.at++)
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
    let large = BigInt(value)
    for (let i = 7; i < 9; i++) {
      if (this.at >= view.byteLength) throw damaged('a row doesn’t end on its page', page)
      const byte = view.getUint8(this.at++)
      large = i === 8 ? (large << 8n) | BigInt(byte) : (large << 7n) | BigInt(byte & 127)
      if (i === 7 && byte < 128) break
    }
    return BigInt.asIntN(64, large)
  }
}
