import { SLACK } from './assembly/layout.ts'
import { align, Kernel } from './kernel.ts'

/** Limits of a batch of records. */
export const BATCH_FIELDS = 1 << 17
export const BATCH_RECORDS = 1 << 15
export const BATCH_TEXT = 3 << 19
/** Cuts the text into equal chunks of about 1 MB, so that a batch stays in the processor's cache. */
export async function* inChunks(
  text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const slice of text) {
    const size = Math.ceil(slice.length / (Math.round(slice.length / 2 ** 20) || 1))
    for (let at = 0; at < slice.length; at += size) yield slice.subarray(at, at + size)
  }
}

/** Cells per block, so that a block stays in the processor's first-level cache. */
const NEAR_CELLS = 1 << 12

/**
 * Calls `work` on blocks of rows. Work that goes over the rows once per column then stays in the cache.
 * @param width cells per row
 */
export function forRowBlocks(rows: number, width: number, work: (from: number, to: number) => void): void {
  const step = Math.max(64, Math.floor(NEAR_CELLS / width))
  for (let from = 0; from < rows; from += step) work(from, Math.min(rows, from + step))
}

/** Initial capacity. Small, since many files are. */
const FIRST: Sizes = { fields: 1 << 12, records: 1 << 9, rows: 1 << 9, sums: 0, keys: 0, text: 1 << 10 }
/** Memory with a larger text isn't kept for reuse. Bytes. */
const LARGE_TEXT = 1 << 25

/** Capacities of the parts: number of cells, records, rows and sums; bytes of keys and of text. */
interface Sizes {
  readonly fields: number
  readonly records: number
  readonly rows: number
  readonly sums: number
  readonly keys: number
  readonly text: number
}

/**
 * Delimited text in the kernel's memory, with the cells and records that it's split into, as offsets in the text. The
 * arrays are replaced when the memory grows.
 */
export class CellMemory {
  kernel = new Kernel()
  bytes = new Uint8Array(0)
  /** Offsets and kind of each cell. */
  starts = new Int32Array(0)
  ends = new Int32Array(0)
  kinds = new Uint8Array(0)
  /** Index of each row's first cell. */
  first = new Int32Array(0)
  /** Index of each record's first field, with one more for the end of the last record. */
  firstFields = new Int32Array(0)
  recordStarts = new Int32Array(0)
  /** Without line ends. */
  recordEnds = new Int32Array(0)
  /** Line number in the file, from 1. */
  lines = new Float64Array(0)
  problems = new Uint8Array(0)
  /** Text checksum of each column. */
  sums = new BigUint64Array(0)
  /** Address of the first free byte. */
  free = 0
  private sizes = FIRST
  private places = placesOf(this.kernel.base, this.sizes)

  constructor() {
    this.place()
  }

  /** Address of the text. */
  get text(): number {
    return this.places.text
  }

  /** Address of the table of JSON's keys. */
  get keysAt(): number {
    return this.places.keys
  }

  /** Address of the sums. */
  get sumsAt(): number {
    return this.places.sums
  }

  /** Doubles the room for cells. */
  growFields(): void {
    this.fit({ fields: this.sizes.fields * 2 })
  }

  /** Doubles the room for records. */
  growRecords(): void {
    this.fit({ records: this.sizes.records * 2 })
  }

  /** Sets the index of each row's first cell. */
  setRows(first: Int32Array): void {
    if (first.length > this.sizes.rows) this.resize({ rows: first.length * 2 }, this.bytes.length)
    this.first.set(first)
  }

  /** Makes room for at least this many cells and records, and bytes of keys. */
  fit(least: Partial<Pick<Sizes, 'fields' | 'records' | 'keys'>>): void {
    const { fields, records, keys } = this.sizes
    const sizes = {
      fields: Math.max(fields, least.fields ?? 0),
      records: Math.max(records, least.records ?? 0),
      keys: Math.max(keys, least.keys ?? 0),
    }
    if (sizes.fields > fields || sizes.records > records || sizes.keys > keys) this.resize(sizes, this.bytes.length)
  }

  /** Makes room for more columns' sums, and sets those to zero. */
  addSums(columns: number): void {
    if (columns <= this.sizes.sums) return
    const before = this.sums.slice()
    this.beginSums(columns)
    this.sums.set(before)
  }

  /** Makes room for this many columns' sums, and sets all to zero. */
  beginSums(columns: number): void {
    if (columns > this.sizes.sums) this.resize({ sums: columns }, this.bytes.length)
    this.sums.fill(0n)
  }

