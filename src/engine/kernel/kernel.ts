import base64 from 'virtual:rowhouse-kernel'
import { formatBytes } from '../../lib/bytes.ts'

/** The smallest power of ten in the table: ten times less, times any 64-bit integer, rounds to zero. */
const SMALLEST = -342

/** The largest power of ten in the table: what the smallest double has to be multiplied by to get its digits. */
const LARGEST = 324

/** From here on up to -1 the powers are rounded up, so that a product that's exact can be told from one that isn't. */
const FIRST_ROUNDED_UP = -27

const BITS = 128n

/** The top 128 bits of an integer, the rest cut off, or the integer shifted up to 128 bits. */
function normalise(value: bigint): bigint {
  const surplus = BigInt(value.toString(2).length) - BITS
  return surplus < 0n ? value << -surplus : value >> surplus
}

/**
 * The powers of ten that `assembly/doubles.ts` needs, as significands of 128 bits of which the topmost is set. Each has
 * 16 bytes: the low and then the high 64 bits, both little-endian. The first is that of 10^-342, the last that of
 * 10^324; so the significand of 10^e is at `(e + 342) * 16`. They're cut off, but for 10^-27 to 10^-1, which are
 * rounded up; from 10^0 to 10^55 they're exact. That's what Eisel-Lemire needs (https://arxiv.org/abs/2101.11408 and
 * the script `table_generation.py` of https://github.com/fastfloat/fast_float). For Schubfach, which needs all of them
 * rounded up, one is added to those cut off: none ends in 64 ones, so that this never carries into the high half.
 */
export function powersOfTen(): Uint8Array<ArrayBuffer> {
  const table = new DataView(new ArrayBuffer((LARGEST - SMALLEST + 1) * 16))
  // A power of five has the same significand as that of ten.
  let power = 1n
  for (let exponent = 0; exponent <= Math.max(-SMALLEST, LARGEST); exponent++) {
    if (exponent <= LARGEST) store(table, exponent, normalise(power))
    if (exponent > 0 && -exponent >= SMALLEST) store(table, -exponent, inverse(power, -exponent))
    power *= 5n
  }
  return new Uint8Array(table.buffer)
}

/** The significand of 1 / `power`; no power of five but the first divides a power of two, so it's never exact. */
function inverse(power: bigint, exponent: number): bigint {
  const bits = BigInt(power.toString(2).length)
  const cutOff = (1n << (bits + BITS - 1n)) / power
  return exponent >= FIRST_ROUNDED_UP ? cutOff + 1n : cutOff
}

function store(table: DataView, exponent: number, significand: bigint): void {
  const at = (exponent - SMALLEST) * 16
  table.setBigUint64(at, BigInt.asUintN(64, significand), true)
  table.setBigUint64(at + 8, significand >> 64n, true)
}

const PAGE = 65_536

