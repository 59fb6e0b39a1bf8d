import { BufferType } from 'apache-arrow'
import { grown } from '../../../lib/bytes.ts'
import type { ScalarType } from '../../../tables/types.ts'
import { FlatBuilder, type ValueBuffers } from './flat.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const LONGEST_WORD = 200

/** BOOLEAN: words for true and false, ignoring case. */
export class BooleanBuilder extends FlatBuilder<ScalarType> {
  private bits = new Uint8Array(128)
  private readonly trueWords: ReadonlySet<string>
  private readonly falseWords: ReadonlySet<string>
  /** What nulls become if the empty text is a word: 1, 0, or -1 for null. */
  private readonly nullWord: number
  /** Whether only `true` and `false` are allowed, which are read without creating strings. */
  private readonly plain: boolean

  constructor(type: ScalarType, trueValues: readonly string[] = ['true'], falseValues: readonly string[] = ['false']) {
    super(type)
    this.trueWords = new Set(trueValues.map((word) => word.toLowerCase()))
    this.falseWords = new Set(falseValues.map((word) => word.toLowerCase()))
    this.nullWord = this.trueWords.has('') ? 1 : this.falseWords.has('') ? 0 : -1
    this.plain =
      this.trueWords.size === 1 &&
      this.trueWords.has('true') &&
      this.falseWords.size === 1 &&
      this.falseWords.has('false')
  }

  get byteLength(): number {
    return (this.length >> 3) + this.validity.byteLength
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const value = this.plain ? readPlain(bytes, start, end) : this.readWord(bytes, start, end)
    if (value < 0) return false
    this.push(value)
    return true
  }

  private push(value: number): void {
    const row = this.length
    const at = row >> 3
    if (at === this.bits.length) this.bits = grown(this.bits, at * 2)
    if (value === 1) this.bits[at] |= 1 << (row & 7)
    else this.bits[at] &= ~(1 << (row & 7))
    this.validity.setValid(row)
    this.length = row + 1
  }

  private readWord(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > LONGEST_WORD) return -1
    const word = decoder.decode(bytes.subarray(start, end)).toLowerCase()
    return this.trueWords.has(word) ? 1 : this.falseWords.has(word) ? 0 : -1
  }

  appendNull(): void {
    if (this.nullWord >= 0) {
      this.push(this.nullWord)
      return
    }
    const row = this.length
    if (row >> 3 === this.bits.length) this.bits = grown(this.bits, this.bits.length * 2)
    this.bits[row >> 3] &= ~(1 << (row & 7))
    this.validity.setNull(row)
    this.length = row + 1
  }

  protected takeValues(length: number): ValueBuffers {
    const values = this.bits.subarray(0, (length + 7) >> 3)
    // Clear bits of truncated rows.
    if ((length & 7) !== 0) values[length >> 3] &= (1 << (length & 7)) - 1
    this.bits = new Uint8Array(Math.max(128, values.length))
    return { [BufferType.DATA]: values }
  }
}

/** 1 for `true`, 0 for `false`, -1 for anything else, ignoring case. */
function readPlain(bytes: Uint8Array, start: number, end: number): number {
  if (end - start === 4) {
    return (bytes[start] | 0x20) === 0x74 &&
      (bytes[start + 1] | 0x20) === 0x72 &&
      (bytes[start + 2] | 0x20) === 0x75 &&
      (bytes[start + 3] | 0x20) === 0x65
      ? 1
      : -1
  }
  return end - start === 5 &&
    (bytes[start] | 0x20) === 0x66 &&
    (bytes[start + 1] | 0x20) === 0x61 &&
    (bytes[start + 2] | 0x20) === 0x6c &&
    (bytes[start + 3] | 0x20) === 0x73 &&
    (bytes[start + 4] | 0x20) === 0x65
    ? 0
    : -1
}