  /**
   * Makes room for text.
   * @param kept bytes of text to keep
   * @param size bytes needed
   */
  fitText(kept: number, size: number): void {
    const { text } = this.sizes
    if (size <= text && (text <= LARGE_TEXT || size >= text / 4)) return
    const fitting = kept > 0 ? size * 2 : size + 1024
    if (fitting >= text) this.resize({ text: fitting }, kept)
    else this.shrink(fitting, kept)
  }

  /** Replaces the arrays if someone else has grown the memory. Call after the kernel was given to other code. */
  refresh(): void {
    if (this.bytes.buffer !== this.kernel.bytes.buffer) this.makeViews()
  }

  private resize(more: Partial<Sizes>, kept: number): void {
    const [before, from] = [this.places, this.sizes]
    this.sizes = { ...from, ...more }
    this.places = placesOf(this.kernel.base, this.sizes)
    this.kernel.reserve(this.places.end)
    // All parts move up, so the last one must move first.
    for (const name of PARTS.toReversed()) {
      const size = name === 'text' ? kept : sizeOf(name, from)
      this.kernel.bytes.copyWithin(this.places[name], before[name], before[name] + size)
    }
    this.place()
  }

  /** WebAssembly memory can't shrink, so this moves to a new instance. */
  private shrink(text: number, kept: number): void {
    const [before, from, old] = [this.places, this.sizes, this.kernel.bytes]
    this.sizes = { ...from, text }
    this.kernel = new Kernel()
    this.places = placesOf(this.kernel.base, this.sizes)
    this.kernel.reserve(this.places.end)
    for (const name of PARTS) {
      const size = name === 'text' ? kept : sizeOf(name, from)
      this.kernel.bytes.set(old.subarray(before[name], before[name] + size), this.places[name])
    }
    this.place()
  }

  private place(): void {
    const { text, starts, ends, kinds, first, firstFields, recordStarts, recordEnds, lines, problems } = this.places
    this.free = this.places.end
    this.kernel.reserve(this.free)
    this.kernel.exports.usePlaces(
      text,
      starts,
      ends,
      kinds,
      first,
      firstFields,
      recordStarts,
      recordEnds,
      lines,
      problems,
    )
    this.makeViews()
  }

  private makeViews(): void {
    const { places, sizes } = this
    const { buffer } = this.kernel.bytes
    this.bytes = new Uint8Array(buffer, places.text, sizes.text)
    this.starts = new Int32Array(buffer, places.starts, sizes.fields)
    this.ends = new Int32Array(buffer, places.ends, sizes.fields)
    this.kinds = new Uint8Array(buffer, places.kinds, sizes.fields)
    this.first = new Int32Array(buffer, places.first, sizes.rows)
    this.firstFields = new Int32Array(buffer, places.firstFields, sizes.records + 1)
    this.recordStarts = new Int32Array(buffer, places.recordStarts, sizes.records)
    this.recordEnds = new Int32Array(buffer, places.recordEnds, sizes.records)
    this.lines = new Float64Array(buffer, places.lines, sizes.records)
    this.problems = new Uint8Array(buffer, places.problems, sizes.records)
    this.sums = new BigUint64Array(buffer, places.sums, sizes.sums)
  }
}

/**
 * Memory of the last read or inspection, for reuse: allocating and growing one costs as much as reading a small file.
 */
let spare: CellMemory | null = null

/** A free memory, with any contents. */
export function acquireCells(): CellMemory {
  const cells = spare ?? new CellMemory()
  spare = null
  return cells
}

/** Gives a memory back for reuse. */
export function releaseCells(cells: CellMemory): void {
  if (cells.kernel.bytes.length <= LARGE_TEXT) spare = cells
}

/** In their order in memory. The last are the likeliest to grow. */
const PARTS = [
  'firstFields',
  'recordStarts',
  'recordEnds',
  'lines',
  'problems',
  'keys',
  'sums',
  'first',
  'starts',
  'ends',
  'kinds',
  'text',
] as const
type Part = (typeof PARTS)[number]

function sizeOf(part: Part, { fields, records, rows, sums, keys, text }: Sizes): number {
  switch (part) {
    case 'text':
    case 'keys':
      return part === 'text' ? text : keys
    case 'kinds':
      return fields
    case 'starts':
    case 'ends':
      return fields * 4
    case 'first':
      return rows * 4
    case 'sums':
    case 'lines':
      return (part === 'sums' ? sums : records) * 8
    case 'problems':
      return records
    case 'firstFields':
    case 'recordStarts':
    case 'recordEnds':
      return (records + 1) * 4
  }
}

function placesOf(base: number, sizes: Sizes): Readonly<Record<Part | 'end', number>> {
  const places = { end: base } as Record<Part | 'end', number>
  for (const part of PARTS) {
    places[part] = places.end
    places.end = align(places.end + sizeOf(part, sizes) + SLACK)
  }
  return places
}
