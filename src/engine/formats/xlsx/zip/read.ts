import { concatBytes, formatBytes } from '../../../../lib/bytes.ts'
import { EngineError, fileChanged } from '../../../errors.ts'
import { crc32 } from './crc.ts'

/** One file of an archive, as the central directory describes it. */
export interface ZipEntry {
  /** With `/` between folders and none in front. */
  readonly name: string
  readonly method: number
  readonly encrypted: boolean
  readonly compressedSize: number
  /** As declared; what really comes out is checked against it. */
  readonly size: number
  readonly crc: number
  /** Where the local header begins, from the start of the file. */
  readonly offset: number
}

/** A zip archive's directory, with names looked up as Excel does: whatever their case. */
export interface ZipArchive {
  readonly file: Blob
  readonly entries: ReadonlyMap<string, ZipEntry>
}

/** An entry's bytes as they come out. */
export interface ByteSource {
  /** The next run of bytes; null at the end. */
  read(): Promise<Uint8Array | null>
  /** Lets go of the file; safe to call at any time. */
  cancel(): Promise<void>
  /** Compressed bytes taken in so far, about. */
  readonly consumed: number
}

const EOCD = 0x06054b50
const EOCD64 = 0x06064b50
const EOCD64_LOCATOR = 0x07064b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const EOCD_SIZE = 22
/** A workbook has some dozens of parts; thousands with pictures. */
const MAX_DIRECTORY = 64 * 1024 * 1024

/** Deflate can't do better than 1,032 to 1; sheets come to 5 to 30, and never near 500 once they're large. */
const MAX_RATIO = 500
const RATIO_FROM = 64 * 1024 * 1024

const REPAIR =
  'Download or copy the file again; if that doesn’t help, open it in Excel or LibreOffice and save it anew.'

export function corrupt(message: string, place?: string, cause?: unknown): EngineError {
  return new EngineError('corrupt-file', message, {
    remedy: REPAIR,
    ...(place === undefined ? {} : { place }),
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Reads bytes of the file itself. */
export async function sliceBytes(file: Blob, start: number, end: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(start, end).arrayBuffer())
  } catch (cause) {
    throw fileChanged(cause)
  }
}

/**
 * Reads an archive's central directory from the file's end: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 * Sizes come from there, so that data descriptors behind the entries don't matter.
 * @throws {EngineError} `corrupt-file`, or `too-large` for a directory beyond any workbook's
 */
export async function openZip(file: Blob): Promise<ZipArchive> {
  const tailStart = Math.max(0, file.size - EOCD_SIZE - 0xffff - 20)
  const tail = await sliceBytes(file, tailStart, file.size)
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  const at = findEnd(view)
  if (at < 0) throw corrupt('The file is cut short: the directory at its end is missing.', 'end of the file')
  const { count, size, offset } = await directoryPlace(file, view, at, tailStart)
  if (size > MAX_DIRECTORY) {
    throw new EngineError(
      'too-large',
      `The archive’s directory takes ${formatBytes(size)}: no workbook has that many parts.`,
    )
  }
  const end = tailStart + at
  if (offset + size > end) throw corrupt('The file is cut short or damaged: its directory lies outside of it.')
  const directory = await sliceBytes(file, offset, offset + size)
  const entries = readDirectory(directory, count)
  checkOverlap(entries, offset)
  return { file, entries: new Map(entries.map((entry) => [entry.name.toLowerCase(), entry])) }
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - EOCD_SIZE; at >= 0; at--) {
    // The comment's length must fit, lest a comment that holds the mark is taken for the end.
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
  if (place + 56 > tailStart + at) throw corrupt('The file is damaged: its directory lies outside of it.')
  const bytes = await sliceBytes(file, place, place + 56)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 56 || view.getUint32(0, true) !== EOCD64) throw corrupt('The file’s directory is damaged.')
  return {
    count: Number(view.getBigUint64(32, true)),
    size: Number(view.getBigUint64(40, true)),
    offset: Number(view.getBigUint64(48, true)),
  }
}

function readDirectory(bytes: Uint8Array, count: number): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: ZipEntry[] = []
  let at = 0
  while (entries.length < count) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL) {
      throw corrupt('The file’s directory is damaged.', `entry ${entries.length + 1} of ${count}`)
    }
    const nameEnd = at + 46 + view.getUint16(at + 28, true)
    const extraEnd = nameEnd + view.getUint16(at + 30, true)
    if (extraEnd > bytes.length) throw corrupt('The file’s directory is damaged.')
    entries.push(readEntry(view, at, nameEnd, extraEnd))
    at = extraEnd + view.getUint16(at + 32, true)
  }
  return entries
}

