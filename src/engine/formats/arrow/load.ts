import { DataType, makeData, Vector, type Data, type Field } from 'apache-arrow'
import { EngineError } from '../../errors.ts'
import { arrowType } from './arrow-type.ts'
import type { Buffers, Extent } from './body.ts'
import { FlatError } from '../../arrow/ipc/flat.ts'
import type { IpcBatch, IpcField } from '../../arrow/ipc/metadata.ts'
import { findInvalidUtf8 } from '../../io/utf8.ts'

// The library declares an overload per type, but here the type is known only at run time.
const make = makeData as (props: { readonly type: DataType } & Readonly<Record<string, unknown>>) => Data

/** Values of each dictionary so far, by id. */
export type Dictionaries = Map<bigint, Data[]>

/** Maximum rows per record batch in a column that takes no bytes in the file, since they do take memory here. */
const MAX_EMPTY = 50_000_000

function takesBytes({ type: { name, width }, dictionary }: IpcField): boolean {
  return dictionary !== null || (name !== 'Null' && (name !== 'FixedSizeList' || width > 0))
}

function tooManyEmpty(): EngineError {
  return new EngineError('too-large', 'A record batch has over 50,000,000 rows in a column without values.', {
    remedy: 'Leave the column out.',
  })
}

/**
 * Creates columns from a batch's buffers. Lengths, offsets, indexes and UTF-8 are checked, so that a damaged file
 * causes an error and not wrong values.
 * @see https://arrow.apache.org/docs/format/Columnar.html
 */
export class Loader {
  private readonly batch: IpcBatch
  private readonly buffers: Buffers
  private readonly dictionaries: Dictionaries
  private node: number
  private buffer: number
  private variadic: number

  constructor(batch: IpcBatch, buffers: Buffers, dictionaries: Dictionaries, at: Extent) {
    this.batch = batch
    this.buffers = buffers
    this.dictionaries = dictionaries
    this.node = at.node
    this.buffer = at.buffer
    this.variadic = at.variadic
  }

  /** Loads the next column. */
  load(field: IpcField, type: DataType = arrowType(field)): Data {
    const [length, nulls] = this.nextNode()
    if (!takesBytes(field) && length > MAX_EMPTY) throw tooManyEmpty()
    if (field.type.name === 'Null' && !field.dictionary) return make({ type, length })
    const validity = this.validity(length, nulls)
    const common = { type, length, ...validity }
    if (field.dictionary) return this.indexes(field, type, common)
    const name: string = field.type.name
    switch (name) {
      case 'Utf8':
      case 'Binary':
        return this.texts(common, this.offsets(length))
      case 'LargeUtf8':
      case 'LargeBinary':
        return this.texts(common, this.largeOffsets(length))
      case 'Utf8View':
      case 'BinaryView': {
        const views = this.next()
        const count = this.batch.variadic[this.variadic++] ?? 0
        const parts = Array.from({ length: count }, () => this.next())
        return checked(make({ ...common, ...expandViews(views, parts, common) }))
      }
      case 'List':
      case 'Map':
        return this.list(field, common, this.offsets(length))
      case 'LargeList':
        return this.list(field, common, this.largeOffsets(length))
      case 'FixedSizeList': {
        const child = this.child(field, 0, type)
        return make({ ...common, child: exactly(child, length * field.type.width) })
      }
      case 'Struct': {
        const children = field.children.map((_, i) => exactly(this.child(field, i, type), length))
        return make({ ...common, children })
      }
      default:
        return this.fixed(field, common)
    }
  }

  private child(field: IpcField, index: number, type: DataType): Data {
    const inner = (type.children as Field[] | null)?.[index]
    return this.load(field.children[index], inner?.type as DataType | undefined)
  }

  private next(): Uint8Array<ArrayBuffer> {
    return this.buffers.get(this.buffer++)
  }

  private nextNode(): [length: number, nulls: number] {
    const at = this.node++ * 2
    if (at + 1 >= this.batch.nodes.length) throw new FlatError('a batch has fewer columns than the schema')
    const length = this.batch.nodes[at]
    if (length > 2 ** 31 - 1) throw new FlatError('a column has more rows than is possible')
    return [length, this.batch.nodes[at + 1]]
  }

