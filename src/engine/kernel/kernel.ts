import { compile } from 'virtual:rowhouse-kernel'
import { formatBytes } from '../../lib/bytes.ts'

/** Lowest power of ten in the table: below it, the product with any 64-bit integer rounds to zero. */
const SMALLEST = -342

/** Highest power of ten in the table, which scales the smallest double to an integer. */
const LARGEST = 324

/** From here to -1, powers are rounded up, so that exact products can be told from inexact ones. */
const FIRST_ROUNDED_UP = -27

const BITS = 128n

/** The highest 128 bits of an integer: truncated, or shifted up if there are fewer. */
function normalise(value: bigint): bigint {
  const surplus = BigInt(value.toString(2).length) - BITS
  return surplus < 0n ? value << -surplus : value >> surplus
}

/**
 * The powers of ten that `assembly/doubles.ts` needs, as 128-bit significands whose highest bit is set. Each takes 16
 * bytes, low and high half, both little-endian; that of 10^e is at `(e + 342) * 16`. They are truncated, except that
 * 10^-27 to 10^-1 are rounded up, and 10^0 to 10^55 are exact. Eisel-Lemire needs that
 * (https://arxiv.org/abs/2101.11408 and `table_generation.py` in https://github.com/fastfloat/fast_float). Schubfach
 * needs all of them rounded up, so it adds one to the truncated ones; none ends in 64 ones, so that never carries into
 * the high half.
 */
export function powersOfTen(): Uint8Array<ArrayBuffer> {
  const table = new DataView(new ArrayBuffer((LARGEST - SMALLEST + 1) * 16))
  // 10^n and 5^n have the same significand.
  let power = 1n
  for (let exponent = 0; exponent <= Math.max(-SMALLEST, LARGEST); exponent++) {
    if (exponent <= LARGEST) store(table, exponent, normalise(power))
    if (exponent > 0 && -exponent >= SMALLEST) store(table, -exponent, inverse(power, -exponent))
    power *= 5n
  }
  return new Uint8Array(table.buffer)
}

/** The significand of 1 / `power`. It's never exact: only 5^0 divides a power of two. */
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
  skipCells(type: number, index: number, from: number, to: number, leastScale: number, zeros: boolean): number
  skippedAt(): number
  cellsSize(index: number, rows: number): number
  hashWords(values: number, count: number, a: number, b: number): void
  hashPairs(values: number, count: number, a: number, b: number): void
  hashQuads(values: number, count: number, a: number, b: number): void
  hashTexts(offsets: number, bytes: number, count: number, a: number, b: number): void
  hashLists(offsets: number, count: number, itemsA: number, itemsB: number, a: number, b: number): void
  hashNulls(bits: number, bit: number, count: number, a: number, b: number): number
  canonicalizeNans(values: number, count: number): void
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

/** The compiled kernel, of which a thread has one; workers get it from the thread that started them. */
export function compiledKernel(): WebAssembly.Module {
  compiled ??= compile()
  return compiled
}

/** @param kernel as compiled by another thread */
export function useCompiledKernel(kernel: WebAssembly.Module): void {
  compiled = kernel
}

/** An instance of the kernel with its own memory. The user lays out the memory from `base` on, after `reserve`. */
export class Kernel {
  readonly exports: Exports
  /** Address of the first free byte. */
  readonly base: number
  /** The whole memory; a new array after `reserve`. */
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
   * Grows the memory to at least this many bytes.
   * @throws {RangeError} if there isn't enough memory, as array constructors do
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

/** Rounds an address up to a multiple of 16, which suits any value and 16-byte copies. */
export const align = (at: number): number => Math.ceil(at / 16) * 16
