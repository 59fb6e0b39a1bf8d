import type { Data } from 'apache-arrow'
import { printDecimal } from './print.ts'
import { isNested, type ColumnType, type ScalarName } from '../../../tables/types.ts'
import { BytesExtremes } from './extremes-bytes.ts'
import { validityOf, type Extremes, type PrintCell } from './extremes-kind.ts'
import { ExactSum, plainNumber, type ExactSumState } from './exact-sum.ts'

const TWO_32 = 4_294_967_296

type Print = (data: Data, row: number) => string | null

/** Lists, structs and maps have no order. */
class NoExtremes implements Extremes {
  readonly min = null
  readonly max = null
  readonly state = null
  add(): void {}
  merge(): void {}
  sum(): null {
    return null
  }
}

/** Texts of the extremes. */
interface Shown {
  readonly min: string | null
  readonly max: string | null
}

interface SmallState extends Shown {
  readonly least: number
  readonly greatest: number
  readonly total: bigint
}

/** BOOLEAN, DATE and integers of up to 32 bits. */
class SmallExtremes implements Extremes {
  min: string | null = null
  max: string | null = null
  private readonly boolean: boolean
  private readonly summed: boolean
  private readonly print: Print
  private least = Number.POSITIVE_INFINITY
  private greatest = Number.NEGATIVE_INFINITY
  private total = 0n
  private values = new Float64Array(0)

  constructor(print: Print, { summed = false, boolean = false } = {}) {
    this.print = print
    this.boolean = boolean
    this.summed = summed
  }

  add(data: Data, start: number, end: number): void {
    const count = end - start
    if (this.values.length < count) this.values = new Float64Array(count)
    const { values } = this
    if (this.boolean) {
      for (let i = 0, at = data.offset + start; i < count; i++, at++) values[i] = (data.values[at >> 3] >> (at & 7)) & 1
    } else {
      values.set(data.values.subarray(start, end))
    }
    const bits = validityOf(data)
    const offset = data.offset + start
    let { least, greatest } = this
    let leastRow = -1
    let greatestRow = -1
    let sum = 0
    for (let i = 0; i < count; i++) {
      if (bits !== null && (bits[(offset + i) >> 3] & (1 << ((offset + i) & 7))) === 0) continue
      const value = values[i]
      sum += value
      if (value < least) {
        least = value
        leastRow = i
      }
      if (value > greatest) {
        greatest = value
        greatestRow = i
      }
    }
    this.least = least
    this.greatest = greatest
    this.total += BigInt(sum)
    if (leastRow >= 0) this.min = this.print(data, start + leastRow)
    if (greatestRow >= 0) this.max = this.print(data, start + greatestRow)
  }

  sum(): string | null {
    return this.summed ? String(this.total) : null
  }

  get state(): SmallState {
    const { least, greatest, total, min, max } = this
    return { least, greatest, total, min, max }
  }

  merge(other: SmallState): void {
    if (other.least < this.least) {
      this.least = other.least
      this.min = other.min
    }
    if (other.greatest > this.greatest) {
      this.greatest = other.greatest
      this.max = other.max
    }
    this.total += other.total
  }
}

interface WordsState extends Shown {
  readonly least: Int32Array | null
  readonly greatest: Int32Array | null
  readonly total: bigint
}

/**
 * Values of two or four 32-bit words, the most significant last: 64-bit integers, times, decimals. The most
 * significant word has the sign, unless all words are unsigned.
 */
class WordsExtremes implements Extremes {
  min: string | null = null
  max: string | null = null
  private readonly print: Print
  private readonly stride: number
  /** What to flip in the most significant word, so that it compares as a signed one. */
  private readonly flip: number
  /** Digits behind the point of the sum; null when there is no sum. */
  private readonly scale: number | null
  private least: Int32Array | null = null
  private greatest: Int32Array | null = null
  private total = 0n

  constructor(print: Print, stride: number, unsigned: boolean, scale: number | null) {
    this.print = print
    this.stride = stride
    this.flip = unsigned ? 0x80000000 : 0
    this.scale = scale
  }

