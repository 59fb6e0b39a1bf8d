import { FORMATS, formatInfo, type FormatId } from '../../contract/formats.ts'
import { readDirectory } from '../../lib/zip/read.ts'
import { unpackedName } from '../../tables/names.ts'
import type { Compression } from '../../tables/settings.ts'
import { EngineError } from '../errors.ts'
import { formatOfSignature, startsWith } from '../formats/registry.ts'
import { unpackedFile } from '../formats/shared/unpacked-file.ts'
import { isXmlWorkbook } from '../formats/spreadsheetml/markup.ts'
import { compressionOf } from '../io/compression.ts'
import { encodingOfStart, looksBinary } from '../io/encoding.ts'
import { readBytes } from '../io/read-bytes.ts'
import { openBytes, openTranscoder } from '../io/text-stream.ts'

export interface Detection {
  readonly format: FormatId
  readonly compression: Compression | null
}

const SAMPLE = 64 * 1024

/** Formats that are no text and are read though their file is compressed. */
const UNPACKED_WHOLE: ReadonlySet<FormatId> = new Set(['xls', 'sqlite'])

const RE_SAVE = 'Open it in the program that made it and save it as CSV, Excel (.xlsx) or Parquet.'
const UNPACK = 'Unpack it first, then add the files that are in it.'

/** First bytes of what people drop that isn't a table that we read: hexadecimal, its name, what to do. */
const FOREIGN: readonly (readonly [magic: string, name: string, remedy: string])[] = [
  ['fd377a585a00', 'an xz archive', UNPACK],
  ['377abcaf271c', 'a 7-Zip archive', UNPACK],
  ['526172211a07', 'a RAR archive', UNPACK],
  ['25504446', 'a PDF document', RE_SAVE],
  ['4f5243', 'an ORC file', 'Convert it to Parquet first.'],
  ['4f626a01', 'an Avro file', 'Convert it to Parquet or JSON first.'],
  [
    '6400626500',
    'the write-ahead log of a DuckDB database',
    'Open the database in DuckDB and run CHECKPOINT, which empties the log. Then add the database itself.',
  ],
  ['89504e47', 'a PNG picture', RE_SAVE],
  ['ffd8ff', 'a JPEG picture', RE_SAVE],
  ['47494638', 'a GIF picture', RE_SAVE],
  ['7b5c727466', 'an RTF document', RE_SAVE],
]

/** What a file is that is no table of ours. */
const notATable = (name: string, what: string, remedy: string): EngineError =>
  new EngineError('unsupported-format', `“${name}” is ${what}, not a table that Rowhouse reads.`, { remedy })

const EXPORT = 'Export it as CSV from the program that made it.'
const UNWRAP =
  'Delete what stands before the first “[” or “{” and after the last “]” or “}”, and save it under a name that ends in .json.'

