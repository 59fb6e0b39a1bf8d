/* Settings for reading files. */

/** Number style, as an example. */
export type NumberStyle = '1,234.56' | '1.234,56' | '1 234,56' | "1'234.56"

/** Compression of a whole file. */
export type Compression = 'gzip' | 'zstd' | 'bzip2'

export interface CsvSettings {
  readonly kind: 'csv'
  readonly compression: Compression | null
  /** WHATWG encoding label: `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, ... */
  readonly encoding: string
  readonly delimiter: string
  readonly quote: string | null
  /**
   * Equals `quote` if quotes are escaped by doubling; `\` for backslash escapes, also without quoting as in databases'
   * text formats (`\n` is a line break); null for none.
   */
  readonly escape: string | null
  /** Lines before the header (or first row) that don't belong to the table. */
  readonly skipLines: number
  readonly header: boolean
  /** Prefix of comment lines. */
  readonly comment: string | null
  /** Unquoted fields with this text are null. Quoted fields are never null. */
  readonly nullStrings: readonly string[]
  /**
   * Rows with fewer fields than columns: `reject` them, or `pad` them with nulls. `pad-data` rejects those that look
   * like remarks: a single field in a table of three or more columns.
   */
  readonly shortRows: 'reject' | 'pad' | 'pad-data'
  /**
   * Rows with more fields than columns: `reject` them (default), or `keep` them, which makes the table as wide as its
   * widest row. Empty surplus fields are always ignored.
   */
  readonly longRows?: 'reject' | 'keep'
  /** Number of fields per row; by default that of the header or, without one, of the first row. */
  readonly width?: number
  /** Number style of the file; absent if no value shows it. */
  readonly numbers?: NumberStyle
  /** Number of header rows, whose texts are joined by blanks. Default 1. */
  readonly headerRows?: number
  /** Number of rows to leave out at the end, valid or not, without counting blank lines. Default 0. */
  readonly skipLast?: number
  /**
   * Last line in which a row may begin; by default the last of the file. If the user set it, `skipLast` is ignored;
   * else it follows from that.
   */
  readonly lastLine?: number
  /** Line numbers to leave out, from 1. */
  readonly leaveOut?: readonly number[]
  /** Whether to leave out subtotals: rows with the sums of rows above, anywhere in the file. Default false. */
  readonly leaveOutSubtotals?: boolean
  /** Whether the header lacks a name for the first column, as in R's output. Default false. */
  readonly rowNames?: boolean
  /**
   * `delimited` (default); `frame`: cells in drawn lines, as SQL clients and Markdown write tables; `fixed`: each
   * column begins at the same position in all lines; `eurostat`: the first field has several keys separated by commas,
   * the others a value and, after a blank, its flags; `records`: a line for each `Key: value`. None but the first quotes.
   */
  readonly layout?: 'delimited' | 'frame' | 'fixed' | 'eurostat' | 'records'
  /** For `fixed`: positions in characters at which columns begin, from 0. */
  readonly columnStarts?: readonly number[]
  /** Whether adjacent delimiters count as one, and those at the beginning of a line are ignored. Default false. */
  readonly mergeDelimiters?: boolean
  /** Whether to trim blanks around unquoted fields. Default false. */
  readonly trim?: boolean
  /** Whether blocks of lines with a header, separated by blank lines, are tables of their own. Default false. */
  readonly blocks?: boolean
  /** For a file with several tables: the settings in which each differs, by the table's name. */
  readonly tables?: Readonly<Record<string, CsvPlace>>
  /** Misplaced quotes: `reject` the row (default), or read them as `text` if the row is otherwise valid. */
  readonly strayQuotes?: 'reject' | 'text'
  /** Rows whose fields are all empty: `keep` them (default), or leave them out. */
  readonly blankRows?: 'keep' | 'leave-out'
  /** Repeated header rows: `keep` them (default), or leave them out. */
  readonly repeatedHeaders?: 'keep' | 'leave-out'
}

/** Position of one of several tables in a file. */
export type CsvPlace = Partial<
  Pick<
    CsvSettings,
    'skipLines' | 'header' | 'headerRows' | 'width' | 'skipLast' | 'lastLine' | 'leaveOut' | 'leaveOutSubtotals'
  >
>

/** A nested column to unfold: its objects' keys become columns, or its lists' elements become rows. */
export interface Unfolding {
  /** Name of the column after the previous steps. */
  readonly column: string
  readonly as: 'columns' | 'rows'
}

