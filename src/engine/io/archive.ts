import { FORMATS } from '../../contract/formats.ts'
import { plural } from '../../lib/counts.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { packedBytes, pathOf, readDirectory, unpackedBytes, type ZipEntry, ZipError } from '../../lib/zip/read.ts'
import { encodingName } from '../../tables/encodings.ts'
import { namesByPath } from '../../tables/names.ts'
import type { Unpacked, UnpackedFile } from './archive-types.ts'
import { makeTranscoder } from './transcode.ts'
import { textOf } from './utf8.ts'
import { weighBytes } from './weigh.ts'
import { extensionIn, unpackedName } from '../../tables/file-names.ts'

/** Decoded file names that weren't Unicode. */
interface DecodedNames {
  readonly names: readonly string[]
  readonly encoding: string
  /** Whether another encoding is nearly as likely. */
  readonly isGuess: boolean
}

/** The encoding of file names according to ZIP's specification. */
const USUAL = 'ibm437'

/**
 * Decodes file names that aren't Unicode, assuming one program wrote them, with the most likely encoding for all of
 * them.
 */
function decodeNames(names: readonly Uint8Array[]): DecodedNames {
  const lines = new Uint8Array(names.reduce((size, name) => size + name.length + 1, 0)).fill(10)
  let at = 0
  for (const name of names) {
    lines.set(name, at)
    at += name.length + 1
  }
  const { candidates, doubt } = weighBytes(lines)
  const encoding = candidates.find((each) => !each.encoding.startsWith('utf-'))?.encoding ?? USUAL
  return { names: names.map((name) => textOf(name, makeTranscoder(encoding))), encoding, isGuess: doubt }
}

/** Maximum number of files to unpack from an archive. */
const MOST = 500
/** Maximum nesting of archives to unpack. */
const MAX_DEPTH = 2
const MB = 1024 * 1024
/** Limit for text that is unpacked at once; more is unpacked while it's read. */
const MAX_TEXT = 64 * MB
/** Other formats need random access, so they must be unpacked first: limits per file and per archive. */
const MAX_OTHER = 256 * MB
const MAX_OTHERS = 512 * MB
/** Deflate's maximum ratio is 1,032; tables never come near this. */
const MAX_RATIO = 500
const RATIO_FROM = 16 * MB

const STORED = 0
const DEFLATE = 8

const TEXT = new Set([...FORMATS.filter(({ text }) => text).flatMap(({ extensions }) => extensions), 'geojson', 'psv'])
const OTHER = new Set(FORMATS.filter(({ text }) => !text).flatMap(({ extensions }): readonly string[] => extensions))
/** Entries that are only in office documents, which are archives themselves. */
const OFFICE = new Set(['[content_types].xml', 'mimetype', 'content.xml'])

type Kind = 'text' | 'packed' | 'other' | 'archive'

interface Part {
  readonly entry: ZipEntry
  readonly kind: Kind
}

/** The kind of table according to a name; null if none. */
function kindOf(name: string): Kind | null {
  const extension = extensionIn(name)
  if (extension === 'zip') return 'archive'
  if (OTHER.has(extension)) return 'other'
  return TEXT.has(extension) ? (unpackedName(name) === name ? 'text' : 'packed') : null
}

/** Names that begin with a dot, and the Finder's metadata, aren't people's files. */
const isHidden = (name: string): boolean =>
  name.split('/').some((part) => /^\.+[^.]/.test(part)) || name.startsWith('__MACOSX/')

/**
 * Unpacks the tables in a zip archive as files named by their paths: `2024/jan.csv` becomes `2024_jan.csv`.
 * @returns null for an archive without tables, or a damaged or encrypted one: reading it reports the problem
 */
export async function unpackArchive(file: File, signal: AbortSignal, depth = 1): Promise<Unpacked | null> {
  let named: Named
  try {
    named = await readNames(file)
  } catch (error) {
    if (error instanceof ZipError || isUnreadable(error)) return null
    throw error
  }
  const entries = named.entries.filter(({ name }) => !name.endsWith('/') && !isHidden(name))
  if (entries.some(({ name }) => OFFICE.has(name.toLowerCase())) || file.name.startsWith('rowhouse-backup-'))
    return null
  const found = entries.flatMap((entry): Part[] => {
    const kind = kindOf(entry.name)
    return kind === null ? [] : [{ entry, kind }]
  })
  const parts = found
    .toSorted((a, b) => a.entry.name.localeCompare(b.entry.name, 'en', { numeric: true }))
    .slice(0, MOST)
  if (parts.length === 0 || parts.some(({ entry }) => entry.encrypted)) return null
  const unpacked = await unpackParts(file, parts, depth, signal)
  const left = found.length - parts.length
  const rest = restOf(file.name, unpacked.files.length, entries.length - found.length)
  return {
    ...unpacked,
    left: unpacked.left + left,
    notices: [...named.notices, ...unpacked.notices, ...rest],
  }
}

interface Named {
  readonly entries: readonly ZipEntry[]
  readonly notices: Unpacked['notices']
}

/**
 * An archive's entries, after decoding names that aren't Unicode with the most likely encoding. Says if that's a guess.
 */
