import type { Data } from 'apache-arrow'
import type { ColumnType, ListType, MapType, ScalarName, StructType } from '../../../tables/types.ts'

/*
 * 64-bit hashes of values, as two 32-bit lanes, because JavaScript has fast 32-bit multiplication and no other. The
 * steps are those of MurmurHash3 (https://github.com/aappleby/smhasher/wiki/MurmurHash3, public domain): multiply,
 * rotate or shift, multiply again. What is hashed is the value in one form: integers as 64 bits, decimals as 128,
 * floats as the bits of a double (all NaN alike, -0 apart from 0), text and blobs as bytes.
 */

const A1 = 0x85ebca6b
const A2 = 0xc2b2ae35
const B1 = 0x9e3779b1
const B2 = 0x27d4eb2f
const SEED_A = 0x2545f491
const SEED_B = 0x6c078965
/** Stands for a null among other values. */
const NULL_A = 0x5bd1e995 | 0
const NULL_B = 0x1b873593
/** The upper word of every NaN. */
const NAN_WORD = 0x7ff80000

function finishA(hash: number): number {
  let a = hash ^ (hash >>> 16)
  a = Math.imul(a, A1)
  a ^= a >>> 13
  a = Math.imul(a, A2)
  return a ^ (a >>> 16)
}

function finishB(hash: number): number {
  let b = hash ^ (hash >>> 15)
  b = Math.imul(b, B1)
  b ^= b >>> 14
  b = Math.imul(b, B2)
  return b ^ (b >>> 15)
}

/** Takes another word into the first lane. */
function stepA(hash: number, word: number): number {
  const a = Math.imul(hash ^ word, A1)
  return (Math.imul((a << 13) | (a >>> 19), A2) + 0x561ccd1b) | 0
}

/** Takes another word into the second lane. */
function stepB(hash: number, word: number): number {
  const b = Math.imul(hash ^ word, B1)
  return (Math.imul((b << 17) | (b >>> 15), B2) + 0x0bcaa747) | 0
}

/** Takes another word of a long run into a lane: less mixing, as more words follow. */
function quickA(hash: number, word: number): number {
  const a = Math.imul(hash ^ word, A1)
  return (a << 13) | (a >>> 19)
}

function quickB(hash: number, word: number): number {
  const b = Math.imul(hash ^ word, B1)
  return (b << 17) | (b >>> 15)
}

/** Hashes runs of one column's values into `a` and `b`, the two lanes. */
export abstract class Hasher {
  a = new Int32Array(0)
  b = new Int32Array(0)

  /** Hashes rows `start` to `end - 1`: the first is at `a[0]`, `b[0]`. Nulls have a hash of their own. */
  hash(data: Data, start: number, end: number): void {
    if (this.a.length < end - start) {
      this.a = new Int32Array(end - start)
      this.b = new Int32Array(end - start)
    }
    this.values(data, start, end)
    const bits: Uint8Array | undefined = data.nullBitmap
    if (bits === undefined || bits.length === 0) return
    const { a, b } = this
    for (let row = start, at = data.offset + start; row < end; row++, at++) {
      if ((bits[at >> 3] & (1 << (at & 7))) === 0) {
        a[row - start] = NULL_A
        b[row - start] = NULL_B
      }
    }
  }

  protected abstract values(data: Data, start: number, end: number): void
}

/** One 32-bit word a value, with its sign. */
class WordHasher extends Hasher {
  private words = new Int32Array(0)

  protected values(data: Data, start: number, end: number): void {
    const count = end - start
    if (this.words.length < count) this.words = new Int32Array(count)
    const { a, b, words } = this
    // One kind of array in the loop below, whatever the column's width.
    words.set(data.values.subarray(start, end))
    for (let i = 0; i < count; i++) {
      const word = words[i]
      a[i] = finishA(quickA(SEED_A, word))
      b[i] = finishB(quickB(SEED_B, word))
    }
  }
}

class BooleanHasher extends Hasher {
  protected values(data: Data, start: number, end: number): void {
    const { a, b } = this
    const bits: Uint8Array = data.values
    for (let row = start, at = data.offset + start; row < end; row++, at++) {
      const value = (bits[at >> 3] >> (at & 7)) & 1
      a[row - start] = finishA(quickA(SEED_A, value))
      b[row - start] = finishB(quickB(SEED_B, value))
    }
  }
}

