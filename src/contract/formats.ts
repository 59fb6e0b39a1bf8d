interface FormatShape {
  readonly id: string
  readonly displayName: string
  /** What to call a file of the format in a sentence. */
  readonly noun: string
  /** Whether it is text, which can be compressed as a whole. */
  readonly text: boolean
  readonly mimeType: string
  /** Without the dot. Files that we write get the first one. */
  readonly extensions: readonly [string, ...string[]]
  /** Whether the service's public interface converts it, too. */
  readonly service: boolean
  /** Whether files can be converted to it. */
  readonly writes: boolean
}

export const FORMATS = [
  {
    id: 'csv',
    displayName: 'CSV',
    noun: 'a CSV file',
    text: true,
    mimeType: 'text/csv',
    extensions: ['csv', 'txt'],
    service: true,
    writes: true,
  },
  {
    id: 'tsv',
    displayName: 'TSV',
    noun: 'a TSV file',
    text: true,
    mimeType: 'text/tab-separated-values',
    extensions: ['tsv', 'tab'],
    service: true,
    writes: true,
  },
  {
    id: 'json',
    displayName: 'JSON',
    noun: 'a JSON file',
    text: true,
    mimeType: 'application/json',
    extensions: ['json', 'ndjson', 'jsonl'],
    service: true,
    writes: true,
  },
  {
    id: 'xlsx',
    displayName: 'Excel',
    noun: 'an Excel workbook',
    text: false,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['xlsx', 'xlsm'],
    service: true,
    writes: true,
  },
  {
    id: 'xls',
    displayName: 'Excel 97–2003',
    noun: 'an old Excel workbook',
    text: false,
    mimeType: 'application/vnd.ms-excel',
    extensions: ['xls', 'xlt'],
    service: false,
    writes: false,
  },
  {
    id: 'xlsb',
    displayName: 'Excel Binary',
    noun: 'a binary Excel workbook',
    text: false,
    mimeType: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    extensions: ['xlsb'],
    service: false,
    writes: false,
  },
  {
    id: 'ods',
    displayName: 'OpenDocument',
    noun: 'an OpenDocument spreadsheet',
    text: false,
    mimeType: 'application/vnd.oasis.opendocument.spreadsheet',
    extensions: ['ods', 'ots'],
    service: false,
    writes: false,
  },
  {
    id: 'parquet',
    displayName: 'Parquet',
    noun: 'a Parquet file',
    text: false,
    mimeType: 'application/vnd.apache.parquet',
    extensions: ['parquet', 'pq'],
    service: true,
    writes: true,
  },
  {
    id: 'arrow',
    displayName: 'Arrow',
    noun: 'an Arrow file',
    text: false,
    mimeType: 'application/vnd.apache.arrow.file',
    extensions: ['arrow', 'feather', 'ipc'],
    service: false,
    writes: true,
  },
  {
    id: 'duckdb',
    displayName: 'DuckDB database',
    noun: 'a DuckDB database',
    text: false,
    mimeType: 'application/vnd.duckdb',
    extensions: ['duckdb', 'db', 'ddb'],
    service: false,
    writes: false,
  },
  {
    id: 'sqlite',
    displayName: 'SQLite database',
    noun: 'an SQLite database',
    text: false,
    mimeType: 'application/vnd.sqlite3',
    extensions: ['sqlite', 'sqlite3', 'db3', 's3db'],
    service: false,
    writes: false,
  },
] as const satisfies readonly FormatShape[]

/* The formats by the names that people know. */

/** Readable formats, for where space is short. Excel means all kinds of workbooks. */
export const READABLE = 'CSV, TSV, JSON, Excel, Parquet, Arrow, SQLite or DuckDB'
export const ALL_READABLE =
  'CSV, TSV, JSON, NDJSON, Excel, OpenDocument and SQLite, also as .gz, .zst or .bz2; Parquet, Arrow, Feather, DuckDB; zip archives of these'
export const ALL_WRITABLE = 'CSV, TSV, JSON, NDJSON, Excel, Parquet, Arrow'

/** A file format that Rowhouse reads. */
export type FormatId = (typeof FORMATS)[number]['id']

/** A format that files can be converted to. */
export type TargetFormat = Extract<(typeof FORMATS)[number], { readonly writes: true }>['id']

interface FormatInfo extends FormatShape {
  readonly id: FormatId
}

/** The formats that files can be converted to. */
export const TARGET_FORMATS: readonly (FormatInfo & { readonly id: TargetFormat })[] = FORMATS.filter(
  (format) => format.writes,
)

const BY_ID = new Map<FormatId, FormatInfo>(FORMATS.map((format) => [format.id, format]))

/** The format's entry; every `FormatId` has one. */
export function formatInfo(id: FormatId): FormatInfo {
  const info = BY_ID.get(id)
  if (!info) throw new RangeError(`no such format: ${id}`)
  return info
}
