import { execFileSync } from 'node:child_process'
import { Builder } from 'flatbuffers'
import { TYPE_NAMES, type TypeName } from '../../../arrow/ipc/metadata.ts'

/*
 * For tests: encodes Arrow messages that the library can't or won't create: compressed bodies, views, large lists, odd
 * decimals, delta dictionaries, big-endian and broken files.
 */

export interface TestField {
  readonly name: string
  readonly type: TypeName
  /** Fields of the type's table: slot, kind, value. */
  readonly slots?: readonly (readonly [slot: number, kind: 'i16' | 'i32' | 'bool' | 'text', value: number | string])[]
  readonly children?: readonly TestField[]
  readonly dictionary?: number
  readonly metadata?: Readonly<Record<string, string>>
}

export interface TestBatch {
  readonly rows: number
  readonly nodes: readonly (readonly [length: number, nulls: number])[]
  readonly buffers: readonly Uint8Array[]
  readonly codec?: 'lz4' | 'zstd'
  readonly variadic?: readonly number[]
  readonly dictionary?: { readonly id: number; readonly delta?: boolean }
}

export const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
export const NONE = new Uint8Array(0)

function offsets(b: Builder, items: readonly number[]): number {
  b.startVector(4, items.length, 4)
  for (const item of items.toReversed()) b.addOffset(item)
  return b.endVector()
}

function encodeField(b: Builder, field: TestField): number {
  const children = offsets(
    b,
    (field.children ?? []).map((child) => encodeField(b, child)),
  )
  const name = b.createString(field.name)
  const texts = (field.slots ?? []).map(([, kind, value]) => (kind === 'text' ? b.createString(String(value)) : 0))
  b.startObject(8)
  for (const [i, [slot, kind, value]] of (field.slots ?? []).entries()) {
    if (kind === 'i16') b.addFieldInt16(slot, Number(value), -99)
    else if (kind === 'i32') b.addFieldInt32(slot, Number(value), -99)
    else if (kind === 'bool') b.addFieldInt8(slot, Number(value), -99)
    else b.addFieldOffset(slot, texts[i], 0)
  }
  const type = b.endObject()
  const pairs = Object.entries(field.metadata ?? {}).map(([key, value]) => {
    const [k, v] = [b.createString(key), b.createString(value)]
    b.startObject(2)
    b.addFieldOffset(0, k, 0)
    b.addFieldOffset(1, v, 0)
    return b.endObject()
  })
  const metadata = offsets(b, pairs)
  let dictionary = 0
  if (field.dictionary !== undefined) {
    b.startObject(4)
    b.addFieldInt64(0, BigInt(field.dictionary), 0n)
    dictionary = b.endObject()
  }
  b.startObject(7)
  b.addFieldOffset(0, name, 0)
  b.addFieldInt8(1, 1, 0)
  b.addFieldInt8(2, TYPE_NAMES.indexOf(field.type), 0)
  b.addFieldOffset(3, type, 0)
  if (dictionary) b.addFieldOffset(4, dictionary, 0)
  b.addFieldOffset(5, children, 0)
  b.addFieldOffset(6, metadata, 0)
  return b.endObject()
}

function encodeSchema(b: Builder, fields: readonly TestField[], bigEndian: boolean): number {
  const vector = offsets(
    b,
    fields.map((field) => encodeField(b, field)),
  )
  b.startObject(4)
  b.addFieldInt16(0, bigEndian ? 1 : 0, 0)
  b.addFieldOffset(1, vector, 0)
  return b.endObject()
}

function message(b: Builder, kind: number, header: number, body: Uint8Array): Uint8Array {
  b.startObject(5)
  b.addFieldInt16(0, 4, 0)
  b.addFieldInt8(1, kind, 0)
  b.addFieldOffset(2, header, 0)
  b.addFieldInt64(3, BigInt(body.length), 0n)
  b.finish(b.endObject())
  const metadata = b.asUint8Array()
  const padded = (metadata.length + 7) & ~7
  const bytes = new Uint8Array(8 + padded + body.length)
  new DataView(bytes.buffer).setInt32(0, -1, true)
  new DataView(bytes.buffer).setInt32(4, padded, true)
  bytes.set(metadata, 8)
  bytes.set(body, 8 + padded)
  return bytes
}

export function schemaMessage(fields: readonly TestField[], bigEndian = false): Uint8Array {
  const b = new Builder()
  return message(b, 1, encodeSchema(b, fields, bigEndian), NONE)
}

