import { SLACK } from './assembly/layout.ts'
import { align, Kernel } from './kernel.ts'

/** Text of rows beyond this isn't copied into the kernel. Bytes. */
const MOST_TEXT = 64 * 1024 * 1024

/** Rows of fields, as positions in a text. */
export interface Cells {
  readonly bytes: Uint8Array
  /** Where the text of these rows begins and ends. */
  readonly from: number
  readonly to: number
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Plain, quoted, quoted with escapes, missing: 0 to 3. */
  readonly kinds: Uint8Array
  /** How many fields there are. */
  readonly fields: number
  /** Of each row, its first field. */
  readonly first: Int32Array
  readonly count: number
  /** A field's text without its escapes: valid until the next call. */
  readonly unescaped: (field: number) => Uint8Array
}

const ESCAPED = 2

/**
 * For each column a sum of hashes of its cells' text, modulo 2^64, as it stands in the file: quoted cells apart from
 * others, whatever is a null. It's the same for the same cells in any order, and another for almost any others: what one
 * reading of a file comes to, another has to come upon.
 */
export class CellSums {
  private readonly kernel = new Kernel()
  private readonly width: number
  private readonly sums: number
  private readonly free: number
  private isWhole = true
  /** Whether there is a NUL in the text. */
  nulBytes = false

  constructor(width: number) {
    this.width = width
    this.sums = this.kernel.base
    this.free = align(this.sums + width * 8)
    this.kernel.reserve(this.free + SLACK)
    this.words.fill(0n)
  }

  private get words(): BigUint64Array {
    return new BigUint64Array(this.kernel.bytes.buffer, this.sums, this.width)
  }

  add({ bytes, from, to, starts, ends, kinds, fields, first, count, unescaped }: Cells): void {
    if (count === 0) return
    if (to - from > MOST_TEXT) this.isWhole = false
    if (!this.isWhole) return
    const { kernel, width, free } = this
    const places = [fields * 4, fields * 4, fields, count * 4, to - from].reduce(
      (found, size) => [...found, align((found.at(-1) ?? 0) + size + SLACK)],
      [free],
    )
    const [startsAt, endsAt, kindsAt, firstAt, textAt, behind] = places
    kernel.reserve(behind)
    const memory = kernel.bytes
    const put = (at: number, from32: Int32Array, size: number): void =>
      new Int32Array(memory.buffer, at, size).set(from32.subarray(0, size))
    put(startsAt, starts, fields)
    put(endsAt, ends, fields)
    put(firstAt, first, count)
    memory.set(kinds.subarray(0, fields), kindsAt)
    memory.set(bytes.subarray(from, to), textAt)
    const { exports } = kernel
    if (!this.nulBytes && exports.hasNul(textAt, textAt + to - from) !== 0) this.nulBytes = true
    const escaped = exports.sumCells(textAt - from, startsAt, endsAt, kindsAt, firstAt, count, width, this.sums)
    if (escaped === 0) return
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < width; column++) {
        if (kinds[first[row] + column] === ESCAPED) this.addQuoted(column, unescaped(first[row] + column))
      }
    }
  }

  private addQuoted(column: number, text: Uint8Array): void {
    const { kernel, free } = this
    kernel.reserve(free + text.length + SLACK)
    kernel.bytes.set(text, free)
    kernel.exports.sumQuoted(this.sums + column * 8, free, text.length)
  }

  /** A number for each column; null where rows were too large to be looked at. */
  get found(): BigUint64Array | null {
    return this.isWhole ? this.words.slice() : null
  }

  /** Takes in what was found of other rows. */
  merge(found: BigUint64Array | null): void {
    if (found === null) this.isWhole = false
    else for (const [column, sum] of found.entries()) this.addTo(column, sum)
  }

  /** Takes in the sum of some cells of a column. */
  addTo(column: number, sum: bigint): void {
    this.words[column] += sum
  }
}

/** As it's told: 16 hexadecimal digits. */
export const printSum = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
