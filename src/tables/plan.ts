import type { FormatId } from '../contract/formats.ts'
import type { ColumnChecks } from './checks.ts'
import type { ReadSettings } from './settings.ts'
import type { NestedIn } from './types.ts'

export type { CsvPlace, CsvSettings, JsonSettings, NumberStyle, ReadSettings, XlsxSettings } from './settings.ts'

/** How to parse a column's text as its type, if it isn't in canonical form. */
export interface ValueFormat {
  /** Default `.`. */
  readonly decimalMark?: '.' | ','
  /** Thousands separator; none by default. */
  readonly grouping?: ',' | '.' | ' ' | "'"
  /** A currency or unit around numbers, to be dropped: `€`, `USD`. */
  readonly unit?: string
  /** Numbers may end with `%`; they are read as fractions: `12.5 %` is 0.125. */
  readonly percent?: boolean
  /** Numbers may end with `k`, `M` or `bn`, for thousands, millions and billions; or with `K`, `M`, `G`, for 1,024 bytes and so on. */
  readonly scaled?: boolean
  readonly sizes?: boolean
  /** Notation of negative numbers other than a leading minus: `1.50-`, `(1.50)`, or `1.50 Dr` beside `1.50 Cr`. */
  readonly negative?: 'trailing' | 'parentheses' | 'debit'
  /**
   * strptime pattern of a date or timestamp. Supported: `%Y %y %m %d %H %I %M %S %f %p %a %b %B %z %s %Q`; everything
   * else is literal. `%s` and `%Q` are seconds and milliseconds since 1970, `%s%f` micro- or nanoseconds. Default: ISO
   * 8601. Durations: `%M:%S` if `5:06` is minutes and seconds.
   */
  readonly dateFormat?: string
  /** Case-insensitive; `true` and `false` by default. If they include the empty text, nulls have that value. */
  readonly trueValues?: readonly string[]
  readonly falseValues?: readonly string[]
  /** For any type: texts that are null, and whether to trim spaces around values. */
  readonly nullValues?: readonly string[]
  readonly trim?: boolean
  /** For any type: whether to take the text out of Excel formulas such as `="00123"`, or from behind an apostrophe: `'00123`. */
  readonly formulas?: boolean
  readonly apostrophes?: boolean
  /** For any type, in text tables and workbooks: whether blank cells have the value above (`columns/labels-above.ts`). */
  readonly fillDown?: boolean
}

/** Properties of a column that users can change. */
export interface ColumnPatch {
  readonly name?: string
  readonly type?: string
  readonly include?: boolean
  readonly format?: ValueFormat
  readonly checks?: ColumnChecks
}

/**
 * A meaning that values may have, or a better way to read the file. It has no effect until the user applies it. Plain
 * data.
 */
export interface Proposal {
  /** Stable, kebab-case: `day-first`, `thousands`, `null-word`. */
  readonly code: string
  /** Label of the button, beginning with “Apply”: `Apply: 3 April 2025 (day first)`. */
  readonly label: string
  /** What would change, with the count; a sentence for people. */
  readonly message: string
  /** Number of values or rows concerned. */
  readonly count?: number
  readonly example?: { readonly from: string; readonly to: string }
  readonly change: ProposedChange
  /** Whether another proposal is as likely, so that only the user can choose. */
  readonly ambiguous?: boolean
}

type ProposedChange =
  /** Changes the column of the proposal. */
  | { readonly kind: 'column'; readonly patch: ColumnPatch }
  /** Changes how the file is read; it's read again. */
  | { readonly kind: 'reading'; readonly settings: Partial<ReadSettings> }

export type ColumnFlag =
  /** "007": numbers would lose the zeros. */
  | 'leading-zeros'
  /** Integers that doubles don't represent exactly. */
  | 'beyond-2-53'
  /** 03/04/2024: the order of day and month is unclear. */
  | 'ambiguous-date'
  /** 1.234: the point or comma may separate thousands or the fraction. */
  | 'ambiguous-number'
  /** Values of several types. */
  | 'mixed-types'
  /** "1e5", "2E10": more likely codes than numbers. */
  | 'exponent-code'
  /** "+1", "+49 30 1234": numbers would lose the sign. */
  | 'plus-sign'
  /** 00501: a spreadsheet shows the number 501 like this. */
  | 'shown-as-code'
  /** No values. */
  | 'empty'
  /** The name in the file was empty, a duplicate, or unusable. */
  | 'renamed'
  /** Lists, structs, maps. */
  | 'nested'
  /** A type of the file that we can only keep as text. */
  | 'as-text'

