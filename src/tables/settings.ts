import type { FormatId } from '../contract/formats.ts'
import { isJsonObject } from '../lib/json.ts'

/* How files are read. */

/** How numbers look, by an example. */
export type NumberStyle = '1,234.56' | '1.234,56' | '1 234,56' | "1'234.56"

/** How a file may be compressed as a whole. */
export type Compression = 'gzip' | 'zstd' | 'bzip2'

export interface CsvSettings {
  readonly kind: 'csv'
  readonly compression: Compression | null
  /** WHATWG encoding label: `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, ... */
  readonly encoding: string
  readonly delimiter: string
  readonly quote: string | null
  /**
   * Same as `quote` when doubled quotes escape; `\` when a backslash does, without quoting as databases write text files
   * (`\n` is a line break); else null.
   */
  readonly escape: string | null
  /** Lines before the header (or the first row) that belong to no table. */
  readonly skipLines: number
  readonly header: boolean
  /** Lines that begin with it are no rows. */
  readonly comment: string | null
  /** Unquoted fields that are null. A quoted field never is. */
  readonly nullStrings: readonly string[]
  /**
   * Rows with fewer fields than columns: `reject` them, or `pad` them with nulls; `pad-data` rejects those that look like
   * a remark: with one field, where the table has three columns or more.
   */
  readonly shortRows: 'reject' | 'pad' | 'pad-data'
  /**
   * Rows with more fields than columns: `reject` them (the default), or `keep` them: then the table is as wide as the
   * widest. Surplus fields that are empty are no reason to reject a row.
   */
  readonly longRows?: 'reject' | 'keep'
  /** How many fields a row has; else as many as the header or, without one, the first row. */
  readonly width?: number
  /** How numbers look where a value alone doesn't tell: detected from those that do, absent where none does. */
  readonly numbers?: NumberStyle
  /** How many rows the header has: a column's name is what they say, joined by blanks. Default 1. */
  readonly headerRows?: number
  /** How many of the last rows are left out, whether they fit or not, and blank lines not counted. Default 0. */
  readonly skipLast?: number
  /**
   * The last line in which a row begins: what comes after it isn't read. Default the file's end. Where it's set by a person,
   * `skipLast` says nothing; else it's what that comes to.
   */
  readonly lastLine?: number
  /** Lines that are left out, from 1. */
  readonly leaveOut?: readonly number[]
  /** Whether rows that have the sums of rows above are left out, too, wherever they are in a file. Default false. */
  readonly leaveOutSubtotals?: boolean
  /** Whether the header has no name for the first column, as R writes it. Default false. */
  readonly rowNames?: boolean
  /**
   * `delimited` (the default); `frame`: drawn with lines around the cells, as SQL clients print tables and Markdown has
   * them; `fixed`: each column begins at the same place in every line; `eurostat`: the first field has several keys with
   * commas between, each other one a value and, after a blank, its flags. None of the latter has quotes.
   */
  readonly layout?: 'delimited' | 'frame' | 'fixed' | 'eurostat'
  /** Of fixed width: the characters at which columns begin, from 0. */
  readonly columnStarts?: readonly number[]
  /** Several delimiters in a row are one, and those at the beginning of a line are none. Default false. */
  readonly mergeDelimiters?: boolean
  /** Blanks around an unquoted field are no part of it. Default false. */
  readonly trim?: boolean
  /** Whether each block of lines between blank ones that has a header is a table of its own. Default false. */
  readonly blocks?: boolean
  /** Of a file that is read as several tables: how each is read otherwise than the others, by the table's name. */
  readonly tables?: Readonly<Record<string, CsvPlace>>
  /** Quotes in the wrong place: `reject` the row (the default), or take them as `text` where the row is whole then. */
  readonly strayQuotes?: 'reject' | 'text'
  /** Rows without a value in any field: `keep` them (the default), or leave them out. */
  readonly blankRows?: 'keep' | 'leave-out'
  /** Rows that repeat the header: `keep` them (the default), or leave them out. */
  readonly repeatedHeaders?: 'keep' | 'leave-out'
}

/** A usual CSV file, none of whose rows is filled up. */
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

