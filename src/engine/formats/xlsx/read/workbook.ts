import { formatCount } from '../../../../lib/counts.ts'
import type { Note } from '../../../../tables/plan.ts'
import { EngineError } from '../../../errors.ts'
import { type DefinedTable, freeName, MACROS, MAX_SHEETS, type Sheet, type Workbook } from './book.ts'
import { SheetParser } from './sheet-rows.ts'
import { SheetStream } from './sheet-stream.ts'
import { readStrings } from './strings.ts'
import { FormatTable, readStyles } from './styles.ts'
import { readXml, type XmlVisitor, isTrue } from '../xml/part.ts'
import type { ZipEntry } from '../../../../lib/zip/read.ts'
import { corrupt, openZip, type ZipArchive } from '../zip.ts'
import { readDefinedTables } from './defined-tables.ts'
import { refuseOle } from '../ole.ts'
import { readRelations, SMALL_PART } from '../xml/relations.ts'

/**
 * Opens a workbook: its archive, sheets, number formats and shared strings. Parts are found by their relationships,
 * according to ECMA-376 part 2, not by the names that Excel gives them.
 * @throws {EngineError} `corrupt-file`, `password-protected`, `too-large`, or `unsupported-format` that names the
 * file's kind
 */
export async function openWorkbook(file: File, signal: AbortSignal): Promise<Workbook> {
  await refuseOle(file)
  const zip = await openZip(file)
  const main = await findMain(zip, file.name, signal)
  const relations = await readRelations(zip, main.name, signal)
  const found = await readSheetList(file.name, zip, main, signal)
  const parts: { name: string; entry: ZipEntry; hidden: boolean; defined: readonly DefinedTable[] }[] = []
  const notes: Note[] = []
  const names = new Set<string>()
  const targets = new Map(relations.map((relation) => [relation.id, relation]))
  for (const { name, relation, hidden } of found.sheets) {
    const target = targets.get(relation)
    // Excel 95 stored macro modules as sheets without a part.
    if (relation === '' || (target && !target.type.endsWith('/worksheet'))) {
      notes.push({ code: 'no-table-sheet', message: `Sheet “${name}” is a chart or a macro: it has no cells.` })
      continue
    }
    const entry = target && zip.entries.get(target.path.toLowerCase())
    if (!entry) throw corrupt(`The workbook is damaged: the contents of sheet “${name}” are missing.`)
    const own = freeName(name, names)
    if (own !== name)
      notes.push({ code: 'sheet-renamed', message: `Another sheet is named “${name}” too: it’s read as “${own}”.` })
    parts.push({ name: own, entry, hidden, defined: await readDefinedTables(zip, entry.name, signal) })
  }
  const partOf = (type: string): ZipEntry | undefined => {
    const path = relations.find((relation) => relation.type.endsWith(`/${type}`))?.path
    return path === undefined ? undefined : zip.entries.get(path.toLowerCase())
  }
  if (partOf('vbaProject')) notes.push(MACROS)
  const styles = partOf('styles')
  const strings = await readStrings(zip, partOf('sharedStrings'), signal)
  return {
    sheets: parts.map((part): Sheet => ({
      name: part.name,
      hidden: part.hidden,
      bytes: part.entry.compressedSize,
      defined: part.defined,
      open: (onRow, stop) => SheetStream.open(zip, part, (scanner) => new SheetParser(scanner, strings, onRow), stop),
    })),
    date1904: found.date1904,
    styles: styles ? await readStyles(zip, styles, signal) : new FormatTable(),
    strings,
    notes,
  }
}

async function findMain(zip: ZipArchive, fileName: string, signal: AbortSignal): Promise<ZipEntry> {
  const relations = await readRelations(zip, '', signal)
  const path = relations.find(({ type }) => type.endsWith('/officeDocument'))?.path ?? 'xl/workbook.xml'
  const entry = zip.entries.get(path.toLowerCase())
  if (entry && /\.xml$/i.test(path) && !/^(word|ppt|visio)\//i.test(path)) return entry
  throw nameForeign(zip, entry?.name ?? '', fileName)
}

/** The error for a zip archive that isn't a workbook. */
function nameForeign(zip: ZipArchive, main: string, fileName: string): EngineError {
  if (main === '' && [...zip.entries.values()].some(({ encrypted }) => encrypted)) {
    return new EngineError('password-protected', `“${fileName}” is an encrypted zip archive.`, {
      remedy: 'Unpack it with its password first, then add the files that are in it.',
    })
  }
  const has = (name: string): boolean => zip.entries.has(name)
  const saveAs = 'Open it in the program that made it and save it as .xlsx.'
  const [what, remedy] = /\.bin$/i.test(main)
    ? ['a binary Excel workbook (.xlsb)', 'Open it in Excel or LibreOffice and save it as .xlsx.']
    : has('content.xml') || has('mimetype')
      ? ['an OpenDocument file (.ods or the like)', 'Open it in LibreOffice or Excel and save it as .xlsx.']
      : main.startsWith('word/') || has('word/document.xml')
        ? ['a Word document', 'Copy its table into a spreadsheet and save that as .xlsx.']
        : main.startsWith('ppt/') || has('ppt/presentation.xml')
          ? ['a PowerPoint presentation', 'Copy its table into a spreadsheet and save that as .xlsx.']
          : has('index/document.iwa') || has('index.zip')
            ? ['an Apple iWork document', 'Export it from Numbers as Excel.']
            : main !== ''
              ? ['a workbook of an unknown kind', saveAs]
              : ['a zip archive without a workbook in it', 'Unpack it and add the files that are in it.']
  return new EngineError('unsupported-format', `“${fileName}” is ${what}, not an Excel workbook (.xlsx).`, { remedy })
}

/** Namespaces of Excel 2007's beta versions, whose elements differ from the final version's. */
const BETA = 'http://schemas.microsoft.com/office/excel/'

const ofBeta = (fileName: string): EngineError =>
  new EngineError('unsupported-format', `“${fileName}” was saved by a beta version of Excel 2007, in another format.`, {
    remedy: 'If you still have that version, open it there and save it as .xls or CSV. LibreOffice shows it empty.',
  })

export function tooManySheets(): EngineError {
  return new EngineError('too-large', `The workbook has over ${formatCount(MAX_SHEETS)} sheets.`, {
    remedy: 'Split it into workbooks of fewer sheets.',
  })
}

interface FoundSheet {
  readonly name: string
  readonly relation: string
  readonly hidden: boolean
}

async function readSheetList(
  fileName: string,
  zip: ZipArchive,
  entry: ZipEntry,
  signal: AbortSignal,
): Promise<{ sheets: FoundSheet[]; date1904: boolean }> {
  const sheets: FoundSheet[] = []
  let date1904 = false
  const visitor: XmlVisitor = {
    open(name, attributes) {
      if (name === 'workbook' && attributes.get('xmlns')?.startsWith(BETA) === true) throw ofBeta(fileName)
      if (name === 'workbookPr') {
        date1904 = isTrue(attributes.get('date1904'))
      } else if (name === 'sheet') {
        if (sheets.length === MAX_SHEETS) throw tooManySheets()
        sheets.push({
          name: attributes.get('name') ?? '',
          relation: attributes.get('id') ?? '',
          hidden: /hidden/i.test(attributes.get('state') ?? ''),
        })
      }
    },
  }
  await readXml(zip, entry, SMALL_PART, visitor, signal)
  if (sheets.length === 0) throw corrupt('The workbook is damaged: it lists no sheets.')
  return { sheets, date1904 }
}