/** A column as found in the file, with its inferred type. Plain data. */
export interface InspectedColumn {
  /** Position in the file's table, from 0. */
  readonly index: number
  /** Name in the file, as written; may be empty or a duplicate. */
  readonly source: string
  /** Proposed name: not empty, unique in the table. */
  readonly name: string
  /** DuckDB type name (`printType`). */
  readonly type: string
  /** Why it has this type; a sentence for people. */
  readonly reason: string
  readonly flags: readonly ColumnFlag[]
  readonly nulls: number
  readonly format?: ValueFormat
  /**
   * The type that keeps the values exactly as the file writes them, if `type` would change some: `2.50`, or keys that
   * only some objects have. Used when the output has the same format, unless the user chooses a type.
   */
  readonly verbatim?: string
  /** For text sources: values that would be written differently as values of the type; absent if there are none. */
  readonly rewritten?: Rewritten
  /** As `rewritten`, for JSON output. */
  readonly rewrittenInJson?: Rewritten
  /** Other meanings of the values; of mutually exclusive ones, the likeliest first. */
  readonly proposals?: readonly Proposal[]
  /** The format to start from if the user chooses a number or a date type. */
  readonly likely?: ValueFormat
  /** For text, JSON and Excel: a checksum of all cells as written in the file. Conversion must get the same. */
  readonly checksum?: string
}

/** The number of values that are written differently, with an example. */
export interface Rewritten {
  readonly count: number
  readonly example?: Note['example']
}

/** Information about a file or table that isn't an error: hidden rows, merged cells, a skipped preamble. */
export interface Note {
  /** Stable, kebab-case: `hidden-sheet`, `merged-cells`, `error-cells`, `byte-order-mark`. */
  readonly code: string
  /** A sentence for people. */
  readonly message: string
  readonly column?: string
  /** Number of values or rows concerned. */
  readonly count?: number
  /** An example: the text in the source and in the output. */
  readonly example?: { readonly from: string; readonly to: string }
  /** Whether it's about a guess; shown as a doubt on the card and the receipt. */
  readonly doubt?: boolean
}

/**
 * Why a row was rejected: `ragged`, too many or too few fields; `quoting`, an unclosed quote or text after a quoted one;
 * `value`, not of the column's type; `encoding`, bytes invalid in it; `syntax`, invalid JSON; `shape`, not an object.
 */
export type RejectReason = 'ragged' | 'quoting' | 'value' | 'encoding' | 'syntax' | 'shape'

/** A row that doesn't fit the plan. It can be shown, exported and corrected. */
export interface RejectedRow {
  /** The file's name, if several are combined. */
  readonly file?: string
  /** Number of the data row, from 1, including rejected rows. */
  readonly row: number
  /** Line of the file (Excel: row of the sheet) where the row begins, from 1; null for formats without lines. */
  readonly line: number | null
  readonly reason: RejectReason
  /** A sentence for people, without the line number. */
  readonly message: string
  /** Name of the column in the file, if one value is the cause. */
  readonly column: string | null
  /** The invalid value, up to 1,000 characters. */
  readonly value: string | null
  /** The row's text, up to `MAX_RAW` characters (`rejected.ts`). */
  readonly raw: string
  /** Texts by the file's columns: the cells, for formats without text rows, and what fills blank ones. */
  readonly cells?: readonly (string | null)[]
  readonly above?: readonly (string | null)[]
}

/** A row as shown in the preview of a file or sheet. */
export interface SourceRow {
  /** Line of the file or row of the sheet, from 1. */
  readonly number: number
  /** By column of the file; cut at 200 characters. */
  readonly cells: readonly (string | null)[]
}

/** The first and last non-empty rows. Plain data. */
export interface SourceRows {
  readonly rows: readonly SourceRow[]
  /** Number of omitted rows between them, after row number `head`. */
  readonly hidden: number
  /** How many of `rows` are from the beginning. */
  readonly head: number
}

/** A table in a file: most formats have one, workbooks one per sheet. */
export interface InspectedTable {
  /** Sheet name; null for a file with a single table. */
  readonly name: string | null
  readonly columns: readonly InspectedColumn[]
  /** Without rejected rows. */
  readonly rows: number
  readonly rejectedCount: number
  /** The first rejected rows, up to 100. */
  readonly rejected: readonly RejectedRow[]
  readonly notes: readonly Note[]
  readonly proposals?: readonly Proposal[]
  /** Hidden sheets are excluded by default. */
  readonly hidden?: boolean
  /** For JSON: the flattened objects, in order. */
  readonly flattened?: readonly Flattened[]
}

/** An object column whose keys became columns. */
export interface Flattened {
  readonly column: string
  /** Names of the columns made from it. */
  readonly names: readonly string[]
  /** What rows without any of its keys had instead; `object` if all had an object; absent if rows differ in that. */
  readonly none?: NestedIn['none']
}

