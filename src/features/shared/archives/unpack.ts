import { decodeFileNames } from '../../../engine/client.ts'
import { FORMATS } from '../../../contract/formats.ts'
import { plural } from '../../../lib/counts.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { packedBytes, pathOf, readDirectory, unpackedBytes, type ZipEntry, ZipError } from '../../../lib/zip/read.ts'
import { encodingName } from '../../../tables/encodings.ts'
import { namesByPath, unpackedName } from '../../../tables/names.ts'
import { markTogether, pathOf as pathOfFile } from '../../../ui/overlays/files-dropped.ts'
import { toast } from '../../../ui/overlays/toasts.ts'

/** Files that are taken of an archive. */
const MOST = 500
/** Archives within archives that are unpacked. */
const MAX_DEPTH = 2
const MB = 1024 * 1024
/** An archive's text is unpacked at once as long as there is no more of it than this; more is unpacked as it's read. */
const MAX_TEXT = 64 * MB
/** Other formats are read from any place of the file, so that they have to be unpacked: one file, and all of an archive. */
const MAX_OTHER = 256 * MB
const MAX_OTHERS = 512 * MB
/** Deflate can't do better than 1,032 to 1; tables never come near this. */
const MAX_RATIO = 500
const RATIO_FROM = 16 * MB

const STORED = 0
const DEFLATE = 8

const TEXT = new Set([...FORMATS.filter(({ text }) => text).flatMap(({ extensions }) => extensions), 'geojson', 'psv'])
const OTHER = new Set(FORMATS.filter(({ text }) => !text).flatMap(({ extensions }): readonly string[] => extensions))
/** What only files of an office program have in them, which are archives themselves. */
const OFFICE = new Set(['[content_types].xml', 'mimetype', 'content.xml'])

type Kind = 'text' | 'packed' | 'other' | 'archive'

interface Part {
  readonly entry: ZipEntry
  readonly kind: Kind
}

/** What kind of table a name promises; null where it's none. */
function kindOf(name: string): Kind | null {
  const plain = unpackedName(name)
  const extension = /\.([a-z0-9]+)$/i.exec(plain)?.[1]?.toLowerCase() ?? ''
  if (extension === 'zip') return 'archive'
  if (OTHER.has(extension)) return 'other'
  return TEXT.has(extension) ? (plain === name ? 'text' : 'packed') : null
}

/** What begins with a dot, or is of the Finder's, is a program's, not a person's. */
const isHidden = (name: string): boolean =>
  name.split('/').some((part) => part.startsWith('.')) || name.startsWith('__MACOSX/')

/**
 * The tables in a zip archive, as files named by their folders and their name: `2024/jan.csv` is `2024_jan.csv`. Says what
 * was left out. An archive that has none, is damaged or encrypted is given back: reading it says what is wrong.
 */
export async function unpackArchive(file: File, depth = 1): Promise<readonly File[]> {
  let entries: readonly ZipEntry[]
  try {
    entries = (await readNames(file)).filter(({ name }) => !name.endsWith('/') && !isHidden(name))
  } catch (error) {
    if (error instanceof ZipError || isUnreadable(error)) return [file]
    throw error
  }
  if (entries.some(({ name }) => OFFICE.has(name.toLowerCase())) || file.name.startsWith('rowhouse-backup-'))
    return [file]
  const found = entries.flatMap((entry): Part[] => {
    const kind = kindOf(entry.name)
    return kind === null ? [] : [{ entry, kind }]
  })
  const parts = found
    .toSorted((a, b) => a.entry.name.localeCompare(b.entry.name, 'en', { numeric: true }))
    .slice(0, MOST)
  if (parts.length === 0 || parts.some(({ entry }) => entry.encrypted)) return [file]
  const { files, failed } = await unpackParts(file, parts, depth)
  tell(file.name, {
    taken: files.length,
    none: entries.length - found.length,
    more: found.length - parts.length,
    failed,
  })
  return files
}

/** An archive's entries, with names that aren't Unicode read as what they're most likely in. Says where that's a guess. */
async function readNames(file: File): Promise<readonly ZipEntry[]> {
  const entries = await readDirectory(file)
  const named = (entry: ZipEntry, name: string): ZipEntry => ({ ...entry, name: name.normalize('NFC') })
  const unknown = entries.flatMap(({ nameBytes }) => (nameBytes ? [nameBytes] : []))
  if (unknown.length === 0) return entries.map((entry) => named(entry, entry.name))
  const { names, encoding, isGuess } = await decodeFileNames(unknown)
  if (isGuess) {
    const description = `The archive doesn’t say their encoding. Read as ${encodingName(encoding)}, the first is “${names[0]}”.`
    toast({ title: `File names in “${file.name}” are a guess`, description })
  }
  let at = 0
  return entries.map((entry) => named(entry, entry.nameBytes ? pathOf(names[at++] ?? '') : entry.name))
}

