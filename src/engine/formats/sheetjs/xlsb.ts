import { concatBytes } from '../../../lib/bytes.ts'
import type { ByteSource } from '../../../lib/zip/read.ts'
import { MACROS, type Workbook } from '../xlsx/read/book.ts'
import { corrupt, openEntry, openZip } from '../xlsx/zip.ts'
import { attempt, workbookFrom } from './book.ts'
import { tooLarge } from './bounds.ts'
import { type Container, OPTIONS, parse_zip } from './library.ts'

/** Limit for the unpacked parts: as with .xls, each byte takes about 45 bytes of memory. */
const MAX_PARTS = 32 * 1024 * 1024

/**
 * Parts that aren't needed for cells: pictures, macros, drawings, charts and their relations, values of other
 * workbooks.
 */
const LEFT_ASIDE =
  /\/(?:media|chartsheets\/_rels|printersettings|theme|drawings|charts|embeddings|externallinks|ctrlprops|activex|pivot\w+|tables|querytables)\/|^(?:docprops|customxml)\/|\/(?:vbaproject|calcchain|comments\d*)\.bin$/

/** A sheet in the list of sheets: its state, id, relation and name. */
const BUNDLE_SHEET = 156
const NO_TEXT = 0xffffffff

/**
 * Opens a binary Excel workbook. Its parts are unpacked and their checksums verified before SheetJS reads them.
 * @throws {EngineError}, or the signal's reason
 */
export async function openXlsb(file: File, signal: AbortSignal): Promise<Workbook> {
  const zip = await openZip(file)
  if (!zip.entries.has('xl/workbook.bin')) throw corrupt('The workbook is damaged: its list of sheets is missing.')
  const wanted = [...zip.entries].filter(([name, { size }]) => size > 0 && !LEFT_ASIDE.test(name))
  const total = wanted.reduce((sum, [, { size }]) => sum + size, 0)
  if (total > MAX_PARTS) throw tooLarge(total, MAX_PARTS)
  const parts: { name: string; type: number; content: Uint8Array }[] = []
  for (const [name, entry] of wanted) {
    const content = await contentOf(await openEntry(zip, entry, MAX_PARTS), signal)
    if (name === 'xl/workbook.bin') checkSheetList(content)
    parts.push({ name: entry.name, type: 2, content })
  }
  const container: Container = { FullPaths: parts.map(({ name }) => name), FileIndex: parts }
  const book = attempt(() => parse_zip(container, OPTIONS))
  return workbookFrom(book, file.size, zip.entries.has('xl/vbaproject.bin') ? [MACROS] : [])
}

/**
 * Checks that names in the list of sheets are inside their records, since SheetJS would read millions of characters
 * beyond. Test versions of Excel 2007 wrote other records.
 * https://learn.microsoft.com/openspecs/office_file_formats/ms-xlsb
 * @throws {EngineError} `corrupt-file`
 */
function checkSheetList(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const next = (most: number): number => {
    let value = 0
    for (let i = 0; i < most; i++) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) break
    }
    return value
  }
  const afterText = (start: number, end: number): number => {
    const length = start + 4 <= end ? view.getUint32(start, true) : end
    return start + 4 + (length === NO_TEXT ? 0 : 2 * length)
  }
  while (at < bytes.length) {
    const type = next(2)
    const length = next(4)
    const end = at + length
    const last = type === BUNDLE_SHEET ? afterText(afterText(at + 8, end), end) : at
    if (end > bytes.length || last > end) throw corrupt('The workbook is damaged: its list of sheets can’t be read.')
    at = end
  }
}

async function contentOf(source: ByteSource, signal: AbortSignal): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  try {
    for (let piece = await source.read(); piece; piece = await source.read()) {
      signal.throwIfAborted()
      pieces.push(piece)
    }
  } finally {
    await source.cancel()
  }
  return concatBytes(pieces)
}
