import type { FormatId } from '../contract/formats.ts'
import type { ColumnChecks } from './checks.ts'
import type { Mends } from './mends.ts'
import type { ReadSettings } from './settings.ts'
import type { NestedIn } from './types.ts'

export type {
  CsvPlace,
  CsvSettings,
  InspectRequest,
  JsonSettings,
  NumberStyle,
  ReadSettings,
  XlsxSettings,
} from './settings.ts'

/** How text of a column is to be read as its type, where that isn't the canonical form. */
export interface ValueFormat {
  /** Default `.`. */
  readonly decimalMark?: '.' | ','
  /** Thousands separator to take out before reading a number; none by default. */
  readonly grouping?: ',' | '.' | ' ' | "'"
  /** What a number may have before or after it, and that is left out: `€`, `USD`. */
  readonly unit?: string
  /** A number may have `%` after it: it's read as a fraction, `12.5 %` as 0.125. */
  readonly percent?: boolean
  /** A number may have `k`, `M`, `bn` after it: it's read as so many thousands, millions, billions. */
  readonly scaled?: boolean
  /** How else than by a minus before it a number may be negative: `1.50-`, `(1.50)`. */
  readonly negative?: 'trailing' | 'parentheses'
  /**
   * strptime pattern of a date or timestamp, of these parts: `%Y %y %m %d %H %I %M %S %f %p %a %b %B %z %s %Q`; all else is
   * literal. `%s` and `%Q` are seconds and milliseconds since 1970. Default ISO 8601.
   */
  readonly dateFormat?: string
  /** Case-insensitive; default `true` and `false`. Where they have the empty text, nulls are it. */
  readonly trueValues?: readonly string[]
  readonly falseValues?: readonly string[]
  /** Of any type: values that are null. */
  readonly nullValues?: readonly string[]
  /** Of any type: spaces around a value are no part of it. */
  readonly trim?: boolean
  /** Of any type: of a value as Excel's exports keep it a text, `="00123"`, what is between the quotes. */
  readonly formulas?: boolean
}

/** What can be changed of a column. */
export interface ColumnPatch {
  readonly name?: string
  readonly type?: string
  readonly include?: boolean
  readonly format?: ValueFormat
  readonly checks?: ColumnChecks
}

/** What values may mean, or how a file may be read better: nothing changes until the person applies it. Plain data. */
export interface Proposal {
  /** Stable, kebab-case: `day-first`, `thousands`, `null-word`. */
  readonly code: string
  /** The button's words, from “Apply” on: `Apply: 3 April 2025 (day first)`. */
  readonly label: string
  /** One sentence for people: what would change, with the count. */
  readonly message: string
  /** Values or rows that it is about. */
  readonly count?: number
  readonly example?: { readonly from: string; readonly to: string }
  readonly change: ProposedChange
  /** Nothing tells it from those that it excludes: only the person can choose between them. */
  readonly ambiguous?: boolean
}

type ProposedChange =
  /** Of the column that it stands beside. */
  | { readonly kind: 'column'; readonly patch: ColumnPatch }
  /** Of how the file is read: it's read again. */
  | { readonly kind: 'reading'; readonly settings: Partial<ReadSettings> }

export type ColumnFlag =
  /** "007": numbers would lose the zeros. */
  | 'leading-zeros'
  /** Integers that a double can't hold. */
  | 'beyond-2-53'
  /** 03/04/2024: whether day or month comes first isn't known. */
  | 'ambiguous-date'
  /** 1.234: whether a point or a comma stands between thousands or before a fraction isn't known. */
  | 'ambiguous-number'
  /** Values of several types. */
  | 'mixed-types'
  /** "1e5", "2E10": codes more likely than numbers. */
  | 'exponent-code'
  /** "+1", "+49 30 1234": a sign that a number would lose. */
  | 'plus-sign'
  /** 00501: what a spreadsheet shows of the number 501. */
  | 'shown-as-code'
  /** No values at all. */
  | 'empty'
  /** The file's name for it was empty, a duplicate, or not usable. */
  | 'renamed'
  /** Lists, structs, maps. */
  | 'nested'
  /** Some of the file's own type can't be carried and is carried as text. */
  | 'as-text'

/** A column as found in the file, with what its values say of its type. Plain data. */
export interface InspectedColumn {
  /** Position in the file's table, from 0. */
  readonly index: number
  /** The name in the file, as it stands there (may be empty or a duplicate). */
  readonly source: string
  /** The proposed name: never empty, unique in the table. */
  readonly name: string
  /** DuckDB type name (`printType`). */
  readonly type: string
  /** One sentence for people: why this type. */
  readonly reason: string
  readonly flags: readonly ColumnFlag[]
  readonly nulls: number
  readonly format?: ValueFormat
  /**
   * The type that carries the values as the file spells them, where `type` would spell some otherwise: `2.50`, a key that
   * only some rows have. What the values are to another file of the same kind, unless the person chooses a type.
   */
  readonly verbatim?: string
  /** Of text: the values that are written otherwise as values of the type; absent where there are none. */
  readonly rewritten?: Rewritten
  /** As `rewritten`, where the output is JSON. */
  readonly rewrittenInJson?: Rewritten
  /** What else its values may mean; where two exclude each other, the likelier one comes first. */
  readonly proposals?: readonly Proposal[]
  /** How text would be read as numbers, or as dates, where the person makes it such. */
  readonly likely?: ValueFormat
  /**
   * Of text, JSON and Excel: what the hashes of all cells come to, as they stand in the file. A conversion has to come upon
   * the same.
   */
  readonly checksum?: string
}

