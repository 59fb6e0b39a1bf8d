import { decompress } from 'fzstd'
import { EngineError } from '../../errors.ts'
import { FlatError } from '../../arrow/ipc/flat.ts'
import { decompressLz4Frame } from './lz4.ts'
import type { IpcBatch, IpcField } from '../../arrow/ipc/metadata.ts'

/** Where a field's nodes and buffers begin in a batch. */
export interface Extent {
  readonly node: number
  readonly buffer: number
  readonly variadic: number
}

/** Where a message's body is. */
export interface Body {
  readonly file: Blob
  /** Offset of the body in the file. */
  readonly start: number
  readonly size: number
}

/** Browsers can't allocate larger buffers. */
const MAX_BUFFER = 2 ** 31 - 1

/** Where each field's nodes and buffers begin, followed by where the last field's end. */
export function extents(fields: readonly IpcField[], batch: IpcBatch): Extent[] {
  const at = { node: 0, buffer: 0, variadic: 0 }
  const result: Extent[] = []
  for (const field of fields) {
    result.push({ ...at })
    advance(field, batch, at)
  }
  result.push({ ...at })
  return result
}

function advance(field: IpcField, batch: IpcBatch, at: { node: number; buffer: number; variadic: number }): void {
  at.node++
  if (field.dictionary) {
    at.buffer += 2
    return
  }
  const name: string = field.type.name
  switch (name) {
    case 'Null':
      return
    case 'Utf8View':
    case 'BinaryView':
      at.buffer += 2 + (batch.variadic[at.variadic++] ?? 0)
      return
    case 'Utf8':
    case 'LargeUtf8':
    case 'Binary':
    case 'LargeBinary':
      at.buffer += 3
      return
    case 'Struct':
    case 'FixedSizeList':
      at.buffer += 1
      break
    case 'Union':
      // Type ids, and offsets if dense; no validity.
      at.buffer += field.type.unit === 0 ? 1 : 2
      break
    case 'RunEndEncoded':
      break
    case 'ListView':
    case 'LargeListView':
      at.buffer += 3
      break
    case 'None':
      throw new EngineError('unsupported-format', `Column “${field.name}” has a type that Rowhouse doesn't know.`, {
        remedy: 'Write the file again with a plain type in its place.',
      })
    default:
      // Lists and maps have validity and offsets, all others validity and values.
      at.buffer += 2
  }
  for (const child of field.children) advance(child, batch, at)
}

/** The decompressed buffers of some of a batch's fields, by index. */
export class Buffers {
  private readonly found = new Map<number, Uint8Array<ArrayBuffer>>()

  /** @throws {FlatError} if the buffer is missing */
  get(index: number): Uint8Array<ArrayBuffer> {
    const bytes = this.found.get(index)
    if (!bytes) throw new FlatError('a column has fewer buffers than its type needs')
    return bytes
  }

  set(index: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.found.set(index, bytes)
  }
}

/** Reads the buffers in `ranges` (from, to) of a batch, each range with a single slice of the file. */
export async function readBuffers(
  batch: IpcBatch,
  body: Body,
  ranges: readonly (readonly [number, number])[],
): Promise<Buffers> {
  const buffers = new Buffers()
  const count = batch.buffers.length / 2
  for (const [from, to] of ranges) {
    if (to > count) throw new FlatError('a column has fewer buffers than its type needs')
    let start = Infinity
    let end = 0
    for (let i = from; i < to; i++) {
      const offset = batch.buffers[i * 2]
      const length = batch.buffers[i * 2 + 1]
      if (offset + length > body.size) throw new FlatError('a buffer lies outside its message')
      if (length === 0) continue
      start = Math.min(start, offset)
      end = Math.max(end, offset + length)
    }
    if (end - start > MAX_BUFFER) throw tooLarge()
    const bytes = end > 0 ? await bytesOf(body.file, body.start + start, body.start + end) : new Uint8Array(0)
    for (let i = from; i < to; i++) {
      const length = batch.buffers[i * 2 + 1]
      const at = length === 0 ? 0 : batch.buffers[i * 2] - start
      buffers.set(i, inflate(bytes.subarray(at, at + length), batch.compression))
    }
  }
  return buffers
}

export async function bytesOf(file: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.slice(start, end).arrayBuffer())
  } catch (cause) {
    throw new EngineError('file-changed', 'The file changed on the disk, or went away, after it was added.', {
      remedy: 'Remove it and add it again.',
      cause,
    })
  }
}

/** A compressed buffer begins with its uncompressed size; -1 means that it isn't compressed. */
function inflate(bytes: Uint8Array<ArrayBuffer>, compression: IpcBatch['compression']): Uint8Array<ArrayBuffer> {
  if (compression === null || bytes.length === 0) return bytes
  if (bytes.length < 8) throw new FlatError('a compressed buffer is too short')
  const size = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true))
  const packed = bytes.subarray(8)
  if (size === -1) return packed
  if (size < 0) throw new FlatError('a compressed buffer has a size that makes no sense')
  if (size > MAX_BUFFER) throw tooLarge()
  if (size === 0) return new Uint8Array(0)
  // No buffer grows by more (LZ4: 255 to 1; zstd: 4 bytes for a block of 128 kB), so don't allocate memory for larger
  // sizes.
  const most = packed.length * (compression === 'lz4' ? 256 : 32_768) + 1024
  if (size > most) throw new FlatError('a compressed buffer has a size that makes no sense')
  if (compression === 'lz4') return decompressLz4Frame(packed, size)
  const result = decompress(packed, new Uint8Array(size)) as Uint8Array<ArrayBuffer>
  if (result.length !== size) throw new FlatError('a compressed buffer has another size than announced')
  return result
}

function tooLarge(): EngineError {
  return new EngineError('too-large', 'A record batch of the Arrow file is larger than a browser can hold.', {
    remedy: 'Write the file again in smaller batches, or leave out the largest columns.',
  })
}
