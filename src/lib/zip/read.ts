import { formatBytes, sliceBytes } from '../bytes.ts'
import { crc32 } from './crc.ts'

/** A file in an archive, as described by the central directory. */
export interface ZipEntry {
  /** With `/` between folders, and none at the start. */
  readonly name: string
  /** The name's bytes, if the archive doesn't state their encoding, and they aren't UTF-8. */
  readonly nameBytes?: Uint8Array<ArrayBuffer> | undefined
  readonly method: number
  readonly encrypted: boolean
  readonly compressedSize: number
  /** As declared. The unpacked data is checked against it. */
  readonly size: number
  readonly crc: number
  /** Where the local header begins, from the start of the file. */
  readonly offset: number
}

/** An entry's unpacked bytes. */
export interface ByteSource {
  /** The next chunk; null at the end. */
  read(): Promise<Uint8Array | null>
  /** Releases the file; may be called at any time. */
  cancel(): Promise<void>
  /** Compressed bytes read so far, approximately. */
  readonly consumed: number
}

const EOCD = 0x06054b50
const EOCD64 = 0x06064b50
const EOCD64_LOCATOR = 0x07064b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const EOCD_SIZE = 22
/** Marks a name as UTF-8. */
const UTF8_FLAG = 0x0800
const UNICODE_PATH = 0x7075
/** Enough for half a million entries. */
const MAX_DIRECTORY = 64 * 1024 * 1024

/** Why an archive can't be read, and where. */
export class ZipError extends Error {
  readonly tag = 'ZipError'
  override readonly name = 'ZipError'
  readonly code: 'damaged' | 'too-large'
  /** The place in words: `end of the file`, `part “a.xml”`. */
  readonly place: string | undefined

  constructor(code: 'damaged' | 'too-large', message: string, place?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.place = place
  }
}

function damaged(message: string, place?: string, cause?: unknown): ZipError {
  return new ZipError('damaged', message, place, cause)
}

/**
 * Reads an archive's central directory from the end of the file:
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT Sizes come from there, so data descriptors after the
 * entries don't matter.
 * @throws {ZipError} `damaged`, or `too-large` if the directory is larger than we accept
 * @throws {DOMException} `NotReadableError` if the file is gone; also from the other functions here
 */
export async function readDirectory(file: Blob): Promise<ZipEntry[]> {
  const tailStart = Math.max(0, file.size - EOCD_SIZE - 0xffff - 20)
  const tail = await sliceBytes(file, tailStart, file.size)
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  const at = findEnd(view)
  if (at < 0) {
    if ((await file.slice(0, 2).text()) !== 'PK') throw damaged('The file isn’t a ZIP archive, as its format requires.')
    throw damaged('The file is cut short: the directory at its end is missing.', 'end of the file')
  }
  const { count, size, offset } = await directoryPlace(file, view, at, tailStart)
  if (size > MAX_DIRECTORY) {
    throw new ZipError('too-large', `The archive’s directory takes ${formatBytes(size)}, more than any should.`)
  }
  const end = tailStart + at
  if (offset + size > end) throw damaged('The file is cut short or damaged: its directory lies outside of it.')
  const directory = await sliceBytes(file, offset, offset + size)
  const entries = readEntries(directory, count)
  checkOverlap(entries, offset)
  return entries
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - EOCD_SIZE; at >= 0; at--) {
    // The comment's length must fit, since a comment may contain the signature.
    if (view.getUint32(at, true) === EOCD && at + EOCD_SIZE + view.getUint16(at + 20, true) <= view.byteLength)
      return at
  }
  return -1
}

interface DirectoryPlace {
  readonly count: number
  readonly size: number
  readonly offset: number
}

async function directoryPlace(file: Blob, tail: DataView, at: number, tailStart: number): Promise<DirectoryPlace> {
  const plain = {
    count: tail.getUint16(at + 10, true),
    size: tail.getUint32(at + 12, true),
    offset: tail.getUint32(at + 16, true),
  }
  const locator = at - 20
  if (locator < 0 || tail.getUint32(locator, true) !== EOCD64_LOCATOR) return plain
  const place = Number(tail.getBigUint64(locator + 8, true))
  if (place + 56 > tailStart + at) throw damaged('The file is damaged: its directory lies outside of it.')
  const bytes = await sliceBytes(file, place, place + 56)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 56 || view.getUint32(0, true) !== EOCD64) throw damaged('The file’s directory is damaged.')
  return {
    count: Number(view.getBigUint64(32, true)),
    size: Number(view.getBigUint64(40, true)),
    offset: Number(view.getBigUint64(48, true)),
  }
}

function readEntries(bytes: Uint8Array, count: number): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: ZipEntry[] = []
  let at = 0
  while (entries.length < count) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL) {
      throw damaged('The file’s directory is damaged.', `entry ${entries.length + 1} of ${count}`)
    }
    const nameEnd = at + 46 + view.getUint16(at + 28, true)
    const extraEnd = nameEnd + view.getUint16(at + 30, true)
    if (extraEnd > bytes.length) throw damaged('The file’s directory is damaged.')
    entries.push(readEntry(view, at, nameEnd, extraEnd))
    at = extraEnd + view.getUint16(at + 32, true)
  }
  // All names were written by one program. By chance, some names in another encoding are valid UTF-8, but hardly all.
  const isUtf8 = entries.every(({ nameBytes }) => nameBytes === undefined || utf8Of(nameBytes) !== null)
  return isUtf8 ? entries.map((entry) => ({ ...entry, nameBytes: undefined })) : entries
}

