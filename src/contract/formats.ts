/** A file format that Rowhouse reads. `arrow` and `duckdb` are local only; the service knows the other five. */
export type FormatId = 'csv' | 'tsv' | 'json' | 'xlsx' | 'parquet' | 'arrow' | 'duckdb'

/** A format that files can be converted to. */
export type TargetFormat = Exclude<FormatId, 'duckdb'>

interface FormatInfo {
  readonly id: FormatId
  readonly displayName: string
  readonly mimeType: string
  /** Without the dot; the first is the one given to files that we write. */
  readonly extensions: readonly [string, ...string[]]
  /** Whether the public service converts it too. */
  readonly service: boolean
  /** Whether files can be converted to it. */
  readonly writes: boolean
}

export const FORMATS: readonly FormatInfo[] = [
  { id: 'csv', displayName: 'CSV', mimeType: 'text/csv', extensions: ['csv', 'txt'], service: true, writes: true },
  {
    id: 'tsv',
    displayName: 'TSV',
    mimeType: 'text/tab-separated-values',
    extensions: ['tsv', 'tab'],
    service: true,
    writes: true,
  },
  {
    id: 'json',
    displayName: 'JSON',
    mimeType: 'application/json',
    extensions: ['json', 'ndjson', 'jsonl'],
    service: true,
    writes: true,
  },
  {
    id: 'xlsx',
    displayName: 'Excel',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['xlsx', 'xlsm'],
    service: true,
    writes: true,
  },
  {
    id: 'parquet',
    displayName: 'Parquet',
    mimeType: 'application/vnd.apache.parquet',
    extensions: ['parquet', 'pq'],
    service: true,
    writes: true,
  },
  {
    id: 'arrow',
    displayName: 'Arrow',
    mimeType: 'application/vnd.apache.arrow.file',
    extensions: ['arrow', 'feather', 'ipc'],
    service: false,
    writes: true,
  },
  {
    id: 'duckdb',
    displayName: 'DuckDB database',
    mimeType: 'application/vnd.duckdb',
    extensions: ['duckdb', 'db', 'ddb'],
    service: false,
    writes: false,
  },
]

/** The formats that files can be converted to. */
export const TARGET_FORMATS: readonly (FormatInfo & { readonly id: TargetFormat })[] = FORMATS.filter(
  (format): format is FormatInfo & { readonly id: TargetFormat } => format.writes,
)

const BY_ID = new Map(FORMATS.map((format) => [format.id, format]))

/** The format's entry; every `FormatId` has one. */
export function formatInfo(id: FormatId): FormatInfo {
  const info = BY_ID.get(id)
  if (!info) throw new RangeError(`no such format: ${id}`)
  return info
}