/** Values whose text isn't the one that is written of them, and one of them. */
export interface Rewritten {
  readonly count: number
  readonly example?: Note['example']
}

/** Something to tell about a file or a table that is no error: hidden rows, merged cells, a skipped preamble. */
export interface Note {
  /** Stable, kebab-case: `hidden-sheet`, `merged-cells`, `error-cells`, `byte-order-mark`. */
  readonly code: string
  /** One sentence for people. */
  readonly message: string
  readonly column?: string
  /** Values or rows that it is about. */
  readonly count?: number
  /** One of the values: its text in the source, and its text in the output. */
  readonly example?: { readonly from: string; readonly to: string }
  /** Whether reading had to guess here: the card and the receipt show it as a doubt. */
  readonly doubt?: boolean
}

/**
 * Why a row doesn't fit:
 * `ragged` too many or too few fields; `quoting` a quote that isn't closed or text after a closing quote; `value` a
 * value that isn't of the column's type; `encoding` bytes that aren't text in the file's encoding; `syntax` not JSON;
 * `shape` not an object where a row should be.
 */
export type RejectReason = 'ragged' | 'quoting' | 'value' | 'encoding' | 'syntax' | 'shape'

/** A row that doesn't fit. Kept as data: it can be looked at, exported, and later mended. */
export interface RejectedRow {
  /** The file's name, where several are combined. */
  readonly file?: string
  /** Row number among the table's data rows, from 1, rejected rows counted. */
  readonly row: number
  /** Line of the file (Excel: row of the sheet) where the row begins, from 1; null where the format has no lines. */
  readonly line: number | null
  readonly reason: RejectReason
  /** One sentence for people, without the line number. */
  readonly message: string
  /** Column name (of the file), where one value is at fault. */
  readonly column: string | null
  /** The value at fault, at most 1,000 characters. */
  readonly value: string | null
  /** The row's raw text, at most `MAX_RAW` characters (`rejected.ts`). */
  readonly raw: string
  /** Of files whose rows are no text: the cells as text, by the columns of the file. */
  readonly cells?: readonly (string | null)[]
}

/** A row of a file's part as one of the whole, after so many rows and lines. */
export function movedDown<Row extends Pick<RejectedRow, 'row' | 'line'>>(row: Row, rows: number, lines: number): Row {
  return { ...row, row: row.row + rows, line: row.line === null ? null : row.line + lines }
}

/** A row as it stands in its file or sheet. */
export interface SourceRow {
  /** Line of the file, or row of the sheet, from 1. */
  readonly number: number
  /** By column of the file; text is cut at 200 characters. */
  readonly cells: readonly (string | null)[]
}

/** The first and the last rows that hold something. Plain data. */
export interface SourceRows {
  readonly rows: readonly SourceRow[]
  /** Rows between these, which aren't there; they come after row number `head`. */
  readonly hidden: number
  /** How many of `rows` are the first ones. */
  readonly head: number
}

/** One table of a file: one for most formats, one a sheet for Excel. */
export interface InspectedTable {
  /** Sheet name; null where a file is one table. */
  readonly name: string | null
  readonly columns: readonly InspectedColumn[]
  /** Data rows, rejected ones left out. */
  readonly rows: number
  readonly rejectedCount: number
  /** The first of them, at most 100. */
  readonly rejected: readonly RejectedRow[]
  readonly notes: readonly Note[]
  readonly proposals?: readonly Proposal[]
  /** Hidden sheets are found, but not chosen by default. */
  readonly hidden?: boolean
  /** Of JSON: the objects that were flattened, in the order in which they were. */
  readonly flattened?: readonly Flattened[]
}

/** A column of objects whose keys became columns. */
export interface Flattened {
  readonly column: string
  /** Of the columns that were made of it. */
  readonly names: readonly string[]
  /** What stood where there was no object with a key in it, `object` where there always was one; absent where that differs. */
  readonly none?: NestedIn['none']
}

export interface EncodingCandidate {
  readonly encoding: string
  readonly label: string
  /** The first line that has a character beyond ASCII, read this way; at most 80 characters. */
  readonly sample: string
}

/** A list in a JSON file whose items can be rows. */
export interface JsonList {
  /** Keys from the root. */
  readonly path: readonly string[]
  /** Its items, as far as the file's beginning goes. */
  readonly items: number
  /** Whether that is all of them. */
  readonly whole: boolean
}

