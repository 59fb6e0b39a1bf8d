import { sliceBytes } from '../../../lib/bytes.ts'
import type { Note } from '../../../tables/plan.ts'
import { encodingOfStart } from '../../io/encoding.ts'
import { makeTranscoder } from '../../io/transcode.ts'
import { textOf } from '../../io/utf8.ts'
import { MACROS, type Workbook } from '../xlsx/read/book.ts'
import { isOle, refuseForeign } from '../xlsx/ole.ts'
import { openHtml } from '../html/workbook.ts'
import { hasXmlWorkbook } from '../spreadsheetml/markup.ts'
import { openSpreadsheetMl } from '../spreadsheetml/workbook.ts'
import { corrupt, withZipErrors } from '../xlsx/zip.ts'
import { attempt, type Spell, workbookFrom } from './book.ts'
import { tooLarge } from './bounds.ts'
import { CFB, type Container, OPTIONS, parse_xlscfb, SSF } from './library.ts'
import { checkRecords, type RecordFacts } from './records.ts'

/** The whole workbook is held in memory as objects: about 45 bytes for each byte of the file. */
const MAX_FILE = 32 * 1024 * 1024

/** Beginning of the file in which XML and HTML can be told apart. */
const MARKUP_START = 64 * 1024

/** Built-in number formats that SheetJS doesn't know: ECMA-376 part 1, 18.8.30. */
const EAST_ASIAN_DATES = [27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]
const CUSTOM_FORMATS = { first: 164, last: 392 }

/**
 * Opens an Excel workbook from before 2007, in binary or XML form, or a web page with the same extension.
 * @throws {EngineError}, or the signal's reason
 */
export async function openXls(file: File, signal: AbortSignal): Promise<Workbook> {
  const start = await withZipErrors(sliceBytes(file, 0, MARKUP_START))
  if (isMarkup(start)) {
    const text = new TextDecoder(encodingOfStart(start) ?? 'windows-1252').decode(start)
    return hasXmlWorkbook(text) ? openSpreadsheetMl(file, signal) : openHtml(file, signal)
  }
  if (file.size > MAX_FILE) throw tooLarge(file.size, MAX_FILE)
  const bytes = await withZipErrors(sliceBytes(file, 0, file.size))
  signal.throwIfAborted()
  const container = isOle(bytes) ? openContainer(file, bytes) : null
  const stream = container ? streamOf(container) : bytes
  const facts = checkRecords(stream, file.name)
  resetFormats()
  const book = attempt(() => parse_xlscfb(stream, OPTIONS))
  const notes: Note[] = container?.FullPaths.some((path) => /\/_VBA_PROJECT_CUR\//i.test(path)) ? [MACROS] : []
  return workbookFrom(book, file.size, notes, spelling(facts))
}

/** SheetJS keeps the previous workbook's formats. */
function resetFormats(): void {
  for (let id = CUSTOM_FORMATS.first; id <= CUSTOM_FORMATS.last; id++) SSF.load('General', id)
  for (const id of EAST_ASIAN_DATES) SSF.load('yyyy/m/d', id)
}

/** Whether bytes begin like XML or HTML, in any Unicode encoding. No record begins like that. */
const isMarkup = (head: Uint8Array): boolean =>
  /^(ï»¿|ÿþ|þÿ)?[\s\0]*</.test(String.fromCharCode(...head.subarray(0, 64)))

function openContainer(file: File, bytes: Uint8Array): Container {
  const container = attempt(() => CFB.read(bytes, { type: 'array' }))
  refuseForeign(file, new Set(container.FullPaths.map((path) => path.slice(path.lastIndexOf('/') + 1))))
  return container
}

function streamOf(container: Container): Uint8Array {
  const content = (CFB.find(container, '/Workbook') ?? CFB.find(container, '/Book'))?.content
  if (!content) throw corrupt('The workbook is damaged: its contents are missing.')
  return content instanceof Uint8Array ? content : Uint8Array.from(content)
}

/** Before Excel 97, texts were encoded bytes, which SheetJS returns as characters with the same codes. */
function spelling({ version, encoding }: RecordFacts): Spell | undefined {
  if (version >= 8) return undefined
  return (text) => {
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
    return textOf(bytes, makeTranscoder(encoding))
  }
}