interface Exports {
  readonly memory: WebAssembly.Memory
  freeFrom(): number
  usePowers(at: number): void
  setCsv(texts: number, delimiterSize: number, nullSize: number, lineEndSize: number, quotesAll: number): void
  writeCsv(cells: number, count: number, from: number, to: number, out: number, limit: number): number
  csvEnd(): number
  setJson(form: number, arrays: boolean, cells: number, known: number, keys: number, slots: number): void
  splitJson(from: number, stop: number, first: number, most: number, line: number, sums: number): number
  jsonEnd(): number
  jsonLine(): number
  sumRow(first: number, count: number, sums: number): void
  hashText(start: number, end: number): bigint
  keyHash(at: number, size: number): number
  findInvalidUtf8(start: number, end: number): number
  isUtf8(start: number, end: number): number
  usePlaces(...places: number[]): void
  setDialect(delimiter: number, quote: number, comment: number): void
  splitRecords(
    from: number,
    end: number,
    stop: number,
    field: number,
    record: number,
    line: number,
    mostFields: number,
    mostRecords: number,
    capacity: number,
  ): number
  splitEnd(): number
  splitFields(): number
  splitLines(): number
  splitCrlf(): number
  setEscapes(quote: number, escape: number): void
  hasNul(from: number, to: number): number
  sumCells(rows: number, width: number, sums: number): void
  sumTexts(entries: number, count: number, sums: number): void
  markEmpty(count: number): void
  markNulls(count: number, texts: number, textCount: number): void
  passCells(type: number, index: number, from: number, to: number, leastScale: number, zeros: boolean): number
  passedAt(): number
  cellsSize(index: number, rows: number): number
  hashWords(values: number, count: number, a: number, b: number): void
  hashPairs(values: number, count: number, a: number, b: number): void
  hashQuads(values: number, count: number, a: number, b: number): void
  hashTexts(offsets: number, bytes: number, count: number, a: number, b: number): void
  hashLists(offsets: number, count: number, itemsA: number, itemsB: number, a: number, b: number): void
  hashNulls(bits: number, bit: number, count: number, a: number, b: number): number
  alikeNans(values: number, count: number): void
  expandBits(bits: number, bit: number, count: number, words: number): void
  hashBlocks(state: number, at: number, blocks: number): void
  beginRows(count: number, a: number, b: number): void
  addToRows(columnA: number, columnB: number, count: number, a: number, b: number): void
  finishRows(count: number, a: number, b: number): void
  sumHashes(a: number, b: number, count: number, nulls: number): bigint
  foundAt(): number
  findWords(values: number, count: number, bits: number, bit: number, unsigned: boolean): void
  findPairs(values: number, count: number, bits: number, bit: number, unsigned: boolean): void
  findQuads(values: number, count: number, bits: number, bit: number): void
  findDoubles(values: number, count: number, bits: number, bit: number, bins: number): void
  findTexts(offsets: number, bytes: number, count: number, bits: number, bit: number, most: number): void
  beginCells(column: number, rows: number): void
  readCells(column: number, index: number, from: number, to: number): number
  bzip2Open(from: number, end: number, at: number): void
  bzip2At(): number
  bzip2Bits(count: number): number
  bzip2Block(table: number, most: number): boolean
  bzip2Write(out: number, limit: number): number
  bzip2Check(): number
  zstdBegin(): void
  zstdBlock(from: number, end: number, out: number, low: number, limit: number, space: number): number
  xxhBegin(): void
  xxhAdd(from: number, end: number): number
  xxhEnd(from: number, end: number): number
}

let compiled: WebAssembly.Module | undefined
let powers: Uint8Array | null = null

/** The kernel, compiled once in a thread; or given to it by the one that opened it. */
export function compiledKernel(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  return compiled
}

/** @param kernel as another thread has compiled it */
export function useCompiledKernel(kernel: WebAssembly.Module): void {
  compiled = kernel
}

/**
 * An instance of the kernel with a memory of its own, in which its user places what it needs: from `base` on, in any
 * layout, after `reserve`.
 */
export class Kernel {
  readonly exports: Exports
  /** Where the memory is free. */
  readonly base: number
  /** All of the memory; another array after `reserve`. */
  bytes: Uint8Array<ArrayBuffer>
  words: Uint32Array<ArrayBuffer>

  constructor() {
    powers ??= powersOfTen()
    this.exports = new WebAssembly.Instance(compiledKernel()).exports as unknown as Exports
    this.bytes = new Uint8Array(0)
    this.words = new Uint32Array(0)
    const table = align(this.exports.freeFrom())
    this.base = align(table + powers.length)
    this.reserve(this.base)
    this.bytes.set(powers, table)
    this.exports.usePowers(table)
  }

  /**
   * Makes the memory at least so large, in bytes.
   * @throws {RangeError} as arrays do that find no memory
   */
  reserve(size: number): void {
    const { memory } = this.exports
    const missing = size - memory.buffer.byteLength
    if (missing > 0) {
      try {
        memory.grow(Math.ceil(missing / PAGE))
      } catch (cause) {
        throw new RangeError(`The allocation of ${formatBytes(size)} for values failed.`, { cause })
      }
    }
    if (this.bytes.buffer === memory.buffer) return
    this.bytes = new Uint8Array(memory.buffer)
    this.words = new Uint32Array(memory.buffer)
  }
}

/** The next place where values of any width, and copies by 16 bytes, may begin. */
export const align = (at: number): number => Math.ceil(at / 16) * 16