/** Where one of several tables is in its file. */
export type CsvPlace = Partial<
  Pick<
    CsvSettings,
    'skipLines' | 'header' | 'headerRows' | 'width' | 'skipLast' | 'lastLine' | 'leaveOut' | 'leaveOutSubtotals'
  >
>

/** A nested column that is taken apart: each key of its objects is a column, or each element of its lists a row. */
export interface Unfolding {
  /** Its name, after the steps before. */
  readonly column: string
  readonly as: 'columns' | 'rows'
}

export interface JsonSettings {
  readonly kind: 'json'
  readonly compression: Compression | null
  readonly encoding: string
  /**
   * `array` of objects; `lines` one object a line; `records` an object of rows, whose keys are the first column; `columns`
   * an object of arrays of equal length, or of objects with the same keys; `bulk` lines of Elasticsearch's bulk format: of
   * each document one that says where it belongs, and the document.
   */
  readonly layout: 'array' | 'lines' | 'bulk' | 'records' | 'columns'
  /** Of `columns` that are objects: whether their keys are the first column. Default false: they number the rows. */
  readonly rowKeys?: boolean
  /** Keys from the root to the rows, when they're wrapped: `{"data": {"items": [...]}}` is `['data', 'items']`. `[1]` is a list's second item. */
  readonly path: readonly string[]
  /** Keys from each item there to the row in it: of `{"edges": [{"node": {...}}]}` it's `['node']`. */
  readonly within?: readonly string[]
  /** What a row is: an object (the default), an array of its values, or the one value itself. */
  readonly rows?: 'objects' | 'arrays' | 'values'
  /** Of rows that are arrays: whether the first of them names the columns. */
  readonly header?: boolean
  /** Nested columns that are taken apart, one after the other: of rows that are objects, in an array or in lines. */
  readonly unfold?: readonly Unfolding[]
  /** The column that says of each row what those of these steps (by their number, from 0) took apart. */
  readonly nesting?: { readonly name: string; readonly steps: readonly number[] }
  /** Of a file that is read as several tables: where the rows of each are, by the table's name. */
  readonly tables?: Readonly<Record<string, JsonTable>>
  /** Where objects have too many keys for columns: those that are columns, and what the column of all others is called. */
  readonly keys?: { readonly columns: readonly string[]; readonly others: string }
}

/** Where the rows of one of several tables are, and how they're read. */
type JsonTable = Pick<JsonSettings, 'path' | 'within' | 'rows' | 'header' | 'keys' | 'unfold' | 'nesting'>

export interface XlsxSettings {
  readonly kind: 'xlsx'
  /** Of the file as a whole. Default none. */
  readonly compression?: Compression | null
  /* By the name of the table, which is its sheet's, unless there are several on it. What isn't named is detected. */
  /** Header row, from 1 as Excel counts; null: no header. */
  readonly headerRow: Readonly<Record<string, number | null>>
  /** How many rows the header has: a column's name is what they say, joined by blanks. Default 1. */
  readonly headerRows?: Readonly<Record<string, number>>
  /** Where the table is, with its header, as `A4:E64`; an end that isn't said is the sheet's. Default all of it. */
  readonly range?: Readonly<Record<string, string>>
  /** How many of the last rows that hold something are left out, with rows of nulls after them. Default 0. */
  readonly skipLast?: Readonly<Record<string, number>>
  /** Rows that are left out, from 1 as Excel counts. */
  readonly leaveOut?: Readonly<Record<string, readonly number[]>>
  /** Whether rows that have the sums of rows above are left out, too, wherever they are in a file. Default false. */
  readonly leaveOutSubtotals?: Readonly<Record<string, boolean>>
  /** Columns, as `A`, in which a cell that is merged over several rows has its value in each of them. Default none. */
  readonly repeatMerged?: Readonly<Record<string, readonly string[]>>
  /** Whether a block of texts alone, between blank rows, may be a table of its own, as others are. Default false. */
  readonly blocks?: boolean
  /** The sheet that the table is on, where that has another name. */
  readonly sheet?: Readonly<Record<string, string>>
}

interface ParquetSettings {
  readonly kind: 'parquet'
}