function readEntry(view: DataView, at: number, nameEnd: number, extraEnd: number): ZipEntry {
  const flags = view.getUint16(at + 8, true)
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 46, nameEnd - at - 46)
  let unicode: string | null = null
  let size = view.getUint32(at + 24, true)
  let compressedSize = view.getUint32(at + 20, true)
  let offset = view.getUint32(at + 42, true)
  // Zip64: the extra field with id 1 has those fields that are all ones, in this order.
  for (let extra = nameEnd; extra + 4 <= extraEnd;) {
    const length = view.getUint16(extra + 2, true)
    let field = extra + 4
    const next = field + length
    if (view.getUint16(extra, true) === 1 && next <= extraEnd) {
      const take = (value: number): number => {
        if (value !== 0xffffffff || field + 8 > next) return value
        field += 8
        return Number(view.getBigUint64(field - 8, true))
      }
      size = take(size)
      compressedSize = take(compressedSize)
      offset = take(offset)
    } else if (view.getUint16(extra, true) === UNICODE_PATH && next <= extraEnd) {
      unicode = unicodePath(view, field, length, bytes)
    }
    extra = next
  }
  const isTold = (flags & UTF8_FLAG) !== 0 || unicode !== null || bytes.every((byte) => byte < 0x80)
  return {
    name: pathOf(unicode ?? new TextDecoder().decode(bytes)),
    ...(isTold ? {} : { nameBytes: bytes.slice() }),
    method: view.getUint16(at + 10, true),
    encrypted: (flags & 1) !== 0,
    compressedSize,
    size,
    crc: view.getUint32(at + 16, true),
    offset,
  }
}

/** A name with `/` between folders, and none at the start. */
export const pathOf = (name: string): string => name.replaceAll('\\', '/').replace(/^(\.?\/)+/, '')

/**
 * The name in Info-ZIP's extra field, if it belongs to these bytes: a program that doesn't know the field may have
 * renamed the entry.
 */
function unicodePath(view: DataView, at: number, length: number, name: Uint8Array): string | null {
  if (length < 5 || view.getUint8(at) !== 1 || view.getUint32(at + 1, true) !== crc32(name)) return null
  return utf8Of(new Uint8Array(view.buffer, view.byteOffset + at + 5, length - 5))
}

/** The bytes' text in UTF-8; null if they aren't valid. */
function utf8Of(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Entries that share bytes can make a small file unpack to any size. No ordinary program writes them. */
function checkOverlap(entries: readonly ZipEntry[], directory: number): void {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset)
  for (const [i, entry] of sorted.entries()) {
    const end = entry.offset + 30 + entry.compressedSize
    if (end > (sorted[i + 1]?.offset ?? directory)) {
      throw damaged(`The archive is damaged: “${shown(entry.name)}” runs into what follows it.`)
    }
  }
}

/**
 * An entry's bytes as stored in the file.
 * @throws {ZipError} `damaged` if it isn't where the directory says
 */
export async function packedBytes(file: Blob, { name, offset, compressedSize }: ZipEntry): Promise<Blob> {
  const head = await sliceBytes(file, offset, offset + 30)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < 30 || view.getUint32(0, true) !== LOCAL)
    throw damaged('The archive is damaged: a part isn’t where its directory says.', placeOf(name))
  const start = offset + 30 + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + compressedSize > file.size) throw damaged('The file is cut short.', placeOf(name))
  return file.slice(start, start + compressedSize)
}

/**
 * An entry's unpacked bytes, checked against the size and the checksum in the directory.
 * @param entry stored or deflated, and not encrypted: callers check that, and its size
 * @throws {ZipError} `damaged`, here and while reading
 */
export async function unpackedBytes(file: Blob, entry: ZipEntry): Promise<ByteSource> {
  return new EntrySource(await packedBytes(file, entry), entry)
}

class EntrySource implements ByteSource {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>
  private readonly entry: ZipEntry
  private total = 0
  private crc = 0

  constructor(packed: Blob, entry: ZipEntry) {
    const stream: ReadableStream<Uint8Array> = packed.stream()
    const plain =
      entry.method === 0
        ? stream
        : stream.pipeThrough<Uint8Array>(
            new DecompressionStream('deflate-raw') as ReadableWritablePair<Uint8Array, Uint8Array>,
          )
    this.reader = plain.getReader()
    this.entry = entry
  }

  get consumed(): number {
    const { compressedSize, size } = this.entry
    return size === 0 ? compressedSize : Math.round(compressedSize * Math.min(1, this.total / size))
  }

  async read(): Promise<Uint8Array | null> {
    const { entry } = this
    const place = placeOf(entry.name)
    let next: { done: boolean; value?: Uint8Array }
    try {
      next = await this.reader.read()
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'NotReadableError') throw cause
      throw damaged('The file is damaged or cut short: a part can’t be unpacked.', place, cause)
    }
    if (next.done || !next.value) {
      if (this.total !== entry.size) throw damaged('The file is damaged: a part is shorter than it should be.', place)
      if (this.crc !== entry.crc) throw damaged('The file is damaged: a part’s checksum is wrong.', place)
      return null
    }
    this.total += next.value.length
    if (this.total > entry.size) {
      await this.cancel()
      throw damaged('The archive is damaged: a part unpacks to more than it declares.', place)
    }
    this.crc = crc32(next.value, this.crc)
    return next.value
  }

  async cancel(): Promise<void> {
    await this.reader.cancel().catch(() => undefined)
  }
}

/** A part's name for people. In a damaged file it may be any bytes. */
function shown(name: string): string {
  return name.replace(/\p{Cc}/gu, '\ufffd').slice(0, 100)
}

export function placeOf(name: string): string {
  return `part “${shown(name)}”`
}
