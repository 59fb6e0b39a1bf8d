import { type ByteSink, MemorySink } from '../sink.ts'
import { chunksOf, streamOf } from '../streams.ts'
import { crc32 } from './crc.ts'

/*
 * Writes a zip file from front to back, in bounded memory. The sizes and checksum of a streamed entry follow its data
 * in a data descriptor. Zip64 records are written only where a size, an offset or a count needs them, since some
 * readers (such as Excel) refuse others. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff
const STORED = 0
const DEFLATE = 8
/** Sizes and checksum follow the data. */
const HAS_DESCRIPTOR = 0x0008
const UTF8_NAME = 0x0800
/** 1980-01-01, the earliest date in zip. With a fixed date, the same content gives the same bytes. */
const EARLIEST = new Date(1980, 0, 1)

interface Entry {
  readonly name: Uint8Array
  readonly method: typeof STORED | typeof DEFLATE
  readonly modified: Date
  readonly flags: number
  readonly offset: number
  crc: number
  size: number
  packed: number
}

/** How an entry is stored: by default compressed and without a date. */
interface EntryOptions {
  readonly stored?: boolean
  readonly modified?: Date
}

/** Writes one entry into the archive. */
export interface EntryWriter {
  /** The caller may reuse the bytes once the promise has settled. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  close(): Promise<void>
  /** Releases the compressor when the archive is abandoned. */
  abort(reason: unknown): void
}

export class ZipWriter {
  private readonly sink: ByteSink
  private readonly start: number
  private readonly entries: Entry[] = []

  constructor(sink: ByteSink) {
    this.sink = sink
    this.start = sink.size
  }

  /** Begins an entry. The previous one must be closed. */
  async begin(name: string, { stored = false, modified = EARLIEST }: EntryOptions = {}): Promise<EntryWriter> {
    const entry = this.entry(name, HAS_DESCRIPTOR, stored ? STORED : DEFLATE, modified)
    await this.sink.write(localHeader(entry))
    return stored ? storeInto(entry, this.sink) : compressInto(entry, this.sink)
  }

  /** Writes a small entry at once. Its sizes precede it. */
  async add(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const entry = this.entry(name, 0, DEFLATE, EARLIEST)
    const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
    const packed = new Uint8Array(await new Response(compressed).arrayBuffer())
    entry.crc = crc32(bytes)
    entry.size = bytes.length
    entry.packed = packed.length
    await this.sink.write(localHeader(entry))
    await this.sink.write(packed)
  }

  /** Writes the central directory. */
  async finish(): Promise<void> {
    const offset = this.position()
    for (const entry of this.entries) await this.sink.write(directoryHeader(entry))
    await this.sink.write(directoryEnd(this.entries.length, offset, this.position() - offset))
  }

  private position(): number {
    return this.sink.size - this.start
  }

  private entry(text: string, flag: number, method: Entry['method'], modified: Date): Entry {
    const name = new TextEncoder().encode(text)
    // Not set without need, since `file` doesn't recognize the format of a zip with it.
    const flags = name.length === text.length ? flag : flag | UTF8_NAME
    const entry = { name, method, modified, flags, offset: this.position(), crc: 0, size: 0, packed: 0 }
    this.entries.push(entry)
    return entry
  }
}

/** Writes an entry's data as it is, followed by its descriptor. */
function storeInto(entry: Entry, sink: ByteSink): EntryWriter {
  return {
    write: async (bytes) => {
      entry.crc = crc32(bytes, entry.crc)
      entry.size += bytes.length
      entry.packed = entry.size
      await sink.write(bytes)
    },
    close: () => sink.write(descriptor(entry)),
    abort: () => undefined,
  }
}

/** Compresses an entry's data, followed by its descriptor. */
function compressInto(entry: Entry, sink: ByteSink): EntryWriter {
  const stream = new CompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  let failure: { readonly error: unknown } | null = null
  const drain = async (): Promise<void> => {
    try {
      for await (const bytes of chunksOf(stream.readable)) {
        entry.packed += bytes.length
        await sink.write(bytes)
      }
    } catch (error) {
      failure ??= { error }
      await writer.abort(error).catch(() => undefined)
    }
  }
  const drained = drain()
  const settle = async (step: Promise<void>): Promise<void> => {
    try {
      await step
    } catch (error) {
      failure ??= { error }
    }
    if (failure) throw failure.error
  }
  // Both report a failure through `write` and `close`.
  writer.closed.catch(() => undefined)
  writer.ready.catch(() => undefined)
  return {
    write: async (bytes) => {
      entry.crc = crc32(bytes, entry.crc)
      entry.size += bytes.length
      await settle(writer.write(bytes))
    },
    close: async () => {
      await settle(writer.close())
      await settle(drained)
      await sink.write(descriptor(entry))
    },
    abort: (reason) => {
      failure ??= { error: reason }
      writer.abort(reason).catch(() => undefined)
    },
  }
}