function compress(bytes: Uint8Array, codec: 'lz4' | 'zstd' | undefined): Uint8Array {
  if (!codec || bytes.length === 0) return bytes
  const packed = execFileSync(codec, ['-q', '-c', '-z'], { input: bytes, maxBuffer: 1 << 28 })
  // Like pyarrow, keep buffers uncompressed that don't shrink.
  const stored = packed.length >= bytes.length
  const result = new Uint8Array(8 + (stored ? bytes.length : packed.length))
  new DataView(result.buffer).setBigInt64(0, stored ? -1n : BigInt(bytes.length), true)
  result.set(stored ? bytes : packed, 8)
  return result
}

export function batchMessage(batch: TestBatch): Uint8Array {
  const b = new Builder()
  const buffers = batch.buffers.map((buffer) => compress(buffer, batch.codec))
  const places: [number, number][] = []
  let size = 0
  for (const { length } of buffers) {
    places.push([size, length])
    size += (length + 7) & ~7
  }
  const body = new Uint8Array(size)
  for (const [i, buffer] of buffers.entries()) body.set(buffer, places[i][0])
  const pairs = (items: readonly (readonly [number, number])[]): number => {
    b.startVector(16, items.length, 8)
    for (const [first, second] of items.toReversed()) {
      b.prep(8, 16)
      b.writeInt64(BigInt(second))
      b.writeInt64(BigInt(first))
    }
    return b.endVector()
  }
  const [nodes, regions] = [pairs(batch.nodes), pairs(places)]
  b.startVector(8, batch.variadic?.length ?? 0, 8)
  for (const count of (batch.variadic ?? []).toReversed()) b.addInt64(BigInt(count))
  const variadic = b.endVector()
  let compression = 0
  if (batch.codec) {
    b.startObject(2)
    b.addFieldInt8(0, batch.codec === 'zstd' ? 1 : 0, 0)
    compression = b.endObject()
  }
  b.startObject(5)
  b.addFieldInt64(0, BigInt(batch.rows), 0n)
  b.addFieldOffset(1, nodes, 0)
  b.addFieldOffset(2, regions, 0)
  if (compression) b.addFieldOffset(3, compression, 0)
  if (batch.variadic) b.addFieldOffset(4, variadic, 0)
  const header = b.endObject()
  if (!batch.dictionary) return message(b, 3, header, body)
  b.startObject(3)
  b.addFieldInt64(0, BigInt(batch.dictionary.id), 0n)
  b.addFieldOffset(1, header, 0)
  b.addFieldInt8(2, batch.dictionary.delta ? 1 : 0, 0)
  return message(b, 2, b.endObject(), body)
}

export const END = new Uint8Array([255, 255, 255, 255, 0, 0, 0, 0])

export function streamOf(...messages: readonly Uint8Array[]): File {
  return new File(messages as Uint8Array<ArrayBuffer>[], 'x.arrow')
}

/** A file: magic bytes, messages, and a footer that lists them. */
export function fileOf(fields: readonly TestField[], batches: readonly TestBatch[]): File {
  const parts: Uint8Array[] = [utf8('ARROW1\0\0'), schemaMessage(fields)]
  const blocks: { batch: TestBatch; at: number; metadata: number; body: number }[] = []
  for (const batch of batches) {
    const bytes = batchMessage(batch)
    const metadata = 8 + new DataView(bytes.buffer).getInt32(4, true)
    blocks.push({
      batch,
      at: parts.reduce((sum, part) => sum + part.length, 0),
      metadata,
      body: bytes.length - metadata,
    })
    parts.push(bytes)
  }
  const b = new Builder()
  const vector = (own: typeof blocks): number => {
    b.startVector(24, own.length, 8)
    for (const { at, metadata, body } of own.toReversed()) {
      b.prep(8, 24)
      b.writeInt64(BigInt(body))
      b.pad(4)
      b.writeInt32(metadata)
      b.writeInt64(BigInt(at))
    }
    return b.endVector()
  }
  const schema = encodeSchema(b, fields, false)
  const dictionaries = vector(blocks.filter(({ batch }) => batch.dictionary))
  const records = vector(blocks.filter(({ batch }) => !batch.dictionary))
  b.startObject(5)
  b.addFieldInt16(0, 4, 0)
  b.addFieldOffset(1, schema, 0)
  b.addFieldOffset(2, dictionaries, 0)
  b.addFieldOffset(3, records, 0)
  b.finish(b.endObject())
  const footer = b.asUint8Array()
  const length = new Uint8Array(4)
  new DataView(length.buffer).setInt32(0, footer.length, true)
  return streamOf(...parts, END, footer, length, utf8('ARROW1'))
}