export interface EncodingCandidate {
  readonly encoding: string
  readonly label: string
  /** The first line with non-ASCII characters, decoded with it; up to 80 characters. */
  readonly sample: string
}

/** A list in a JSON file whose items can be rows. */
export interface JsonList {
  /** Keys from the root. */
  readonly path: readonly string[]
  /** Number of items in the inspected beginning of the file. */
  readonly items: number
  /** Whether that's all of them. */
  readonly whole: boolean
}

/** The result of reading a whole file once. Plain data. */
export interface Inspection {
  readonly format: FormatId
  readonly settings: ReadSettings
  readonly tables: readonly InspectedTable[]
  readonly notes: readonly Note[]
  readonly proposals?: readonly Proposal[]
  /** Likely encodings, best first; for text formats only. */
  readonly encodings?: readonly EncodingCandidate[]
  /** For JSON: the lists that may contain the rows. */
  readonly lists?: readonly JsonList[]
}

/** A rejected row as corrected by the user. */
export interface RowMend {
  /** Number of the data row, from 1. */
  readonly row: number
  /** The row's text in the file. The correction applies only while that is unchanged. */
  readonly raw: string
  /** By the file's columns, as text; null for NULL. */
  readonly cells: readonly (string | null)[]
}

/** A find-and-replace for rejected rows: in their cells, or in the text of rows that can't be split into cells. */
export interface Replacement {
  /** The column's name in the file; null for all columns. */
  readonly source: string | null
  readonly find: string
  readonly replace: string
  /** Whether the whole cell must match. */
  readonly whole: boolean
}

/** Corrections of a table's rejected rows. Plain data. */
export interface Mends {
  readonly rows: readonly RowMend[]
  /** Applied to all rejected rows, in order, except those that were corrected one by one. */
  readonly replacements: readonly Replacement[]
  /** Whether corrected rows that fit are included in the output. */
  readonly putBack: boolean
  /** Whether they come after all other rows of the table; else they keep their place. */
  readonly atEnd?: boolean
}

/** How to read and write a column. */
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
  /** Corrections of rejected rows. */
  readonly mends?: Mends
  /** Columns with checks that aren't in the file, by name. */
  readonly missing?: readonly string[]
  /** The inspection that the plan is based on. Conversion must find the same. */
  readonly found?: {
    /** Including rejected rows. */
    readonly rows: number
    /** Notes about the file and this table. */
    readonly notes: readonly Note[]
    /** By index. Differences between these and the plan are the user's changes. */
    readonly columns: readonly InspectedColumn[]
    readonly flattened?: readonly Flattened[]
  }
}

/** How to read a file, including the user's changes. Plain data. */
export interface ImportPlan {
  readonly format: FormatId
  readonly settings: ReadSettings
  readonly tables: readonly TablePlan[]
}

export interface CsvOptions {
  readonly kind: 'csv'
  readonly delimiter: string
  readonly quoteAll: boolean
  readonly bom: boolean
  readonly lineEnd: '\n' | '\r\n'
  /** Text for null; equal values are quoted. */
  readonly nullString: string
  readonly header: boolean
  /** Prefixes text that a spreadsheet would run as a formula with `'`. */
  readonly safeForSpreadsheets: boolean
  /** Whether values from delimited text are written in the standard form of their type. */
  readonly normalize: boolean
}
export interface JsonOptions {
  readonly kind: 'json'
  readonly layout: 'array' | 'lines'
  /** Whether values from JSON are written in the standard form of their type, and all objects have all keys. */
  readonly normalize: boolean
  /** Whether columns made from objects' keys become objects again. */
  readonly nested?: boolean
}
export interface XlsxOptions {
  readonly kind: 'xlsx'
  /** If empty, the name of the table or the file. */
  readonly sheetName: string
}
export interface ParquetOptions {
  readonly kind: 'parquet'
  readonly codec: 'zstd' | 'snappy' | 'gzip' | 'lz4_raw' | 'brotli' | 'uncompressed'
  /** Number of rows. */
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

/** The column with an index in the file, which needn't be its place among those that were found: a sheet may begin at B. */
export const columnAt = <T extends { readonly index: number }>(columns: readonly T[], index: number): T | undefined =>
  columns[index]?.index === index ? columns[index] : columns.find((other) => other.index === index)

/** @throws {RangeError} for a format that can't be written */
export function defaultOptions(format: FormatId): WriteOptions {
  const options = DEFAULT_OPTIONS[format]
  if (!options) throw new RangeError(`${format} is never written`)
  return options
}

/** Most characters to keep of a rejected row's text. An unclosed quote can make one row of the whole rest of a file. */
export const MAX_RAW = 1_000_000
