import { FORMATS, formatInfo, type FormatId } from '../../contract/formats.ts'
import { concatBytes } from '../../lib/bytes.ts'
import { readDirectory } from '../../lib/zip/read.ts'
import type { Note } from '../../tables/plan.ts'
import type { Compression } from '../../tables/settings.ts'
import { EngineError } from '../errors.ts'
import { unpackedFile } from '../formats/shared/unpacked-file.ts'
import { isXmlWorkbook } from '../formats/spreadsheetml/markup.ts'
import { compressionOf } from '../io/compression.ts'
import { encodingOfStart, looksBinary } from '../io/encoding.ts'
import { readBytes } from '../io/read-bytes.ts'
import { openBytes, openTranscoder } from '../io/text-stream.ts'
import { extensionIn, unpackedName } from '../../tables/file-names.ts'
import { formatOfSignature, startsWith } from '../formats/registry.ts'

export interface Detection {
  readonly format: FormatId
  readonly compression: Compression | null
}

const SAMPLE = 64 * 1024

/** Formats other than text that may be compressed as a whole file. */
const UNPACKED_WHOLE: ReadonlySet<FormatId> = new Set(['xls', 'sqlite'])

const RE_SAVE = 'Open it in the program that made it and save it as CSV, Excel (.xlsx) or Parquet.'
const UNPACK = 'Unpack it first, then add the files that are in it.'

/** Signatures of files that aren't tables: hexadecimal, what the file is, and what to do. */
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

/** The error for a file that isn't a table. */
const notATable = (name: string, what: string, remedy: string): EngineError =>
  new EngineError('unsupported-format', `“${name}” is ${what}, not a table that Rowhouse reads.`, { remedy })

const EXPORT = 'Export it as CSV from the program that made it.'
const UNWRAP =
  'Delete what stands before the first “[” or “{” and after the last “]” or “}”, and save it under a name that ends in .json.'

