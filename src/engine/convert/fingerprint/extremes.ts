import type { Data } from 'apache-arrow'
import { isNested, type ColumnType } from '../../../tables/types.ts'
import { printDecimal } from '../../arrow/write/digits.ts'
import { printCell, scalarText } from '../../arrow/scalars.ts'
import { FOUND_GREATEST, FOUND_LEAST, FOUND_SUMS } from '../../kernel/assembly/layout.ts'
import { ExactSum, placeBins, plainNumber, type ExactSumState } from './exact-sum.ts'
import { layoutOf, type PlacedColumn } from './hash.ts'
import type { RunMemory } from './run-memory.ts'

/**
 * The text of an extreme is cut to this many characters. The bytes kept and compared are the most that these can take.
 */
const SHOWN = 200
const KEPT_BYTES = SHOWN * 4
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Comparable forms of values, the same for a column: integers, doubles, or the first bytes of texts. */
type Comparable = bigint | number | Uint8Array

interface Extreme {
  readonly value: Comparable
  readonly text: string | null
}

/** Plain data. */
export interface ExtremesState {
  readonly least: Extreme | null
  readonly greatest: Extreme | null
  readonly total: bigint
  readonly exact: ExactSumState | null
}

/** Minimum, maximum and sum of a column, except for nested types. */
export class Extremes {
  private readonly type: ColumnType
  private readonly unsigned: boolean
  private least: Extreme | null = null
  private greatest: Extreme | null = null
  /** Of integers and decimals, without their point. */
  private total = 0n
  /** Of doubles. */
  private readonly exact: ExactSum | null

  constructor(type: ColumnType) {
    this.type = type
    this.unsigned = type.kind === 'scalar' && type.name.startsWith('U')
    this.exact = layoutOf(type) === 'doubles' ? new ExactSum() : null
  }

  /** @param placed rows of `data` from `start` on, at most 2^20 of them */
  add(data: Data, start: number, placed: PlacedColumn, memory: RunMemory): void {
    const bins = this.exact ? placeBins(memory) : 0
    if (!this.find(placed, bins, memory)) return
    const view = new DataView(memory.kernel.bytes.buffer, memory.kernel.exports.foundAt())
    const least = view.getInt32(FOUND_LEAST, true)
    if (least < 0) return
    const greatest = view.getInt32(FOUND_GREATEST, true)
    const sum = (index: number): bigint => view.getBigInt64(FOUND_SUMS + index * 8, true)
    if (this.exact) this.exact.add(memory, bins, sum)
    else for (let word = 0; word < 4; word++) this.total += sum(word) << BigInt(word * 32)
    const low = this.valueAt(data, start + least)
    if (!this.least || compare(low, this.least.value) < 0) this.least = this.extreme(low, data, start + least)
    const high = this.valueAt(data, start + greatest)
    if (!this.greatest || compare(high, this.greatest.value) > 0) {
      this.greatest = this.extreme(high, data, start + greatest)
    }
  }

  /** Lets the kernel find them; returns false if all values are null. */
  private find({ values, offsets, count, bits, bit }: PlacedColumn, bins: number, memory: RunMemory): boolean {
    const { exports } = memory.kernel
    switch (layoutOf(this.type)) {
      case 'bits':
      case 'words':
        exports.findWords(values, count, bits, bit, this.unsigned)
        return true
      case 'pairs':
        exports.findPairs(values, count, bits, bit, this.unsigned)
        return true
      case 'quads':
        exports.findQuads(values, count, bits, bit)
        return true
      case 'doubles':
        exports.findDoubles(values, count, bits, bit, bins)
        return true
      case 'texts':
        exports.findTexts(offsets, values, count, bits, bit, KEPT_BYTES)
        return true
      case null:
        return false
    }
  }

  private valueAt(data: Data, row: number): Comparable {
    switch (layoutOf(this.type)) {
      case 'doubles':
        return data.values[row] as number
      case 'quads': {
        const { buffer, byteOffset } = data.values as Uint32Array
        const words = new DataView(buffer, byteOffset + row * 16)
        return (words.getBigInt64(8, true) << 64n) + words.getBigUint64(0, true)
      }
      case 'bits':
        return BigInt((data.values[(data.offset + row) >> 3] >> ((data.offset + row) & 7)) & 1)
      case 'texts': {
        const [from, to] = [data.valueOffsets[row], data.valueOffsets[row + 1]]
        return data.values.slice(from, Math.min(to, from + KEPT_BYTES)) as Uint8Array
      }
      case 'words':
      case 'pairs':
      case null:
        return BigInt(data.values[row] as number | bigint)
    }
  }

  private extreme(value: Comparable, data: Data, row: number): Extreme {
    const { type } = this
    if (!(value instanceof Uint8Array)) {
      return { value, text: isNested(type) ? null : printCell(scalarText(type, data), row) }
    }
    const isBlob = type.kind === 'scalar' && type.name === 'BLOB'
    const text = isBlob ? btoa(String.fromCharCode(...value)) : decoder.decode(value)
    return { value, text: text.length <= SHOWN ? text : Array.from(text).slice(0, SHOWN).join('') }
  }

  get min(): string | null {
    return this.least?.text ?? null
  }
  get max(): string | null {
    return this.greatest?.text ?? null
  }

  /** Null if the type isn't numeric. */
  sum(): string | null {
    const { type, total, exact } = this
    if (exact) return plainNumber(exact.value())
    if (type.kind === 'decimal') return printDecimal(total, type.scale)
    return type.kind === 'scalar' && /INT/.test(type.name) && type.name !== 'INTERVAL' ? String(total) : null
  }

  /** The result so far, for merging. */
  get state(): ExtremesState {
    const { least, greatest, total, exact } = this
    return { least, greatest, total, exact: exact?.state ?? null }
  }

  /** Merges the result of other rows of the same type. */
  merge({ least, greatest, total, exact }: ExtremesState): void {
    if (least && (!this.least || compare(least.value, this.least.value) < 0)) this.least = least
    if (greatest && (!this.greatest || compare(greatest.value, this.greatest.value) > 0)) this.greatest = greatest
    this.total += total
    if (exact) this.exact?.merge(exact)
  }
}

/** Compares values, with -0 before 0 and NaN last, and texts by the bytes that are kept. */
function compare(a: Comparable, b: Comparable): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    const differing = a.findIndex((byte, i) => byte !== b[i])
    // If they are equal up to there, the shorter one comes first.
    return differing < 0 ? a.length - b.length : a[differing] - (b[differing] ?? -1)
  }
  if (a < b) return -1
  if (a > b) return 1
  const [isNan, isOtherNan] = [Number.isNaN(a), Number.isNaN(b)]
  if (isNan || isOtherNan) return Number(isNan) - Number(isOtherNan)
  return Number(Object.is(b, -0)) - Number(Object.is(a, -0))
}
