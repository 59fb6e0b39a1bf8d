import type { ByteSource } from '../../../lib/zip/read.ts'
import type { Note } from '../../../tables/plan.ts'
import { corrupt } from '../xlsx/zip.ts'
import { fileChanged } from '../../errors.ts'
import { freeName, MAX_SHEETS, type Sheet, type Workbook } from '../xlsx/read/book.ts'
import { FormatTable } from '../xlsx/read/styles.ts'
import { NO_STRINGS } from '../xlsx/read/strings.ts'
import { SheetStream } from '../xlsx/read/sheet-stream.ts'
import { tooManySheets } from '../xlsx/read/workbook.ts'
import { attributesOf, scanXml } from '../xlsx/xml/part.ts'
import { CLOSE, END, NEED, OPEN, TEXT, type XmlScanner } from '../xlsx/xml/scanner.ts'
import { utf8Source, xmlText } from '../xlsx/xml/text.ts'
import { WorksheetParser } from './worksheet-parser.ts'

/** Named formats: https://learn.microsoft.com/previous-versions/office/developer/office-xp/aa140066(v=office.10) */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['General Date', 'm/d/yyyy h:mm'],
  ['Long Date', 'm/d/yyyy'],
  ['Medium Date', 'm/d/yyyy'],
  ['Short Date', 'm/d/yyyy'],
  ['Long Time', 'h:mm:ss'],
  ['Medium Time', 'h:mm'],
  ['Short Time', 'h:mm'],
  ['General Number', 'General'],
  ['Currency', '0.00'],
  ['Euro Currency', '0.00'],
  ['Fixed', '0.00'],
  ['Standard', '0.00'],
  ['Percent', '0.00%'],
  ['Scientific', '0.00E+00'],
  ['Yes/No', 'General'],
  ['True/False', 'General'],
  ['On/Off', 'General'],
])

const XML_WORKBOOK: Note = { code: 'xml-workbook', message: 'The file is a workbook in XML, as of Excel 2003.' }

/**
 * Opens a workbook in a single XML file, as written by Excel 2002 and 2003 and by exports of many programs (“XML
 * Spreadsheet 2003”, usually named .xls or .xml), and reads its styles and list of sheets. Rows are read on demand.
 * @throws {EngineError}, or the signal's reason
 */
export async function openSpreadsheetMl(file: File, signal: AbortSignal): Promise<Workbook> {
  const found = await scan(file, signal)
  if (found.sheets.length === 0) throw corrupt('The workbook is damaged: it has no sheets.')
  const names = new Set<string>()
  const bytes = Math.round(file.size / found.sheets.length)
  const sheets = found.sheets.map(({ name, hidden }, index): Sheet => ({
    name: freeName(name, names),
    hidden,
    bytes,
    open: async (onRow, stop) => {
      const parse = (scanner: XmlScanner): WorksheetParser => new WorksheetParser(scanner, index, found, onRow)
      return SheetStream.of(await utf8Source(bytesOf(file)), name, parse, stop)
    },
  }))
  return { sheets, date1904: false, styles: found.formats, strings: NO_STRINGS, notes: [XML_WORKBOOK] }
}

interface Found {
  readonly formats: FormatTable
  /** Index of the format, by style id. */
  readonly styles: Map<string, number>
  readonly sheets: { name: string; hidden: boolean }[]
}

/** Streams the file's bytes. */
function bytesOf(file: File): ByteSource {
  const reader = file.stream().getReader()
  let consumed = 0
  return {
    get consumed() {
      return consumed
    },
    async read() {
      const { value } = await reader.read().catch((error: unknown) => {
        throw fileChanged(error)
      })
      consumed += value?.length ?? 0
      return value ?? null
    },
    cancel: () => reader.cancel().catch(() => undefined),
  }
}

/** Scans the file for styles and sheets. */
async function scan(file: File, signal: AbortSignal): Promise<Found> {
  const found: Found = { formats: new FormatTable(), styles: new Map(), sheets: [] }
  const look = new Look(found)
  await scanXml(bytesOf(file), 'the list of sheets', (scanner) => look.run(scanner), signal)
  return found
}

class Look {
  private readonly found: Found
  /** Id of the current style. */
  private style = ''
  private readonly parents = new Map<string, string>()
  private inTable = false
  private inVisible = false

  constructor(found: Found) {
    this.found = found
  }

  /** Returns true at the end of the file. */
  run(scanner: XmlScanner): boolean {
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      if (token === END) {
        this.inherit()
        return true
      }
      if (token === OPEN) this.open(scanner)
      else if (token === CLOSE) this.close(scanner)
      else if (token === TEXT && this.inVisible) this.visible(scanner)
    }
    return false
  }

  private open(scanner: XmlScanner): void {
    const { found } = this
    // Skip cells early: they are by far the largest part.
    if (this.inTable) return
    const name = scanner.name()
    if (name === 'Worksheet') {
      if (found.sheets.length === MAX_SHEETS) throw tooManySheets()
      found.sheets.push({ name: attributesOf(scanner).get('Name') ?? '', hidden: false })
    } else if (name === 'Table') {
      this.inTable = !scanner.selfClosing
    } else if (name === 'Style') {
      const attributes = attributesOf(scanner)
      this.style = attributes.get('ID') ?? ''
      const parent = attributes.get('Parent')
      if (parent !== undefined) this.parents.set(this.style, parent)
    } else if (name === 'NumberFormat') {
      const format = attributesOf(scanner).get('Format')
      if (format !== undefined) found.styles.set(this.style, found.formats.of(NAMED.get(format) ?? format))
    } else if (name === 'Visible') {
      this.inVisible = !scanner.selfClosing
    }
  }

  private close(scanner: XmlScanner): void {
    const name = scanner.name()
    if (name === 'Table') this.inTable = false
    else if (name === 'Visible') this.inVisible = false
  }

  private visible(scanner: XmlScanner): void {
    const text = xmlText(scanner.bytes, scanner.textStart, scanner.textEnd)
    const sheet = this.found.sheets.at(-1)
    if (sheet) sheet.hidden ||= text.includes('Hidden')
  }

  /** Inherits missing formats from the parent style, and from the default style. */
  private inherit(): void {
    const { styles } = this.found
    for (const [style, parent] of this.parents) {
      const format = styles.get(parent)
      if (!styles.has(style) && format !== undefined) styles.set(style, format)
    }
  }
}