async function unpackParts(
  file: File,
  parts: readonly Part[],
  depth: number,
): Promise<{ readonly files: readonly File[]; readonly failed: readonly string[] }> {
  const names = namesByPath(parts.map(({ entry }) => entry.name))
  const isLarge = sizeOf(parts, 'text') > MAX_TEXT
  const failed: string[] = []
  const files: File[] = []
  let others = 0
  for (const [i, { entry, kind }] of parts.entries()) {
    try {
      refuse(entry)
      const isText = kind === 'text' || kind === 'packed'
      if (!isText) {
        others += entry.size
        if (entry.size > MAX_OTHER || others > MAX_OTHERS) throw tooLarge(entry)
      }
      const made = await fileOf(file, entry, names[i] ?? entry.name, kind === 'text' && isLarge)
      if (kind === 'archive' && depth < MAX_DEPTH) {
        for (const inner of await unpackArchive(made, depth + 1)) {
          // An archive is the folder of what is in it.
          if (inner !== made) markTogether(inner, `${entry.name.replace(/\.zip$/i, '')}/${pathOfFile(inner)}`)
          files.push(inner)
        }
        continue
      }
      markTogether(made, entry.name)
      files.push(made)
    } catch (error) {
      if (!(error instanceof ZipError)) throw error
      failed.push(`“${entry.name}”: ${error.message}`)
    }
  }
  return { files, failed }
}

const sizeOf = (parts: readonly Part[], wanted: Kind): number =>
  parts.reduce((sum, { entry, kind }) => (kind === wanted ? sum + entry.size : sum), 0)

/** @throws {ZipError} for what isn't unpacked, whatever is in it */
function refuse({ method, size, compressedSize }: ZipEntry): void {
  if (method !== STORED && method !== DEFLATE) {
    throw new ZipError('damaged', `it is packed in a way (${method}) that can’t be unpacked here.`)
  }
  if (size > RATIO_FROM && size > compressedSize * MAX_RATIO) {
    throw new ZipError('too-large', `it unpacks to ${formatBytes(size)}, over 500 times its size, as archive bombs do.`)
  }
}

const tooLarge = ({ size }: ZipEntry): ZipError =>
  new ZipError('too-large', `it unpacks to ${formatBytes(size)}: unpack the archive first, then add the file.`)

/** @param asGzip whether a large text is left compressed, in the form that is unpacked as it's read */
async function fileOf(archive: File, entry: ZipEntry, name: string, asGzip: boolean): Promise<File> {
  const { lastModified } = archive
  if (entry.method === STORED) return new File([await packedBytes(archive, entry)], name, { lastModified })
  if (asGzip) return new File(await gzipOf(archive, entry), `${name}.gz`, { lastModified })
  const source = await unpackedBytes(archive, entry)
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (;;) {
    const bytes = await source.read()
    if (!bytes) return new File(parts, name, { lastModified })
    parts.push(new Uint8Array(bytes))
  }
}

/** A gzip file (RFC 1952) of the same deflated bytes, with the archive's checksum and size: nothing is copied. */
async function gzipOf(archive: File, entry: ZipEntry): Promise<BlobPart[]> {
  const head = Uint8Array.of(0x1f, 0x8b, DEFLATE, 0, 0, 0, 0, 0, 0, 0xff)
  const end = new DataView(new ArrayBuffer(8))
  end.setUint32(0, entry.crc, true)
  end.setUint32(4, entry.size % 2 ** 32, true)
  return [head, await packedBytes(archive, entry), end.buffer]
}

const isUnreadable = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotReadableError'

interface Outcome {
  readonly taken: number
  /** Files that are no tables. */
  readonly none: number
  /** Files beyond those that are taken. */
  readonly more: number
  readonly failed: readonly string[]
}

function tell(name: string, { taken, none, more, failed }: Outcome): void {
  if (failed.length > 0) {
    const title = `${plural(failed.length, 'file')} of “${name}” couldn’t be unpacked`
    toast({ title, description: failed.slice(0, 3).join(' '), tone: 'bad', stays: true })
  }
  if (none + more === 0) return
  const rest = [
    ...(none > 0 ? [`${none === 1 ? '1 file is no table' : `${none} files are no tables`} by name`] : []),
    ...(more > 0 ? [`${more} more were left: add them later`] : []),
  ]
  toast({ title: `${plural(taken, 'file')} taken of “${name}”`, description: `${rest.join('. ')}.` })
}