  private validity(length: number, nulls: number): { nullCount: number; nullBitmap?: Uint8Array } {
    const bitmap = this.next()
    if (nulls === 0) return { nullCount: 0 }
    const bytes = (length + 7) >> 3
    if (bitmap.length < bytes) throw new FlatError('a column’s null bitmap is too short')
    const nullBitmap = bitmap.subarray(0, bytes)
    const nullCount = length - countBits(nullBitmap, length)
    return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap }
  }

  private fixed(field: IpcField, common: Common): Data {
    const { type, length } = common
    const { name, width } = field.type
    const found = this.next()
    // Writers may omit the values of a column that is all null.
    const values = found.length === 0 && common.nullCount === length ? new Uint8Array(length * 32) : found
    if (name === 'Decimal' && width < 128) return make({ ...common, data: widen(values, width, length) })
    const bits = name === 'Bool' ? 1 : bitsOf(type)
    const bytes = Math.ceil((length * bits) / 8)
    if (values.length < bytes) throw new FlatError('a column has fewer values than rows')
    return make({ ...common, data: aligned(values.subarray(0, bytes)) })
  }

  private indexes(field: IpcField, type: DataType, common: Common): Data {
    if (!DataType.isDictionary(type) || !field.dictionary) throw new FlatError('a dictionary without values')
    const { width } = field.dictionary
    const bytes = this.next()
    const size = (common.length * width) / 8
    if (bytes.length < size) throw new FlatError('a column has fewer values than rows')
    const chunks = this.dictionaries.get(field.dictionary.id)
    if (!chunks && common.nullCount < common.length) throw new FlatError('a dictionary is missing')
    const dictionary = new Vector(chunks ?? [make({ type: type.dictionary })])
    const data = make({ ...common, data: aligned(bytes.subarray(0, size)), dictionary })
    const values = data.values as unknown as ArrayLike<number | bigint>
    for (let i = 0; i < common.length; i++) {
      const index = values[i]
      if ((index < 0 || index >= dictionary.length) && data.getValid(i)) {
        throw new FlatError('a value points outside its dictionary')
      }
    }
    return data
  }

  private list(field: IpcField, common: Common, offsets: Int32Array): Data {
    const child = this.child(field, 0, common.type)
    if (offsets[common.length] > child.length) throw new FlatError('a list is longer than its items')
    return make({ ...common, valueOffsets: offsets, child })
  }

  private texts(common: Common, offsets: Int32Array): Data {
    const data = this.next()
    if (offsets[common.length] > data.length) throw new FlatError('a text is longer than its bytes')
    return checked(make({ ...common, valueOffsets: offsets, data }))
  }

  private offsets(length: number): Int32Array {
    const bytes = this.next()
    if (length === 0) return new Int32Array(1)
    const size = (length + 1) * 4
    if (bytes.length < size) throw new FlatError('a column has fewer offsets than rows')
    const copy = aligned(bytes.subarray(0, size))
    const offsets = new Int32Array(copy.buffer, copy.byteOffset, length + 1)
    let last = 0
    for (const offset of offsets) {
      if (offset < last) throw new FlatError('the offsets of a column run backwards')
      last = offset
    }
    return offsets
  }

  private largeOffsets(length: number): Int32Array {
    const bytes = this.next()
    if (length === 0) return new Int32Array(1)
    const size = (length + 1) * 8
    if (bytes.length < size) throw new FlatError('a column has fewer offsets than rows')
    const copy = aligned(bytes.subarray(0, size))
    const offsets = new Int32Array(length + 1)
    let last = 0n
    for (const [i, offset] of new BigInt64Array(copy.buffer, copy.byteOffset, length + 1).entries()) {
      if (offset < last || offset > 0x7fffffffn) throw new FlatError('the offsets of a column are out of bounds')
      last = offset
      offsets[i] = Number(offset)
    }
    return offsets
  }
}

interface Common {
  readonly type: DataType
  readonly length: number
  readonly nullCount: number
  readonly nullBitmap?: Uint8Array
}

function checked(data: Data): Data {
  if (DataType.isUtf8(data.type)) checkUtf8(data)
  return data
}