function hashPairs(words: Int32Array, start: number, end: number, a: Int32Array, b: Int32Array): void {
  for (let row = start; row < end; row++) {
    const low = words[row * 2]
    const high = words[row * 2 + 1]
    a[row - start] = finishA(quickA(quickA(SEED_A, low), high))
    b[row - start] = finishB(quickB(quickB(SEED_B, low), high))
  }
}

/** 64-bit integers and times. */
class PairHasher extends Hasher {
  protected values(data: Data, start: number, end: number): void {
    const { buffer, byteOffset, length } = data.values as BigInt64Array
    hashPairs(new Int32Array(buffer, byteOffset, length * 2), start, end, this.a, this.b)
  }
}

class FloatHasher extends Hasher {
  private doubles = new Float64Array(0)

  protected values(data: Data, start: number, end: number): void {
    const count = end - start
    if (this.doubles.length < count) this.doubles = new Float64Array(count)
    this.doubles.set(data.values.subarray(start, end))
    const words = new Int32Array(this.doubles.buffer)
    for (let i = 0; i < count; i++) {
      const high = words[i * 2 + 1] & 0x7fffffff
      if (high >= 0x7ff00000 && (high > 0x7ff00000 || words[i * 2] !== 0)) {
        words[i * 2] = 0
        words[i * 2 + 1] = NAN_WORD
      }
    }
    hashPairs(words, 0, count, this.a, this.b)
  }
}

/** 128-bit decimals. */
class QuadHasher extends Hasher {
  protected values(data: Data, start: number, end: number): void {
    const { a, b } = this
    const words: Uint32Array = data.values
    for (let row = start; row < end; row++) {
      let x = SEED_A
      let y = SEED_B
      for (let i = row * 4; i < row * 4 + 4; i++) {
        const word = words[i] | 0
        x = quickA(x, word)
        y = quickB(y, word)
      }
      a[row - start] = finishA(x)
      b[row - start] = finishB(y)
    }
  }
}

class BytesHasher extends Hasher {
  protected values(data: Data, start: number, end: number): void {
    const { a, b } = this
    const bytes: Uint8Array = data.values
    const offsets: Int32Array = data.valueOffsets
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let row = start; row < end; row++) {
      const from = offsets[row]
      const to = offsets[row + 1]
      let x = SEED_A
      let y = SEED_B
      let at = from
      for (; at + 4 <= to; at += 4) {
        const word = view.getInt32(at, true)
        x = quickA(x, word)
        y = quickB(y, word)
      }
      let tail = 0
      for (let shift = 0; at < to; at++, shift += 8) tail |= bytes[at] << shift
      a[row - start] = finishA(stepA(stepA(x, tail), to - from))
      b[row - start] = finishB(stepB(stepB(y, tail), to - from))
    }
  }
}

class ListHasher extends Hasher {
  private readonly item: Hasher

  constructor(type: ListType) {
    super()
    this.item = makeHasher(type.item)
  }

  protected values(data: Data, start: number, end: number): void {
    this.item.hash(data.children[0], data.valueOffsets[start], data.valueOffsets[end])
    hashRuns(this, this.item, data.valueOffsets, start, end)
  }
}

/** Hashes lists from the hashes of their items, which begin at the first list's first. */
function hashRuns(into: Hasher, items: Hasher, offsets: Int32Array, start: number, end: number): void {
  const base = offsets[start]
  for (let row = start; row < end; row++) {
    let x = SEED_A
    let y = SEED_B
    for (let i = offsets[row] - base; i < offsets[row + 1] - base; i++) {
      x = stepA(x, items.a[i])
      y = stepB(y, items.b[i])
    }
    const count = offsets[row + 1] - offsets[row]
    into.a[row - start] = finishA(stepA(x, count))
    into.b[row - start] = finishB(stepB(y, count))
  }
}

class StructHasher extends Hasher {
  private readonly fields: readonly Hasher[]