function readEntry(view: DataView, at: number, nameEnd: number, extraEnd: number): ZipEntry {
  const flags = view.getUint16(at + 8, true)
  const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameEnd - at - 46))
  let size = view.getUint32(at + 24, true)
  let compressedSize = view.getUint32(at + 20, true)
  let offset = view.getUint32(at + 42, true)
  // Zip64: the fields that are full stand in the extra field of id 1, in this order.
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
    }
    extra = next
  }
  return {
    name: name.replaceAll('\\', '/').replace(/^\/+/, ''),
    method: view.getUint16(at + 10, true),
    encrypted: (flags & 1) !== 0,
    compressedSize,
    size,
    crc: view.getUint32(at + 16, true),
    offset,
  }
}

/** Entries that share bytes make a small file inflate without end; no program writes them. */
function checkOverlap(entries: readonly ZipEntry[], directory: number): void {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset)
  for (const [i, entry] of sorted.entries()) {
    const end = entry.offset + 30 + entry.compressedSize
    if (end > (sorted[i + 1]?.offset ?? directory)) {
      throw corrupt(`The archive is damaged: “${shown(entry.name)}” runs into what follows it.`)
    }
  }
}

/**
 * Opens an entry as a stream of its bytes, unpacked.
 * @param limit bytes unpacked; a declared or real size above it is refused
 * @throws {EngineError} here and while reading: `corrupt-file`, `password-protected`, `too-large`, `file-changed`
 */
export async function openEntry(zip: ZipArchive, entry: ZipEntry, limit: number): Promise<ByteSource> {
  const place = `part “${shown(entry.name)}”`
  if (entry.encrypted) {
    throw new EngineError('password-protected', 'The file is a password-protected zip archive.', {
      place,
      remedy: 'Unpack it with its password first, then add the workbook that is in it.',
    })
  }
  if (entry.method !== 0 && entry.method !== 8) {
    throw new EngineError(
      'unsupported-format',
      `The archive packs a part in a way (${entry.method}) that workbooks don’t use.`,
      {
        place,
        remedy: 'Open it in Excel or LibreOffice and save it as .xlsx anew.',
      },
    )
  }
  // What it declares is checked before anything is unpacked; more than that is refused when it comes.
  if (entry.size > limit) throw tooLarge(entry.size, limit, place)
  if (entry.size > RATIO_FROM && entry.size > entry.compressedSize * MAX_RATIO) {
    throw new EngineError(
      'too-large',
      `A part of the workbook unpacks to ${formatBytes(entry.size)}, over 500 times its size, as archive bombs do.`,
      {
        place,
        remedy: 'Don’t open it unless you trust where it comes from; if you do, save it anew in Excel or LibreOffice.',
      },
    )
  }
  const head = await sliceBytes(zip.file, entry.offset, entry.offset + 30)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < 30 || view.getUint32(0, true) !== LOCAL)
    throw corrupt('The archive is damaged: a part isn’t where its directory says.', place)
  const start = entry.offset + 30 + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + entry.compressedSize > zip.file.size) throw corrupt('The file is cut short.', place)
  return new EntrySource(zip.file.slice(start, start + entry.compressedSize), entry)
}

function tooLarge(size: number, limit: number, place: string): EngineError {
  return new EngineError(
    'too-large',
    `A part of the workbook unpacks to ${formatBytes(size)}; up to ${formatBytes(limit)} can be read safely.`,
    { place, remedy: 'Split the workbook into smaller ones, or export the sheet as CSV.' },
  )
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
    const place = `part “${shown(entry.name)}”`
    let next: { done: boolean; value?: Uint8Array }
    try {
      next = await this.reader.read()
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'NotReadableError') throw fileChanged(cause)
      throw corrupt('The file is damaged or cut short: a part can’t be unpacked.', place, cause)
    }
    if (next.done || !next.value) {
      if (this.total !== entry.size) throw corrupt('The file is damaged: a part is shorter than it should be.', place)
      if (this.crc !== entry.crc) throw corrupt('The file is damaged: a part’s checksum is wrong.', place)
      return null
    }
    this.total += next.value.length
    if (this.total > entry.size) {
      await this.cancel()
      throw corrupt('The archive is damaged: a part unpacks to more than it declares.', place)
    }
    this.crc = crc32(next.value, this.crc)
    return next.value
  }

  async cancel(): Promise<void> {
    await this.reader.cancel().catch(() => undefined)
  }
}

/**
 * All bytes of an entry that is small by nature.
 * @throws {EngineError}
 */
export async function readEntryBytes(zip: ZipArchive, entry: ZipEntry, limit: number): Promise<Uint8Array> {
  const source = await openEntry(zip, entry, limit)
  const parts: Uint8Array[] = []
  for (let part = await source.read(); part; part = await source.read()) parts.push(part)
  return concatBytes(parts)
}

/** A part's name for people: a damaged one may be any bytes. */
function shown(name: string): string {
  return name.replace(/\p{Cc}/gu, '\ufffd').slice(0, 100)
}