export interface JsonSettings {
  readonly kind: 'json'
  readonly compression: Compression | null
  readonly encoding: string
  /**
   * `array`: an array of objects; `lines`: one object per line; `records`: an object of rows, whose keys become the
   * first column; `columns`: an object of arrays with equal length, or of objects with the same keys; `bulk`:
   * Elasticsearch's bulk format, in which a line with the action precedes each document.
   */
  readonly layout: 'array' | 'lines' | 'bulk' | 'records' | 'columns'
  /** For `columns` made of objects: whether their keys become the first column. Default false: they are row numbers. */
  readonly rowKeys?: boolean
  /**
   * Path from the root to the rows: `['data', 'items']` for `{"data": {"items": [...]}}`. `[1]` is a list's second
   * item.
   */
  readonly path: readonly string[]
  /** Path from each item to its row: `['node']` for `{"edges": [{"node": {...}}]}`. */
  readonly within?: readonly string[]
  /** Form of a row: an object (default), an array of values, or a single value. */
  readonly rows?: 'objects' | 'arrays' | 'values'
  /** For rows as arrays: whether the first one has the column names. */
  readonly header?: boolean
  /** Nested columns to unfold, in order. Only for rows as objects, in an array or in lines. */
  readonly unfold?: readonly Unfolding[]
  /** A column that tells for each row from which elements it was unfolded by these steps (indexes from 0). */
  readonly nesting?: { readonly name: string; readonly steps: readonly number[] }
  /** For a file with several tables: where each table's rows are, by the table's name. */
  readonly tables?: Readonly<Record<string, JsonTable>>
  /** For objects with too many keys: those that are columns, and the name of the column with all others. */
  readonly keys?: { readonly columns: readonly string[]; readonly others: string }
}

/** Position and form of one of several tables. */
export type JsonTable = Pick<JsonSettings, 'path' | 'within' | 'rows' | 'header' | 'keys' | 'unfold' | 'nesting'>

export interface XlsxSettings {
  readonly kind: 'xlsx'
  /** Compression of the file; none by default. */
  readonly compression?: Compression | null
  /* By the table's name, which is the sheet's unless the sheet has several tables. Missing entries are detected. */
  /** Header row, from 1 as in Excel; null for none. */
  readonly headerRow: Readonly<Record<string, number | null>>
  /** Number of header rows, whose texts are joined by blanks. Default 1. */
  readonly headerRows?: Readonly<Record<string, number>>
  /** The table's range including its header: `A4:E64`. Open ends are those of the sheet. Default: the whole sheet. */
  readonly range?: Readonly<Record<string, string>>
  /** Number of non-empty rows to leave out at the end, and the rows of nulls after them. Default 0. */
  readonly skipLast?: Readonly<Record<string, number>>
  /** Row numbers to leave out, from 1 as in Excel. */
  readonly leaveOut?: Readonly<Record<string, readonly number[]>>
  /** Whether to leave out subtotals: rows with the sums of rows above, anywhere in the sheet. Default false. */
  readonly leaveOutSubtotals?: Readonly<Record<string, boolean>>
  /** Columns, as letters, in which cells merged over several rows repeat their value in each. Default none. */
  readonly repeatMerged?: Readonly<Record<string, readonly string[]>>
  /** Whether blocks separated by blank rows may be tables even if they only have text. Default false. */
  readonly blocks?: boolean
  /** The sheet of a table with another name. */
  readonly sheet?: Readonly<Record<string, string>>
}

interface ParquetSettings {
  readonly kind: 'parquet'
}

interface ArrowSettings {
  readonly kind: 'arrow'
  /** `file` has a footer (.arrow, Feather v2); `stream` doesn't. */
  readonly layout: 'file' | 'stream'
}

interface DuckDbSettings {
  readonly kind: 'duckdb'
}

interface SqliteSettings {
  readonly kind: 'sqlite'
  /** Compression of the file; none by default. */
  readonly compression?: Compression | null
}

/** Complete settings for reading a file: nothing is detected again. Plain data. */
export type ReadSettings =
  | CsvSettings
  | JsonSettings
  | XlsxSettings
  | ParquetSettings
  | ArrowSettings
  | DuckDbSettings
  | SqliteSettings

/** The settings of one table of a JSON file. */
export const jsonTable = (settings: JsonSettings, table: string | null): JsonSettings =>
  table === null ? settings : { ...settings, ...named(settings.tables, table) }

/** The settings of one table of a CSV file. */
export const csvTable = (settings: CsvSettings, table: string | null): CsvSettings =>
  table === null ? settings : { ...settings, ...named(settings.tables, table) }

/** The settings of a table or sheet, whose name may be that of an object's property: `__proto__`, `constructor`. */
export function named<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

/** Whether nested columns can be unfolded: only if rows are objects without keys of their own. */
export const unfolds = ({ layout, rows = 'objects' }: Pick<JsonSettings, 'layout' | 'rows'>): boolean =>
  rows === 'objects' && (layout === 'array' || layout === 'lines')

/** The usual CSV dialect; short rows are rejected. */
export const PLAIN_CSV: CsvSettings = {
  kind: 'csv',
  compression: null,
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  skipLines: 0,
  header: true,
  comment: null,
  nullStrings: [''],
  shortRows: 'reject',
}

/** The compression of a file with these settings. */
export const compressedBy = (settings: Partial<ReadSettings>): Compression | null =>
  'compression' in settings ? (settings.compression ?? null) : null