/** What reading a whole file once finds out. Plain data. */
export interface Inspection {
  readonly format: FormatId
  readonly settings: ReadSettings
  readonly tables: readonly InspectedTable[]
  readonly notes: readonly Note[]
  readonly proposals?: readonly Proposal[]
  /** Likely encodings, best first; only for text formats. */
  readonly encodings?: readonly EncodingCandidate[]
  /** Of JSON: where rows can be. */
  readonly lists?: readonly JsonList[]
}

/** A column as it is to be read and written. */
export interface ColumnPlan {
  readonly index: number
  readonly source: string
  readonly name: string
  readonly type: string
  readonly include: boolean
  readonly format?: ValueFormat
  readonly checks?: ColumnChecks
}

export interface TablePlan {
  readonly name: string | null
  readonly include: boolean
  readonly columns: readonly ColumnPlan[]
  /** What the person did about rows that don't fit. */
  readonly mends?: Mends
  /** Columns that are to be checked and aren't there, by their names in the file. */
  readonly missing?: readonly string[]
  /** What the inspection found that the plan was made from: a conversion has to come upon the same. */
  readonly found?: {
    /** Data rows, rejected ones counted. */
    readonly rows: number
    /** Of the file and of this table. */
    readonly notes: readonly Note[]
    /** By their index: what isn't as it is here was changed by the person. */
    readonly columns: readonly InspectedColumn[]
    readonly flattened?: readonly Flattened[]
  }
}

/** How to read a file, corrected by the person: the whole of it is data, and it runs nothing. */
export interface ImportPlan {
  readonly format: FormatId
  readonly settings: ReadSettings
  readonly tables: readonly TablePlan[]
}

/**
 * The plan that takes an inspection as it is: every column of every table that isn't hidden, or of the hidden ones where no
 * other has columns.
 */
export function planFrom(inspection: Inspection): ImportPlan {
  const isAnyShown = inspection.tables.some((table) => !table.hidden && table.columns.length > 0)
  return {
    format: inspection.format,
    settings: inspection.settings,
    tables: inspection.tables.map((table) => ({
      name: table.name,
      include: table.columns.length > 0 && !(table.hidden && isAnyShown),
      found: {
        rows: table.rows + table.rejectedCount,
        notes: [...inspection.notes, ...table.notes],
        columns: table.columns,
        ...(table.flattened ? { flattened: table.flattened } : {}),
      },
      columns: table.columns.map(({ index, source, name, type, format }) => ({
        index,
        source,
        name,
        type,
        include: true,
        ...(format ? { format } : {}),
      })),
    })),
  }
}

export interface CsvOptions {
  readonly kind: 'csv'
  readonly delimiter: string
  readonly quoteAll: boolean
  readonly bom: boolean
  readonly lineEnd: '\n' | '\r\n'
  /** What stands for null; a value that equals it is quoted. */
  readonly nullString: string
  readonly header: boolean
  /** Puts `'` before text that a spreadsheet would run as a formula. */
  readonly safeForSpreadsheets: boolean
  /** Whether values that come from delimited text are written in the standard form of their type. */
  readonly normalize: boolean
}
export interface JsonOptions {
  readonly kind: 'json'
  readonly layout: 'array' | 'lines'
  /** Whether values that come from JSON are written in the standard form of their type, and every key in every object. */
  readonly normalize: boolean
  /** Whether columns that were made of objects' keys become objects again. */
  readonly nested?: boolean
}
export interface XlsxOptions {
  readonly kind: 'xlsx'
  /** Empty: the table's name, or the file's. */
  readonly sheetName: string
}
export interface ParquetOptions {
  readonly kind: 'parquet'
  readonly codec: 'zstd' | 'snappy' | 'gzip' | 'lz4_raw' | 'brotli' | 'uncompressed'
  /** Rows. */
  readonly rowGroupSize: number
}
interface ArrowOptions {
  readonly kind: 'arrow'
}
export type WriteOptions = CsvOptions | JsonOptions | XlsxOptions | ParquetOptions | ArrowOptions

const CSV_OPTIONS: CsvOptions = {
  kind: 'csv',
  delimiter: ',',
  quoteAll: false,
  bom: false,
  lineEnd: '\n',
  nullString: '',
  header: true,
  safeForSpreadsheets: false,
  normalize: false,
}

const DEFAULT_OPTIONS: Readonly<Partial<Record<FormatId, WriteOptions>>> = {
  csv: CSV_OPTIONS,
  tsv: { ...CSV_OPTIONS, delimiter: '\t' },
  json: { kind: 'json', layout: 'array', normalize: false },
  xlsx: { kind: 'xlsx', sheetName: '' },
  parquet: { kind: 'parquet', codec: 'zstd', rowGroupSize: 122_880 },
  arrow: { kind: 'arrow' },
}

/** @throws {RangeError} for a format that isn't written */
export function defaultOptions(format: FormatId): WriteOptions {
  const options = DEFAULT_OPTIONS[format]
  if (!options) throw new RangeError(`${format} is never written`)
  return options
}