/** How texts begin that are no tables, and would be nonsense as CSV; what they are, what to do. */
const FOREIGN_TEXTS: readonly (readonly [beginning: RegExp, name: string, remedy: string])[] = [
  [/^(?:<\?xml|<[a-z][\w:.-]*(?:\s[^<>]*)?>\s*<[a-z!])/i, 'an XML file', RE_SAVE],
  [/^begin:vcard\s*\n/i, 'a list of contacts (vCard)', EXPORT],
  [/^begin:vcalendar\s*\n/i, 'a calendar (iCalendar)', EXPORT],
  [/^(?:(?:var|let|const)\s+\w+|\w+(?:\.\w+)+)\s*=\s*[[{]\s*["[{]/, 'JSON in a JavaScript file', UNWRAP],
  [/^[\w.$]+\((?:\[|\{\s*")/, 'JSON in the call of a function (JSONP)', UNWRAP],
]

/** What a file that is no text should have been, by its name. */
const BINARY_NAMES: ReadonlyMap<string, string> = new Map(
  FORMATS.filter(({ text }) => !text).flatMap(({ extensions, noun }) =>
    extensions.map((name) => [name, noun] as const),
  ),
)
/** Names under which a web page may be a table. */
const SHEET_NAMES = new Set(['xls', 'xlt', 'xlsx', 'html', 'htm'])
const JSON_NAMES = new Set(['json', 'ndjson', 'jsonl', 'geojson'])

/**
 * Tells a file's format from its content; the name decides only between formats that content can't tell apart.
 * @throws {EngineError} `empty-file`, or `unsupported-format` that names what the file seems to be
 */
export async function detectFormat(file: File, signal: AbortSignal): Promise<Detection> {
  if (file.size === 0) {
    throw new EngineError('empty-file', `“${file.name}” is empty: it has no bytes.`, {
      remedy: 'Check that the export or download that made it was finished.',
    })
  }
  const head = await readBytes(file, 0, SAMPLE)
  const compression = compressionOf(head)
  if (!compression) {
    const plain = await detectPlain(head, file.name)
    return { format: plain === 'xlsx' ? await formatInZip(file) : plain, compression }
  }
  const inner = await firstUnpacked(file, compression, signal)
  if (compressionOf(inner)) {
    throw new EngineError('unsupported-format', `“${file.name}” is a ${compression} archive of another archive.`, {
      remedy: 'Unpack it once, then add the file that is in it.',
    })
  }
  const format = await detectPlain(inner, unpackedName(file.name))
  if (format === 'xlsx')
    return { format: await formatInZip(await unpackedFile(file, compression, signal)), compression }
  const { text, noun } = formatInfo(format)
  if (!text && !UNPACKED_WHOLE.has(format)) {
    throw new EngineError('unsupported-format', `“${file.name}” is a ${compression} archive of ${noun}.`, {
      remedy: UNPACK,
    })
  }
  return { format, compression }
}

/** Which workbook a zip archive is; one that isn't, or is damaged, is reported by the reader of .xlsx. */
async function formatInZip(file: File): Promise<FormatId> {
  const entries = await readDirectory(file).catch(() => [])
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  return names.has('xl/workbook.bin') ? 'xlsb' : names.has('content.xml') ? 'ods' : 'xlsx'
}

/** How the file is compressed, whatever is in it. */
export async function compressionOfFile(file: File): Promise<Compression | null> {
  return compressionOf(await readBytes(file, 0, 8))
}

async function detectPlain(head: Uint8Array, name: string): Promise<FormatId> {
  const format = formatOfSignature(head)
  if (format) return format
  for (const [magic, what, remedy] of FOREIGN) {
    if (startsWith(head, magic)) throw notATable(name, what, remedy)
  }
  if (startsWith(head.subarray(257), '7573746172')) {
    throw new EngineError('unsupported-format', `“${name}” is a tar archive.`, { remedy: UNPACK })
  }
  return detectText(head, name)
}

async function detectText(head: Uint8Array, name: string): Promise<FormatId> {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  refuseNoText(head, name, extension)
  // What tells formats apart is ASCII in all the others.
  const encoding = encodingOfStart(head) ?? 'windows-1252'
  const transcoder = await openTranscoder(encoding)
  const text = new TextDecoder().decode(transcoder.push(head)).trimStart()
  if (isXmlWorkbook(text) || (SHEET_NAMES.has(extension) && isHtml(text))) return 'xls'
  refuseForeignText(text, name)
  refuseExchange(text, name, head.length < SAMPLE)
  refuseUnevenRows(text, name)
  refuseSql(text, name, extension)
  if (JSON_NAMES.has(extension)) return 'json'
  const named = ['csv', 'tsv', 'tab', 'txt', 'psv'].includes(extension)
  const json = named ? /^(\{\s*"[^"\n]*"\s*:|\[\s*\{\s*")/ : /^(\{\s*["}]|\[\s*([{["\]-]|\d|true|false|null))/
  if (json.test(text)) return 'json'
  return extension === 'tsv' || extension === 'tab' ? 'tsv' : 'csv'
}

/** CSV tells by itself, more thoroughly, whether it is text; what another name promises is said here. */
function refuseNoText(head: Uint8Array, name: string, extension: string): void {
  const promised = BINARY_NAMES.get(extension)
  if (!(promised || JSON_NAMES.has(extension)) || !looksBinary(head)) return
  if (promised) {
    throw new EngineError('unsupported-format', `“${name}” is not ${promised}, despite its name, nor text.`, {
      remedy: 'Fetch or export it again; if it is encrypted or packed by another program, undo that first.',
    })
  }
  throw new EngineError('not-text', `“${name}” isn’t text, despite its name.`, {
    remedy: 'Open it in the program that made it and export it as JSON, CSV or Excel (.xlsx).',
  })
}

const withoutComments = (text: string): string => text.replace(/^(\s*<!--[^]*?-->)+\s*/, '')

/** As HTML, or as XHTML after the declaration of XML. */
const isHtml = (text: string): boolean =>
  /^<(!doctype html|html|head|meta|title|body|table|style|script|div|p|h1)\b/i.test(
    withoutComments(text.replace(/^\s*<\?xml[^>]*>\s*/i, '')),
  )

/** Programs save web pages and XML as .xls, and servers answer with them where a file should be; others are no tables at all. */
function refuseForeignText(text: string, name: string): void {
  const start = withoutComments(text)
  if (isHtml(text)) {
    throw new EngineError('unsupported-format', `“${name}” is a web page (HTML), despite its name.`, {
      remedy: 'Open it in a spreadsheet program and save it as .xlsx or CSV; if it was downloaded, see what it says.',
    })
  }
  if (/^mime-version:/i.test(start)) {
    throw new EngineError('unsupported-format', `“${name}” is a web archive (MHTML), despite its name.`, {
      remedy: 'Open it in a spreadsheet program and save it as .xlsx or CSV.',
    })
  }
  for (const [beginning, what, remedy] of FOREIGN_TEXTS) {
    if (beginning.test(start)) throw notATable(name, what, remedy)
  }
}

/** Records of SYLK, each on a line; one that says which cell it is about; and how DIF begins. */
const SYLK_RECORD = /^(?:(?:ID|[BCFOPW]|N[NEUL]);.*|E|)$/
const SYLK_CELL = /^C;(?:[XY]\d+;)*[XY]\d+;/
const DIF = /^TABLE\s*\n0,1\s*\n"[^\n]*"\s*\nVECTORS\s*\n/

/** Spreadsheets as text, which would be nonsense as CSV. A CSV may begin as SYLK does: all lines have to be its records. */
function refuseExchange(text: string, name: string, isWhole: boolean): void {
  const isDif = DIF.test(text.slice(0, 1000).replaceAll(/\r\n?/g, '\n'))
  if (!isDif && !text.startsWith('ID;P')) return
  const lines = text.split(/\r\n?|\n/)
  const whole = isWhole ? lines : lines.slice(0, -1)
  const isSylk = whole.every((line) => SYLK_RECORD.test(line)) && whole.some((line) => SYLK_CELL.test(line))
  if (!isDif && !(isSylk && (!isWhole || whole.includes('E')))) return
  const what = isDif ? 'a DIF spreadsheet (Data Interchange Format)' : 'a SYLK spreadsheet (Symbolic Link)'
  throw notATable(name, what, 'Open it in Excel or LibreOffice and save it as .xlsx or CSV.')
}

/** Rows as ClickHouse, psql and MySQL print them below one another, with a line for each value; ClickHouse's in UTF-8. */
const VERTICAL = /^(?:Row 1:\r?\n[─â”€]+\r?\n|-\[ RECORD 1 \][-+]*\r?\n|\*{9,} 1\. row \*{9,}\r?\n)/
/** Weka's rows that have but the values other than 0, by the numbers of their columns. */
const SPARSE_ARFF = /^(?:%.*\n|\s)*@relation\b[^]*?\n[ \t]*@data[ \t]*\r?\n(?:%.*\n|\s)*\{\s*(?:\d+\s|\})/i

/** Rows that take several lines each, or name few of their values: each would be nonsense as CSV. */
function refuseUnevenRows(text: string, name: string): void {
  if (VERTICAL.test(text)) {
    throw new EngineError('unsupported-format', `“${name}” has a line for each value, as databases print rows.`, {
      remedy: 'Have the database write the rows as CSV.',
    })
  }
  if (!SPARSE_ARFF.test(text)) return
  throw new EngineError('unsupported-format', `“${name}” is a sparse ARFF file, whose rows leave out zeros.`, {
    remedy: 'Apply the filter SparseToNonSparse in Weka and save it again.',
  })
}

/** Comments, line breaks and blanks before the first statement. */
const BEFORE_SQL = /^(?:\s+|--.*|\/\*[^]*?\*\/;?)*/
const SQL_NAME = String.raw`(?:[\w.$]|"[^"\n]*"|\`[^\`\n]*\`|\[[^\]\n]*\])+`
/** How scripts begin that programs write: of tables with their rows, or of rows alone. */
const SQL = new RegExp(
  `^(?:${[
    String.raw`insert\s+(?:ignore\s+)?into\s+${SQL_NAME}\s*(?:\([^()]*\)\s*)?values\s*\(`,
    String.raw`create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:table|database|schema)\s+[^,;\n]+[;(]`,
    String.raw`drop\s+table\s+[^,;\n]+;`,
    String.raw`(?:begin|start)\s+transaction;`,
    String.raw`(?:pragma|set)\s+\w+\s*=\s*[^,;\n]+;[ \r]*\n`,
    String.raw`values\s*\(`,
  ].join('|')})`,
  'i',
)
const SQL_ROW = String.raw`\((?:'[^']*'|[^(),'\n])*,(?:'[^']*'|[^()'\n])*\)`
/** Rows as VALUES has them, two of them in the first line. */
const SQL_ROWS = new RegExp(String.raw`^${SQL_ROW}\s*,\s*${SQL_ROW}\s*(?:[,;]|$)`)

/** Statements would be nonsense as CSV. */
function refuseSql(text: string, name: string, extension: string): void {
  const start = text.replace(BEFORE_SQL, '')
  if (extension !== 'sql' && !SQL.test(start) && !SQL_ROWS.test(start)) return
  throw new EngineError('unsupported-format', `“${name}” has SQL statements, not a table.`, {
    remedy: 'Open it on the SQL screen and run it there, or export its tables from their database as CSV.',
  })
}

/** The first bytes inside a compressed file; as many as there are when it's cut short or damaged after them. */
async function firstUnpacked(file: File, compression: Compression, signal: AbortSignal): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of openBytes(file, { compression, signal, sliceSize: SAMPLE })) {
      parts.push(part)
      size += part.length
      if (size >= SAMPLE) break
    }
  } catch (error) {
    // What came before is what counts: a file that is damaged from its first byte shows when it's read.
    if (!(error instanceof EngineError && error.code === 'corrupt-file')) throw error
  }
  const unpacked = new Blob(parts as Uint8Array<ArrayBuffer>[]).slice(0, SAMPLE)
  return new Uint8Array(await unpacked.arrayBuffer())
}