function exactly(child: Data, length: number): Data {
  if (child.length < length) throw new FlatError('a column has fewer values than rows')
  return child.length === length ? child : child.slice(0, length)
}

/** Copies bytes that aren't aligned for typed arrays. */
function aligned(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
}

function bitsOf(type: DataType): number {
  if (DataType.isFixedSizeBinary(type)) return type.byteWidth * 8
  if (DataType.isDecimal(type)) return type.bitWidth
  if (DataType.isInterval(type)) return [32, 64, 128][type.unit]
  const width = (type.ArrayType as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT
  return width * 8
}

/** Converts decimals of 32 or 64 bits to 128 bits. */
function widen(bytes: Uint8Array<ArrayBuffer>, width: number, length: number): Uint32Array {
  if (bytes.length * 8 < length * width) throw new FlatError('a column has fewer values than rows')
  const { buffer, byteOffset } = aligned(bytes)
  const values =
    width === 32 ? new Int32Array(buffer, byteOffset, length) : new BigInt64Array(buffer, byteOffset, length)
  const words = new BigInt64Array(length * 2)
  for (let i = 0; i < length; i++) {
    const value = BigInt(values[i])
    words[i * 2] = value
    words[i * 2 + 1] = value < 0n ? -1n : 0n
  }
  return new Uint32Array(words.buffer)
}

const BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

function countBits(bitmap: Uint8Array, length: number): number {
  let count = 0
  const whole = length >> 3
  for (let i = 0; i < whole; i++) count += BITS[bitmap[i]]
  if (length & 7) count += BITS[bitmap[whole] & ((1 << (length & 7)) - 1)]
  return count
}

/**
 * Checks that the texts of a column are UTF-8, and that no offset is inside a character.
 * @throws {FlatError}
 */
function checkUtf8(data: Data): void {
  const bytes = data.values as Uint8Array
  const offsets = data.valueOffsets as Int32Array
  const end = offsets[data.length]
  const isCut = (offset: number): boolean => offset < end && (bytes[offset] & 0xc0) === 0x80
  if (offsets.some(isCut) || findInvalidUtf8(bytes, offsets[0], end) >= 0) throw new FlatError('a text is not UTF-8')
}

interface Rows {
  readonly length: number
  readonly nullCount: number
  readonly nullBitmap?: Uint8Array
}

/**
 * Converts a view column to plain texts. A view is 16 bytes: the length, then either up to 12 bytes of text, or its
 * first 4 bytes, the index of a buffer and the offset in it.
 * @see https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
 */
function expandViews(
  views: Uint8Array,
  parts: readonly Uint8Array[],
  { length, nullCount, nullBitmap }: Rows,
): { valueOffsets: Int32Array; data: Uint8Array } {
  if (views.length < length * 16) throw new FlatError('a column has fewer values than rows')
  const view = new DataView(views.buffer, views.byteOffset, length * 16)
  const isNull = (row: number): boolean =>
    nullCount > 0 && nullBitmap !== undefined && (nullBitmap[row >> 3] & (1 << (row & 7))) === 0
  const valueOffsets = new Int32Array(length + 1)
  let total = 0
  for (let row = 0; row < length; row++) {
    const size = isNull(row) ? 0 : view.getInt32(row * 16, true)
    if (size < 0) throw new FlatError('a text has a negative length')
    total += size
    if (total > 0x7fffffff) throw new FlatError('a column has more text than can be held')
    valueOffsets[row + 1] = total
  }
  const data = new Uint8Array(total)
  for (let row = 0; row < length; row++) {
    const size = valueOffsets[row + 1] - valueOffsets[row]
    if (size === 0) continue
    if (size <= 12) {
      data.set(views.subarray(row * 16 + 4, row * 16 + 4 + size), valueOffsets[row])
      continue
    }
    const part = parts[view.getInt32(row * 16 + 8, true)]
    const at = view.getInt32(row * 16 + 12, true)
    if (!part || at < 0 || at + size > part.length) throw new FlatError('a text lies outside its buffer')
    data.set(part.subarray(at, at + size), valueOffsets[row])
  }
  return { valueOffsets, data }
}