interface ArrowSettings {
  readonly kind: 'arrow'
  /** `file` has a footer (.arrow, Feather v2); `stream` has none. */
  readonly layout: 'file' | 'stream'
}

interface DuckDbSettings {
  readonly kind: 'duckdb'
}

interface SqliteSettings {
  readonly kind: 'sqlite'
  /** Of the file as a whole. Default none. */
  readonly compression?: Compression | null
}

/** How to read a file: complete, so that reading detects nothing again. Plain data. */
export type ReadSettings =
  | CsvSettings
  | JsonSettings
  | XlsxSettings
  | ParquetSettings
  | ArrowSettings
  | DuckDbSettings
  | SqliteSettings

/** Whether nested columns can be taken apart: only rows that are objects, and have no keys of their own, can be made others. */
export const unfolds = ({ layout, rows = 'objects' }: Pick<JsonSettings, 'layout' | 'rows'>): boolean =>
  rows === 'objects' && (layout === 'array' || layout === 'lines')

/** How the rows of one table of a JSON file are read. */
export const jsonTable = (settings: JsonSettings, table: string | null): JsonSettings =>
  table === null ? settings : { ...settings, ...named(settings.tables, table) }

/** How the rows of one table of a CSV file are read. */
export const csvTable = (settings: CsvSettings, table: string | null): CsvSettings =>
  table === null ? settings : { ...settings, ...named(settings.tables, table) }

/**
 * Who says which rows are left out means these, and not what a rule finds besides.
 * @param rule whether it's in force for the table
 * @param off what ends it
 */
export const byHand = <T>(rule: boolean | undefined, off: T): { readonly leaveOutSubtotals?: T } =>
  rule ? { leaveOutSubtotals: off } : {}

/** A change of how one table of a CSV file is read; null for that of a file that is one table. */
export const csvPatch = (table: string | null, place: CsvPlace): Partial<CsvSettings> =>
  table === null ? place : { tables: { [table]: place } }

/** Which nested columns of a table of a JSON file are taken apart; null for the table of a file that is one. */
export const unfoldPatch = (
  table: string | null,
  unfold: readonly Unfolding[],
): Partial<JsonSettings> & { kind: 'json' } =>
  // What else is set of the table stays: settings are merged.
  table === null ? { kind: 'json', unfold } : { kind: 'json', tables: { [table]: { unfold } as JsonTable } }

/** What is set for a table, or sheet: they can be named like what every object has: `__proto__`, `constructor`. */
export function named<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

/** How a file that is read so is compressed as a whole. */
export const compressedBy = (settings: Partial<ReadSettings>): Compression | null =>
  'compression' in settings ? (settings.compression ?? null) : null

/** How a file is to be looked at. */
export interface InspectRequest {
  /** Set by the person; otherwise detected by content. */
  readonly format?: FormatId
  /** Settings that the person set; the others are detected. */
  readonly settings?: Partial<ReadSettings>
}

/** Settings for one kind of file, changed by some; those of another kind are dropped, and what is set to `undefined`. */
export function mergeSettings(request: InspectRequest, patch: Partial<ReadSettings>): InspectRequest {
  const old = (request.settings?.kind === patch.kind && request.settings) || {}
  return { ...request, settings: set(merged(old, patch)) }
}

/** How the file is read as far as it's known: as detected, but for what the person has set since. */
export function settingsInForce(
  request: InspectRequest,
  { settings }: { readonly settings: ReadSettings },
): ReadSettings {
  return request.settings?.kind === settings.kind ? (merged(settings, request.settings) as ReadSettings) : settings
}

const set = (settings: object): object =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]: [string, unknown]) =>
      value === undefined ? [] : [[key, isJsonObject(value) ? set(value) : value]],
    ),
  )

/** What is set by name, by sheet for one, is merged name by name. */
function merged(old: object, patch: object): object {
  const own = new Map<string, unknown>(Object.entries(old))
  const entries = Object.entries(patch).map(([key, value]: [string, unknown]) => {
    const before = own.get(key)
    return [key, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value]
  })
  return Object.fromEntries([...own, ...entries])
}
