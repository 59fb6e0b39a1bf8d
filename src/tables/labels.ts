import { FORMATS } from '../contract/formats.ts'
import { encodingName } from './encodings.ts'
import { plural } from '../lib/counts.ts'
import { columnAt } from './plan.ts'
import type {
  ColumnFlag,
  CsvSettings,
  InspectedColumn,
  Inspection,
  Note,
  ReadSettings,
  RejectReason,
  TablePlan,
} from './plan.ts'
import { nullWord } from './meaning.ts'
import { named, compressedBy } from './settings.ts'
import { typeName } from './type-names.ts'

/* Labels for the user interface. */

export const FLAGS: Readonly<
  Record<ColumnFlag, { readonly label: string; readonly text: string; readonly risk: boolean }>
> = {
  'leading-zeros': {
    label: 'Leading zeros',
    text: 'Values such as 007. As numbers they would lose their zeros, so they stay text.',
    risk: true,
  },
  'beyond-2-53': {
    label: 'Big integers',
    text: 'Integers that most programs round, because they keep numbers as doubles. Here they stay exact.',
    risk: true,
  },
  'ambiguous-date': {
    label: 'Day or month?',
    text: 'Dates such as 03/04/2024: nothing in the file tells whether the day or the month comes first. Apply one of the two, or keep them as text.',
    risk: true,
  },
  'ambiguous-number': {
    label: 'Thousands or fraction?',
    text: 'Numbers such as 1.234: nothing in the file tells whether the point stands before decimals or between thousands. They stay text until you choose.',
    risk: true,
  },
  'mixed-types': {
    label: 'Mixed types',
    text: 'The column holds values of several types. One type would lose some of them, so each stays as it is.',
    risk: true,
  },
  'exponent-code': {
    label: 'Looks like 1e5',
    text: 'Codes such as 1e5 or 2E10, which other programs turn into numbers.',
    risk: true,
  },
  'plus-sign': {
    label: 'Plus sign',
    text: 'Values such as +49 30 1234. As numbers they would lose the sign, so they stay text.',
    risk: true,
  },
  'shown-as-code': {
    label: 'Shown as code',
    text: 'Numbers that the workbook shows as codes, such as 00501 for 501. They are read as shown; choose a number type to read the numbers.',
    risk: true,
  },
  empty: { label: 'Empty', text: 'The column has no values at all.', risk: false },
  renamed: {
    label: 'Renamed',
    text: 'The name in the file was empty, used twice or not usable, so the column got one of its own.',
    risk: false,
  },
  nested: {
    label: 'Nested',
    text: 'Lists, structs or maps. JSON, Parquet and Arrow hold them as they are; CSV, TSV and Excel get them as JSON text.',
    risk: false,
  },
  'as-text': {
    label: 'Carried as text',
    text: 'The file’s own type has no equal here. Its values are carried as exact text.',
    risk: false,
  },
}

export const REASONS: Readonly<Record<RejectReason, string>> = {
  ragged: 'Wrong number of fields',
  quoting: 'Quoting',
  value: 'Value of another type',
  encoding: 'Encoding',
  syntax: 'Not valid JSON',
  shape: 'Not a row',
}

const DELIMITERS: ReadonlyMap<string, string> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'pipe'],
  [' ', 'space'],
  ['  ', 'double-space'],
])

function delimiterName(delimiter: string): string {
  return DELIMITERS.get(delimiter) ?? `“${delimiter}”`
}

/** Other formats that are common under the name of old Excel workbooks, by the codes of their notes. */
const MARKUP: ReadonlyMap<string, string> = new Map([
  ['web-page', 'Web page (HTML)'],
  ['xml-workbook', 'XML Spreadsheet 2003'],
])

/**
 * The name of a file's format.
 * @param format its id
 * @param notes the file's notes
 */
export function formatName(format: string, notes: readonly Pick<Note, 'code'>[] = []): string {
  const markup = notes.map(({ code }) => MARKUP.get(code)).find((name) => name !== undefined)
  return markup ?? FORMATS.find(({ id }) => id === format)?.displayName ?? format
}

/** Summarizes how a file is read: `UTF-8`, `semicolon-separated`, `“-” is null`, `decompressed from gzip`. */
export function describeSettings(settings: ReadSettings): string[] {
  const words: string[] = []
  if (settings.kind === 'csv' || settings.kind === 'json') {
    words.push(encodingName(settings.encoding))
    if (settings.kind === 'csv') words.push(...csvWords(settings))
    else words.push(JSON_LAYOUTS[settings.layout])
  }
  if (settings.kind === 'arrow') words.push(settings.layout === 'file' ? 'file' : 'stream')
  const compression = compressedBy(settings)
  if (compression) words.push(`decompressed from ${compression}`)
  return words
}

/** The number of tables in words; for a workbook also of sheets, if that differs. */
export function tableCount({ settings, tables }: Pick<Inspection, 'settings' | 'tables'>): string {
  const count = plural(tables.length, 'table')
  if (settings.kind !== 'xlsx') return count
  const sheets = new Set(tables.map(({ name }) => named(settings.sheet, name ?? '') ?? name)).size
  return sheets === tables.length ? plural(sheets, 'sheet') : `${count} on ${plural(sheets, 'sheet')}`
}

function csvWords({ delimiter, nullStrings }: CsvSettings): string[] {
  const nulls = nullStrings.filter((text) => text !== '').map(nullWord)
  const are = nulls.length === 1 ? 'is' : 'are'
  return [`${delimiterName(delimiter)}-separated`, ...(nulls.length > 0 ? [`${nulls.join(' and ')} ${are} null`] : [])]
}

const JSON_LAYOUTS = {
  array: 'array of objects',
  lines: 'one object a line',
  bulk: 'Elasticsearch bulk lines',
  records: 'object of records',
  columns: 'object of columns',
} as const

/** A type's name for narrow table headers. */
export function shortType(type: string): string {
  const short = type === 'TIMESTAMP WITH TIME ZONE' ? 'TIMESTAMPTZ' : type
  return short.length > 26 ? `${short.slice(0, 25)}…` : short
}

/** Types that users can choose. */
const TYPE_CHOICES: readonly string[] = [
  'VARCHAR',
  'BOOLEAN',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'DECIMAL(18,2)',
  'DECIMAL(18,4)',
  'DECIMAL(38,10)',
  'DOUBLE',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP WITH TIME ZONE',
  'JSON',
]

/** Options for a column's type: a description followed by the name. The inferred type is marked. */
export function typeOptions(found: string, chosen: string): { value: string; label: string }[] {
  return [...new Set([chosen, found, ...TYPE_CHOICES])]
    .sort((a, b) => TYPE_CHOICES.indexOf(a) - TYPE_CHOICES.indexOf(b))
    .map((value) => {
      const name = typeName(value)
      const label = name === value ? value : `${name} · ${shortType(value)}`
      return { value, label: value === found ? `${label} · found` : label }
    })
}

/** Whether a column still needs the user's attention: it's included unchanged and has a doubtful type. */
export function isToCheck(column: InspectedColumn, plan: TablePlan | undefined): boolean {
  const planned = columnAt(plan?.columns ?? [], column.index)
  const isAsFound = !planned || (planned.include && planned.type === column.type)
  return isAsFound && column.flags.some((flag) => FLAGS[flag].risk)
}