async function readNames(file: File): Promise<Named> {
  const entries = await readDirectory(file)
  // Names are shown, and become file names.
  const withName = (entry: ZipEntry, name: string): ZipEntry => ({
    ...entry,
    name: name.normalize('NFC').replace(/\p{Cc}/gu, '\ufffd'),
  })
  const unknown = entries.flatMap(({ nameBytes }) => (nameBytes ? [nameBytes] : []))
  if (unknown.length === 0) return { entries: entries.map((entry) => withName(entry, entry.name)), notices: [] }
  const { names, encoding, isGuess } = decodeNames(unknown)
  const description = `The archive doesn’t say their encoding. Read as ${encodingName(encoding)}, the first is “${names[0]}”.`
  let at = 0
  return {
    entries: entries.map((entry) => withName(entry, entry.nameBytes ? pathOf(names[at++] ?? '') : entry.name)),
    notices: isGuess ? [{ title: `File names in “${file.name}” are a guess`, description }] : [],
  }
}

async function unpackParts(file: File, parts: readonly Part[], depth: number, signal: AbortSignal): Promise<Unpacked> {
  const names = namesByPath(parts.map(({ entry }) => entry.name))
  const isLarge = sizeOf(parts, 'text') > MAX_TEXT
  const files: UnpackedFile[] = []
  const failed: Unpacked['failed'][number][] = []
  const notices: Unpacked['notices'][number][] = []
  let left = 0
  let others = 0
  for (const [i, { entry, kind }] of parts.entries()) {
    try {
      refuse(entry)
      const isText = kind === 'text' || kind === 'packed'
      if (!isText) {
        others += entry.size
        if (entry.size > MAX_OTHER || others > MAX_OTHERS) throw tooLarge(entry)
      }
      const made = await fileOf(file, entry, names[i] ?? entry.name, kind === 'text' && isLarge, signal)
      const inner = kind === 'archive' && depth < MAX_DEPTH ? await unpackArchive(made, signal, depth + 1) : null
      if (!inner) {
        files.push({ file: made, path: entry.name })
        continue
      }
      const within = <T extends { readonly path: string }>(each: T): T => ({
        ...each,
        path: `${entry.name.replace(/\.zip$/i, '')}/${each.path}`,
      })
      files.push(...inner.files.map(within))
      failed.push(...inner.failed.map(within))
      notices.push(...inner.notices)
      left += inner.left
    } catch (error) {
      if (!(error instanceof ZipError)) throw error
      failed.push({ path: entry.name, error })
    }
  }
  return { files, failed, left, notices }
}

const sizeOf = (parts: readonly Part[], wanted: Kind): number =>
  parts.reduce((sum, { entry, kind }) => (kind === wanted ? sum + entry.size : sum), 0)

/** @throws {ZipError} for entries that can't be unpacked, whatever their contents */
function refuse({ name, method, size, compressedSize }: ZipEntry): void {
  if (name.split('/').includes('..')) throw new ZipError('damaged', 'its path leads out of the archive.')
  if (method !== STORED && method !== DEFLATE) {
    throw new ZipError('damaged', `it is packed in a way (${method}) that can’t be unpacked here.`)
  }
  if (size > RATIO_FROM && size > compressedSize * MAX_RATIO) {
    throw new ZipError('too-large', `it unpacks to ${formatBytes(size)}, over 500 times its size, as archive bombs do.`)
  }
}

const tooLarge = ({ size }: ZipEntry): ZipError =>
  new ZipError('too-large', `it unpacks to ${formatBytes(size)}: unpack the archive first, then add the file.`)

/** @param asGzip whether to leave a large text compressed, as a gzip file to be unpacked while it's read */
async function fileOf(
  archive: File,
  entry: ZipEntry,
  name: string,
  asGzip: boolean,
  signal: AbortSignal,
): Promise<File> {
  signal.throwIfAborted()
  const { lastModified } = archive
  if (entry.method === STORED) return new File([await packedBytes(archive, entry)], name, { lastModified })
  if (asGzip) return new File(await gzipOf(archive, entry), `${name}.gz`, { lastModified })
  const source = await unpackedBytes(archive, entry)
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (;;) {
    const bytes = await source.read()
    if (signal.aborted) await source.cancel()
    signal.throwIfAborted()
    if (!bytes) return new File(parts, name, { lastModified })
    parts.push(new Uint8Array(bytes))
  }
}

/** A gzip file (RFC 1952) around the same deflated bytes, with the archive's checksum and size. Nothing is copied. */
async function gzipOf(archive: File, entry: ZipEntry): Promise<BlobPart[]> {
  const head = Uint8Array.of(0x1f, 0x8b, DEFLATE, 0, 0, 0, 0, 0, 0, 0xff)
  const end = new DataView(new ArrayBuffer(8))
  end.setUint32(0, entry.crc, true)
  end.setUint32(4, entry.size % 2 ** 32, true)
  return [head, await packedBytes(archive, entry), end.buffer]
}

const isUnreadable = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotReadableError'

/** A notice about what is no table. */
function restOf(name: string, taken: number, none: number): Unpacked['notices'] {
  if (none === 0) return []
  const description = `Skipped ${none === 1 ? '1 other that isn’t a table' : `${none} others that aren’t tables`}.`
  return [{ title: `Read ${plural(taken, 'file')} from “${name}”`, description }]
}
