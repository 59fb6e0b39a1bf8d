import { concatBytes } from '../../../lib/bytes.ts'
import type { ByteSource } from '../../../lib/zip/read.ts'
import { MACROS, type Workbook } from '../xlsx/read/book.ts'
import { corrupt, openEntry, openZip } from '../xlsx/zip.ts'
import { attempt, workbookFrom } from './book.ts'
import { tooLarge } from './bounds.ts'
import { type Container, OPTIONS, parse_zip } from './library.ts'

/** Unpacked; as .xls, it takes some 45 bytes of memory for each. */
const MAX_PARTS = 32 * 1024 * 1024

/** What has neither cells nor what cells need: pictures, macros, drawings, other workbooks' values. */
const LEFT_ASIDE =
  /\/(?:media|printersettings|theme|drawings|charts|embeddings|externallinks|ctrlprops|activex|pivot\w+|tables|querytables)\/|^(?:docprops|customxml)\/|\/(?:vbaproject|calcchain|comments\d*)\.bin$/

/**
 * Opens a binary Excel workbook. Its parts are unpacked, and their checksums compared, before SheetJS sees them.
 * @throws {EngineError}, or the signal's reason
 */
export async function openXlsb(file: File, signal: AbortSignal): Promise<Workbook> {
  const zip = await openZip(file)
  if (!zip.entries.has('xl/workbook.bin')) throw corrupt('The workbook is damaged: its list of sheets is missing.')
  const wanted = [...zip.entries].filter(([name, { size }]) => size > 0 && !LEFT_ASIDE.test(name))
  const total = wanted.reduce((sum, [, { size }]) => sum + size, 0)
  if (total > MAX_PARTS) throw tooLarge(total, MAX_PARTS)
  const parts: { name: string; type: number; content: Uint8Array }[] = []
  for (const [, entry] of wanted) {
    const content = await contentOf(await openEntry(zip, entry, MAX_PARTS), signal)
    parts.push({ name: entry.name, type: 2, content })
  }
  const container: Container = { FullPaths: parts.map(({ name }) => name), FileIndex: parts }
  const book = attempt(() => parse_zip(container, OPTIONS))
  return workbookFrom(book, file.size, zip.entries.has('xl/vbaproject.bin') ? [MACROS] : [])
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