  constructor(types: readonly ColumnType[]) {
    super()
    this.fields = types.map(makeHasher)
  }

  protected values(data: Data, start: number, end: number): void {
    const count = end - start
    beginRows(this.a, this.b, count)
    for (const [i, field] of this.fields.entries()) {
      field.hash(data.children[i], start, end)
      addToRows(this.a, this.b, field, count)
    }
    for (let i = 0; i < count; i++) {
      this.a[i] = finishA(this.a[i])
      this.b[i] = finishB(this.b[i])
    }
  }
}

/** Entries in their order. */
class MapHasher extends Hasher {
  private readonly entries: StructHasher

  constructor(type: MapType) {
    super()
    this.entries = new StructHasher([type.key, type.value])
  }

  protected values(data: Data, start: number, end: number): void {
    this.entries.hash(data.children[0], data.valueOffsets[start], data.valueOffsets[end])
    hashRuns(this, this.entries, data.valueOffsets, start, end)
  }
}

/** Begins the hashes of `count` rows. */
export function beginRows(a: Int32Array, b: Int32Array, count: number): void {
  a.fill(SEED_A, 0, count)
  b.fill(SEED_B, 0, count)
}

/** Takes the next column's hashes into those of the rows: the order of the columns counts. */
export function addToRows(a: Int32Array, b: Int32Array, column: Hasher, count: number): void {
  const { a: x, b: y } = column
  for (let i = 0; i < count; i++) {
    a[i] = stepA(a[i], x[i])
    b[i] = stepB(b[i], y[i])
  }
}

const MASK = (1n << 64n) - 1n

/** A sum of hashes, modulo 2^64. */
export class HashSum {
  private total = 0n

  /** Adds the first `count` hashes, of which `nulls` are the hash of null and don't count. */
  add(a: Int32Array, b: Int32Array, count: number, nulls: number): void {
    let low = 0
    let high = 0
    for (let i = 0; i < count; i++) {
      low += a[i] >>> 0
      high += b[i] >>> 0
    }
    low -= nulls * (NULL_A >>> 0)
    high -= nulls * (NULL_B >>> 0)
    this.total = (this.total + (BigInt(high) << 32n) + BigInt(low)) & MASK
  }

  /** Adds the hashes of rows, once all columns are in them. */
  addRows(a: Int32Array, b: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      a[i] = finishA(a[i])
      b[i] = finishB(b[i])
    }
    this.add(a, b, count, 0)
  }

  get state(): bigint {
    return this.total
  }

  /** Takes in another sum's state. */
  merge(state: bigint): void {
    this.total = (this.total + state) & MASK
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return this.total.toString(16).padStart(16, '0')
  }
}

const SCALARS: Readonly<Record<ScalarName, new () => Hasher>> = {
  BOOLEAN: BooleanHasher,
  TINYINT: WordHasher,
  SMALLINT: WordHasher,
  INTEGER: WordHasher,
  BIGINT: PairHasher,
  HUGEINT: QuadHasher,
  UTINYINT: WordHasher,
  USMALLINT: WordHasher,
  UINTEGER: WordHasher,
  UBIGINT: PairHasher,
  FLOAT: FloatHasher,
  DOUBLE: FloatHasher,
  VARCHAR: BytesHasher,
  BLOB: BytesHasher,
  UUID: BytesHasher,
  DATE: WordHasher,
  TIME: PairHasher,
  TIMESTAMP: PairHasher,
  TIMESTAMP_S: PairHasher,
  TIMESTAMP_MS: PairHasher,
  TIMESTAMP_NS: PairHasher,
  'TIMESTAMP WITH TIME ZONE': PairHasher,
  INTERVAL: BytesHasher,
  JSON: BytesHasher,
}

/** What hashes a column of the type, in its one physical type. */
export function makeHasher(type: ColumnType): Hasher {
  switch (type.kind) {
    case 'scalar':
      return new SCALARS[type.name]()
    case 'decimal':
      return new QuadHasher()
    case 'list':
      return new ListHasher(type)
    case 'struct':
      return new StructHasher((type satisfies StructType).fields.map((field) => field.type))
    case 'map':
      return new MapHasher(type)
  }
}