/** Writes little-endian fields one after another. */
class Record {
  private readonly view: DataView<ArrayBuffer>
  private at = 0
  constructor(size: number) {
    this.view = new DataView(new ArrayBuffer(size))
  }
  u16(...values: number[]): this {
    for (const value of values) {
      this.view.setUint16(this.at, value, true)
      this.at += 2
    }
    return this
  }
  u32(...values: number[]): this {
    for (const value of values) {
      this.view.setUint32(this.at, value, true)
      this.at += 4
    }
    return this
  }
  u64(...values: number[]): this {
    for (const value of values) this.u32(value % 2 ** 32, Math.floor(value / 2 ** 32))
    return this
  }
  bytes(tail: Uint8Array = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.at + tail.length)
    bytes.set(new Uint8Array(this.view.buffer, 0, this.at))
    bytes.set(tail, this.at)
    return bytes
  }
}

/** Time and date in zip's form: local time, to two seconds, from 1980 to 2107. */
function dosTime(date: Date): [time: number, date: number] {
  const year = Math.min(127, Math.max(0, date.getFullYear() - 1980))
  return [
    (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1),
    (year << 9) | ((date.getMonth() + 1) << 5) | date.getDate(),
  ]
}

function localHeader({ name, method, modified, flags, crc, size, packed }: Entry): Uint8Array<ArrayBuffer> {
  return new Record(30)
    .u32(0x04034b50)
    .u16(20, flags, method, ...dosTime(modified))
    .u32(crc, packed, size)
    .u16(name.length, 0)
    .bytes(name)
}

function descriptor({ crc, size, packed }: Entry): Uint8Array<ArrayBuffer> {
  const record = new Record(24).u32(0x08074b50, crc)
  return (size > MAX_32 || packed > MAX_32 ? record.u64(packed, size) : record.u32(packed, size)).bytes()
}

function directoryHeader({ name, method, modified, flags, offset, crc, size, packed }: Entry): Uint8Array<ArrayBuffer> {
  const large = [size, packed, offset].filter((value) => value >= MAX_32)
  const version = large.length > 0 ? 45 : 20
  const extra =
    large.length > 0
      ? new Record(28)
          .u16(1, large.length * 8)
          .u64(...large)
          .bytes()
      : new Uint8Array(0)
  const cap = (value: number): number => Math.min(value, MAX_32)
  const fixed = new Record(46)
    .u32(0x02014b50)
    .u16(version, version, flags, method, ...dosTime(modified))
    .u32(crc, cap(packed), cap(size))
    .u16(name.length, extra.length, 0, 0, 0)
    .u32(0, cap(offset))
    .bytes(name)
  const bytes = new Uint8Array(fixed.length + extra.length)
  bytes.set(fixed)
  bytes.set(extra, fixed.length)
  return bytes
}

function directoryEnd(count: number, offset: number, size: number): Uint8Array<ArrayBuffer> {
  const record = new Record(98)
  if (count >= MAX_16 || offset >= MAX_32 || size >= MAX_32) {
    record.u32(0x06064b50).u64(44).u16(45, 45).u32(0, 0).u64(count, count, size, offset)
    record
      .u32(0x07064b50, 0)
      .u64(offset + size)
      .u32(1)
  }
  const entries = Math.min(count, MAX_16)
  return record
    .u32(0x06054b50)
    .u16(0, 0, entries, entries)
    .u32(Math.min(size, MAX_32), Math.min(offset, MAX_32))
    .u16(0)
    .bytes()
}

/** A file of an archive. */
export interface ZipPart {
  readonly name: string
  readonly content: Blob | AsyncIterable<Uint8Array<ArrayBuffer>>
  readonly modified?: Date
}

/** An archive of uncompressed files, created while it's read. */
export function zipStream(parts: Iterable<ZipPart> | AsyncIterable<ZipPart>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return streamOf(zipPieces(parts))
}

async function* zipPieces(
  parts: Iterable<ZipPart> | AsyncIterable<ZipPart>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const sink = new MemorySink()
  const zip = new ZipWriter(sink)
  for await (const { name, content, modified } of parts) {
    const entry = await zip.begin(name, { stored: true, ...(modified ? { modified } : {}) })
    for await (const bytes of content instanceof Blob ? chunksOf(content.stream()) : content) {
      await entry.write(bytes)
      yield* sink.take()
    }
    await entry.close()
    yield* sink.take()
  }
  await zip.finish()
  yield* sink.take()
}