/** Beginnings of texts that aren't tables and would be nonsense as CSV: what they are, and what to do. */
const FOREIGN_TEXTS: readonly (readonly [beginning: RegExp, name: string, remedy: string])[] = [
  [/^(?:<\?xml|<[a-z][\w:.-]*(?:\s[^<>]*)?>\s*<[a-z!])/i, 'an XML file', RE_SAVE],
  [/^begin:vcard\s*\n/i, 'a list of contacts (vCard)', EXPORT],
  [/^begin:vcalendar\s*\n/i, 'a calendar (iCalendar)', EXPORT],
  [/^(?:(?:var|let|const)\s+\w+|\w+(?:\.\w+)+)\s*=\s*[[{]\s*["[{]/, 'JSON in a JavaScript file', UNWRAP],
  [/^[\w.$]+\((?:\[|\{\s*")/, 'JSON in the call of a function (JSONP)', UNWRAP],
]

/** The expected format of files that aren't text, by extension. */
const BINARY_NAMES: ReadonlyMap<string, string> = new Map(
  FORMATS.filter(({ text }) => !text).flatMap(({ extensions, noun }) =>
    extensions.map((name) => [name, noun] as const),
  ),
)
/** Extensions of web pages that may be tables. */
const SHEET_NAMES = new Set(['xls', 'xlt', 'xlsx', 'html', 'htm'])
const JSON_NAMES = new Set(['json', 'ndjson', 'jsonl', 'geojson'])

/**
 * Detects a file's format from its content. The name decides only between formats that content can't distinguish.
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

/** Formats by the extensions that promise them. Any text is called .txt, and databases of any program .db. */
const PROMISED: ReadonlyMap<string, FormatId> = new Map(
  FORMATS.flatMap(({ id, extensions }) => extensions.map((name) => [name, id] as const)).filter(
    ([name]) => name !== 'txt' && name !== 'db',
  ),
)

/** Says that a file isn't what its name promises. */
export function nameNotes(name: string, { format, compression }: Detection): Note[] {
  const isNamedPacked = unpackedName(name) !== name
  const promised = PROMISED.get(extensionIn(name))
  const messages = [
    promised === undefined || promised === format
      ? null
      : `The file is ${formatInfo(format).noun}, despite its name, and is read as one.`,
    isNamedPacked === (compression !== null)
      ? null
      : isNamedPacked
        ? 'The file isn’t compressed, despite its name.'
        : `The file is compressed by ${compression}, though its name doesn’t say so.`,
  ]
  return messages.filter((message) => message !== null).map((message) => ({ code: 'misleading-name', message }))
}

/** The kind of workbook in a zip archive. Other or damaged archives are reported by the reader of .xlsx. */
async function formatInZip(file: File): Promise<FormatId> {
  const entries = await readDirectory(file).catch(() => [])
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  return names.has('xl/workbook.bin') ? 'xlsb' : names.has('content.xml') ? 'ods' : 'xlsx'
}

/** The compression of a file, whatever it contains. */
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
  const extension = extensionIn(name)
  refuseNoText(head, name, extension)
  // In all other encodings, ASCII suffices to distinguish formats.
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

/** The reader of CSV checks more thoroughly whether it's text. Here, only a misleading extension is reported. */
function refuseNoText(head: Uint8Array, name: string, extension: string): void {
  const promised = BINARY_NAMES.get(extension)
  if (!(promised || JSON_NAMES.has(extension)) || !looksBinary(head)) return
  if (promised) {
    throw new EngineError('unsupported-format', `“${name}” is neither ${promised}, despite its name, nor text.`, {
      remedy: 'Fetch or export it again; if it is encrypted or packed by another program, undo that first.',
    })
  }
  throw new EngineError('not-text', `“${name}” isn’t text, despite its name.`, {
    remedy: 'Open it in the program that made it and export it as JSON, CSV or Excel (.xlsx).',
  })
}

const withoutComments = (text: string): string => text.replace(/^(\s*<!--[^]*?-->)+\s*/, '')

/** HTML, or XHTML after an XML declaration. */
const isHtml = (text: string): boolean =>
  /^<(!doctype html|html|head|meta|title|body|table|style|script|div|p|h1)\b/i.test(
    withoutComments(text.replace(/^\s*<\?xml[^>]*>\s*/i, '')),
  )

/** Programs save web pages and XML as .xls, and servers return them instead of a file; others aren't tables at all. */
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

/** Lines of SYLK; one that defines a cell's position; and the beginning of DIF. */
const SYLK_RECORD = /^(?:(?:ID|[BCFOPW]|N[NEUL]);.*|E|)$/
const SYLK_CELL = /^C;(?:[XY]\d+;)*[XY]\d+;/
const DIF = /^TABLE\s*\n0,1\s*\n"[^\n]*"\s*\nVECTORS\s*\n/

/**
 * Refuses spreadsheets as text, which would be nonsense as CSV. Since a CSV may begin like SYLK, all lines must be
 * SYLK.
 */
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

/** Vertical output of ClickHouse, psql and MySQL, with a line for each value. ClickHouse's is in UTF-8. */
const VERTICAL = /^(?:Row 1:\r?\n[─â”€]+\r?\n|-\[ RECORD 1 \][-+]*\r?\n|\*{9,} 1\. row \*{9,}\r?\n)/
/** Weka's sparse rows, which list only values other than 0, with the indexes of their columns. */
const SPARSE_ARFF = /^(?:%.*\n|\s)*@relation\b[^]*?\n[ \t]*@data[ \t]*\r?\n(?:%.*\n|\s)*\{\s*(?:\d+\s|\})/i

/** Refuses rows that take several lines, or that list only some of their values: both would be nonsense as CSV. */
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
/** Beginnings of SQL scripts: tables with their rows, or only rows. */
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
/** Rows as in VALUES, with two of them in the first line. */
const SQL_ROWS = new RegExp(String.raw`^${SQL_ROW}\s*,\s*${SQL_ROW}\s*(?:[,;]|$)`)

/** Refuses SQL statements, which would be nonsense as CSV. */
function refuseSql(text: string, name: string, extension: string): void {
  const start = text.replace(BEFORE_SQL, '')
  if (extension !== 'sql' && !SQL.test(start) && !SQL_ROWS.test(start)) return
  throw new EngineError('unsupported-format', `“${name}” has SQL statements, not a table.`, {
    remedy: 'Open it on the SQL screen and run it there, or export its tables from their database as CSV.',
  })
}

/** The first bytes inside a compressed file, or fewer if it's truncated or damaged. */
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
    // Use what was unpacked before the damage. If there's nothing, the damage shows when the file is read.
    if (!(error instanceof EngineError && error.code === 'corrupt-file')) throw error
  }
  return concatBytes(parts).subarray(0, SAMPLE)
}