  add(data: Data, start: number, end: number): void {
    const { buffer, byteOffset, byteLength } = data.values as Uint32Array
    const words = new Int32Array(buffer, byteOffset, byteLength >> 2)
    const bits = validityOf(data)
    const { stride } = this
    let least = -1
    let greatest = -1
    let low = 0
    let high = 0
    for (let row = start, at = data.offset + start; row < end; row++, at++) {
      if (bits !== null && (bits[at >> 3] & (1 << (at & 7))) === 0) continue
      const near = this.nearest(words, row)
      if (least < 0) {
        least = row
        greatest = row
        low = near
        high = near
        continue
      }
      // Well inside, for all that rounding may do; decimals beyond 64 bits are always compared word by word.
      if ((stride === 2 || fits64(words, row * 4)) && near > low && near < high) continue
      if (this.less(words, row, words, least)) {
        least = row
        low = near
      } else if (this.less(words, greatest, words, row)) {
        greatest = row
        high = near
      }
    }
    if (this.scale !== null) this.addSum(words, bits, data.offset, start, end)
    if (least < 0) return
    if (this.least === null || this.less(words, least, this.least, 0)) {
      this.least = words.slice(least * this.stride, (least + 1) * this.stride)
      this.min = this.print(data, least)
    }
    if (this.greatest === null || this.less(this.greatest, 0, words, greatest)) {
      this.greatest = words.slice(greatest * this.stride, (greatest + 1) * this.stride)
      this.max = this.print(data, greatest)
    }
  }

  /** The value as a double. */
  private nearest(words: Int32Array, row: number): number {
    const at = row * this.stride
    if (this.stride === 2) {
      const top = words[at + 1]
      return (this.flip === 0 ? top : top >>> 0) * TWO_32 + (words[at] >>> 0)
    }
    const upper = words[at + 3] * TWO_32 + (words[at + 2] >>> 0)
    return (upper * TWO_32 + (words[at + 1] >>> 0)) * TWO_32 + (words[at] >>> 0)
  }

  private less(a: Int32Array, aRow: number, b: Int32Array, bRow: number): boolean {
    let i = aRow * this.stride + this.stride - 1
    let j = bRow * this.stride + this.stride - 1
    if (a[i] !== b[j]) return (a[i] ^ this.flip) < (b[j] ^ this.flip)
    for (let left = this.stride - 1; left > 0; left--) {
      i--
      j--
      if (a[i] !== b[j]) return a[i] >>> 0 < b[j] >>> 0
    }
    return false
  }

  /** Adds each word by itself: sums of 2^20 words are exact. */
  private addSum(words: Int32Array, bits: Uint8Array | null, offset: number, start: number, end: number): void {
    const wide = this.stride === 4
    const signed = this.flip === 0
    let [first, second, third, fourth] = [0, 0, 0, 0]
    for (let row = start; row < end; row++) {
      if (bits !== null && (bits[(offset + row) >> 3] & (1 << ((offset + row) & 7))) === 0) continue
      if (wide) {
        const at = row * 4
        first += words[at] >>> 0
        second += words[at + 1] >>> 0
        third += words[at + 2] >>> 0
        fourth += words[at + 3]
      } else {
        first += words[row * 2] >>> 0
        second += signed ? words[row * 2 + 1] : words[row * 2 + 1] >>> 0
      }
    }
    this.total += BigInt(first) + (BigInt(second) << 32n) + (BigInt(third) << 64n) + (BigInt(fourth) << 96n)
  }

  sum(): string | null {
    return this.scale === null ? null : printDecimal(this.total, this.scale)
  }

  get state(): WordsState {
    const { least, greatest, total, min, max } = this
    return { least, greatest, total, min, max }
  }

  merge(other: WordsState): void {
    if (other.least && (this.least === null || this.less(other.least, 0, this.least, 0))) {
      this.least = other.least
      this.min = other.min
    }
    if (other.greatest && (this.greatest === null || this.less(this.greatest, 0, other.greatest, 0))) {
      this.greatest = other.greatest
      this.max = other.max
    }
    this.total += other.total
  }
}

