import { placeOf, type ZipEntry } from '../../../lib/zip/read.ts'
import type { Note } from '../../../tables/plan.ts'
import { EngineError } from '../../errors.ts'
import { freeName, MACROS, MAX_SHEETS, type Sheet, type Workbook } from '../xlsx/read/book.ts'
import { passwordProtected } from '../xlsx/ole.ts'
import { NO_STRINGS } from '../xlsx/read/strings.ts'
import { SheetStream } from '../xlsx/read/sheet-stream.ts'
import { tooManySheets } from '../xlsx/read/workbook.ts'
import { attributesOf, readXml, scanXml, type XmlVisitor } from '../xlsx/xml/part.ts'
import { CLOSE, END, NEED, OPEN, TEXT, type XmlScanner } from '../xlsx/xml/scanner.ts'
import { xmlText } from '../xlsx/xml/text.ts'
import { corrupt, openEntry, openZip, type ZipArchive } from '../xlsx/zip.ts'
import { OdsStyles } from './styles.ts'
import { TableParser } from './table-parser.ts'

/** Limit of unpacked XML; all sheets are in one part. */
const MAX_CONTENT = 8 * 1024 * 1024 * 1024
const SMALL_PART = 128 * 1024 * 1024

/**
 * Opens an OpenDocument spreadsheet, and reads its styles and list of tables. Rows are read on demand.
 * @throws {EngineError}, or the signal's reason
 */
export async function openOds(file: File, signal: AbortSignal): Promise<Workbook> {
  const zip = await openZip(file)
  const content = zip.entries.get('content.xml')
  if (!content) throw corrupt('The spreadsheet is damaged: its contents are missing.')
  await refuseEncrypted(zip, file.name, signal)
  const styles = new OdsStyles()
  const shared = zip.entries.get('styles.xml')
  if (shared) await scan(zip, shared, styles, signal)
  const found = await scan(zip, content, styles, signal)
  if (!found.isSpreadsheet) {
    throw new EngineError('unsupported-format', `“${file.name}” is an OpenDocument file that isn’t a spreadsheet.`, {
      remedy: 'Copy its table into a spreadsheet, and save that as .ods or .xlsx.',
    })
  }
  if (found.tables.length === 0) throw corrupt('The spreadsheet is damaged: it has no sheets.')
  const names = new Set<string>()
  const bytes = Math.round(content.compressedSize / found.tables.length)
  const sheets = found.tables.map(({ name, style }, index): Sheet => ({
    name: freeName(name, names),
    hidden: styles.isHidden(style),
    bytes,
    open: (onRow, stop) =>
      SheetStream.open(
        zip,
        { name, entry: content },
        (scanner) => new TableParser(scanner, index, styles, onRow),
        stop,
      ),
  }))
  const hasMacros = [...zip.entries.keys()].some((name) => /^(?:basic|scripts)\/./.test(name))
  const notes: Note[] = hasMacros ? [MACROS] : []
  return { sheets, date1904: false, styles: styles.table, strings: NO_STRINGS, notes }
}

async function refuseEncrypted(zip: ZipArchive, fileName: string, signal: AbortSignal): Promise<void> {
  const manifest = zip.entries.get('meta-inf/manifest.xml')
  if (!manifest) return
  const visitor: XmlVisitor = {
    open(name) {
      if (name === 'encryption-data') throw passwordProtected(fileName)
    },
  }
  await readXml(zip, manifest, SMALL_PART, visitor, signal)
}

interface Found {
  /** Current nesting of tables: a table within a cell isn't a sheet. */
  depth: number
  readonly tables: { readonly name: string; readonly style: string }[]
  isSpreadsheet: boolean
}

/** Scans a part for styles and tables. */
async function scan(zip: ZipArchive, entry: ZipEntry, styles: OdsStyles, signal: AbortSignal): Promise<Found> {
  const found: Found = { depth: 0, tables: [], isSpreadsheet: false }
  const bytes = await openEntry(zip, entry, MAX_CONTENT)
  await scanXml(bytes, placeOf(entry.name), (scanner) => look(scanner, styles, found), signal)
  return found
}

function look(scanner: XmlScanner, styles: OdsStyles, found: Found): boolean {
  for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
    if (token === END) return true
    if (token === OPEN) {
      const name = scanner.name()
      if (name === 'spreadsheet') {
        found.isSpreadsheet = true
      } else if (!found.isSpreadsheet) {
        styles.open(name, attributesOf(scanner))
        if (scanner.selfClosing) styles.close(name)
      } else if (name === 'null-date') {
        styles.firstDay = firstDayOf(attributesOf(scanner).get('date-value')) ?? styles.firstDay
      } else if (name === 'table') {
        if (found.depth === 0) addTable(found, attributesOf(scanner))
        if (!scanner.selfClosing) found.depth++
      }
    } else if (token === CLOSE) {
      const name = scanner.name()
      if (!found.isSpreadsheet) styles.close(name)
      else if (name === 'table') found.depth--
    } else if (!found.isSpreadsheet && token === TEXT) {
      styles.text(xmlText(scanner.bytes, scanner.textStart, scanner.textEnd))
    }
  }
  return false
}

const firstDayOf = (value = ''): string | undefined => /^\d{4}-\d\d-\d\d$/.exec(value)?.[0]

function addTable({ tables }: Found, attributes: ReadonlyMap<string, string>): void {
  if (tables.length === MAX_SHEETS) throw tooManySheets()
  tables.push({ name: attributes.get('name') ?? '', style: attributes.get('style-name') ?? '' })
}