interface FloatState extends Shown {
  readonly any: boolean
  readonly least: number
  readonly greatest: number
  readonly exact: ExactSumState
}

/** Whether a 128-bit integer is one of 64 bits, its upper words being but its sign. */
function fits64(words: Int32Array, at: number): boolean {
  const sign = words[at + 1] >> 31
  return words[at + 2] === sign && words[at + 3] === sign
}

/** FLOAT and DOUBLE: -0 before 0, NaN behind everything, as DuckDB sorts them. */
class FloatExtremes implements Extremes {
  min: string | null = null
  max: string | null = null
  private readonly print: Print
  private least = Number.NaN
  private greatest = Number.NEGATIVE_INFINITY
  private any = false
  private readonly exact = new ExactSum()
  private values = new Float64Array(0)

  constructor(print: Print) {
    this.print = print
  }

  add(data: Data, start: number, end: number): void {
    const count = end - start
    if (this.values.length < count) this.values = new Float64Array(count)
    const { values } = this
    values.set(data.values.subarray(start, end))
    const bits = validityOf(data)
    const offset = data.offset + start
    let { any, least, greatest } = this
    let leastRow = -1
    let greatestRow = -1
    for (let i = 0; i < count; i++) {
      if (bits !== null && (bits[(offset + i) >> 3] & (1 << ((offset + i) & 7))) === 0) continue
      const value = values[i]
      // Well inside: neither an extreme, nor a zero or a NaN that could be one.
      if (value > least && value < greatest) continue
      if (!any || before(value, least)) {
        least = value
        leastRow = i
      }
      if (!any || before(greatest, value)) {
        greatest = value
        greatestRow = i
      }
      any = true
    }
    this.any = any
    this.least = least
    this.greatest = greatest
    this.exact.add(new Int32Array(values.buffer), count, bits, offset)
    if (leastRow >= 0) this.min = this.print(data, start + leastRow)
    if (greatestRow >= 0) this.max = this.print(data, start + greatestRow)
  }

  sum(): string | null {
    return plainNumber(this.exact.value())
  }

  get state(): FloatState {
    const { any, least, greatest, min, max } = this
    return { any, least, greatest, min, max, exact: this.exact.state }
  }

  merge(other: FloatState): void {
    if (!other.any) return
    if (!this.any || before(other.least, this.least)) {
      this.least = other.least
      this.min = other.min
    }
    if (!this.any || before(this.greatest, other.greatest)) {
      this.greatest = other.greatest
      this.max = other.max
    }
    this.any = true
    this.exact.merge(other.exact)
  }
}

function before(a: number, b: number): boolean {
  if (a < b) return true
  if (a > b) return false
  // Equal, or NaN on either side.
  return a === b ? a === 0 && Object.is(a, -0) && !Object.is(b, -0) : !Number.isNaN(a)
}

const SMALL = new Set<ScalarName>(['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER'])
const TEXTS = new Set<ScalarName>(['VARCHAR', 'UUID', 'INTERVAL', 'JSON'])

/** What finds a column's extremes, in its one physical type; `printCell` gives their text. */
export function makeExtremes(type: ColumnType, printCell: PrintCell): Extremes {
  if (isNested(type)) return new NoExtremes()
  const print: Print = (data, row) => printCell(type, data, row)
  if (type.kind === 'decimal') return new WordsExtremes(print, 4, false, type.scale)
  const { name } = type
  if (SMALL.has(name)) return new SmallExtremes(print, { summed: true })
  if (TEXTS.has(name)) return new BytesExtremes(false)
  if (name === 'BLOB') return new BytesExtremes(true)
  if (name === 'BOOLEAN' || name === 'DATE') return new SmallExtremes(print, { boolean: name === 'BOOLEAN' })
  if (name === 'FLOAT' || name === 'DOUBLE') return new FloatExtremes(print)
  if (name === 'HUGEINT') return new WordsExtremes(print, 4, false, 0)
  if (name === 'BIGINT' || name === 'UBIGINT') return new WordsExtremes(print, 2, name === 'UBIGINT', 0)
  return new WordsExtremes(print, 2, false, null)
}
