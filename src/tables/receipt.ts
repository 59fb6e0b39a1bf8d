import type { CheckOutcome } from './checks.ts'
import type { MendedRow } from './mends.ts'
import type { Note, ReadSettings } from './plan.ts'

/**
 * What a column's values come to. Two columns with equal fingerprints hold the same values, in whatever order and
 * whatever file: `checksum` is the sum, modulo 2^64, of a hash of each value that isn't null.
 */
export interface ColumnFingerprint {
  readonly name: string
  /** DuckDB type name. */
  readonly type: string
  readonly nulls: number
  /** Canonical text; null when there are no values, or they have no order (nested). Text is cut at 200 characters. */
  readonly min: string | null
  readonly max: string | null
  /** Plain notation, exact for integers and decimals; null for what isn't a number. */
  readonly sum: string | null
  /** 16 hexadecimal digits. */
  readonly checksum: string
}

export interface TableFingerprint {
  readonly rows: number
  readonly columns: readonly ColumnFingerprint[]
  /** As a column's, over whole rows: tells rows whose values were swapped. */
  readonly rowChecksum: string
}

export interface Difference {
  /** Null: of the table as a whole. */
  readonly column: string | null
  readonly what: 'rows' | 'columns' | 'name' | 'type' | 'nulls' | 'min' | 'max' | 'sum' | 'checksum' | 'row checksum'
  readonly expected: string
  readonly found: string
}

interface Source {
  readonly name: string
  readonly size: number
  readonly format: string
  readonly table: string | null
  /** How it was read. */
  readonly settings?: ReadSettings
  /** Of its bytes: 64 hexadecimal digits. It's known a while after the conversion; absent where the file was gone by then. */
  readonly sha256?: string
}

/** A file that was made. */
interface ReceiptOutput {
  readonly name: string
  readonly size: number
  readonly format: string
  /** As a source's. */
  readonly sha256?: string
  /** How the table in it was read back, and can be again; absent in receipts of earlier versions. */
  readonly readBack?: ReadBack
}

/** How a table is read from the file that it was written to. */
export interface ReadBack {
  readonly settings: ReadSettings
  /** A table that had to be split is in several sheets, in order. */
  readonly tables: readonly (string | null)[]
  /** Which columns are `optional`, and which are `members`, by their places; absent where none is. */
  readonly optional?: readonly number[]
  readonly members?: readonly number[]
}

/** One of the tables that were combined, and what of the output is its. */
export interface ReceiptSource extends Source {
  /** Rows of it in the output, or that a statement read. */
  readonly rows: number
  readonly rejectedRows: number
  /** Of those rows: those of all sources add up, modulo 2^64, to the table's; where a statement read them, to what it read. */
  readonly rowChecksum: string
  /** As a receipt's. */
  readonly textCompared?: boolean
}

/** One of the files that a table was split into, as it was read back. */
export interface ReceiptPart {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** What its rows have in the column that the table was split by, or their month or year; absent where it was split by a number of rows. */
  readonly value?: string | null
  readonly rows: number
  /** Those of all parts add up, modulo 2^64, to the table's. */
  readonly rowChecksum: string
  /** As a source's. */
  readonly sha256?: string
}

/** A table that a statement read. */
interface ReceiptShapeTable {
  /** What the statement calls it. */
  readonly name: string
  /** What was read into it: the engine was found to hold just that before the statement ran. */
  readonly read: TableFingerprint
}

/** The statement between reading and writing: what it gave was written. */
export interface ReceiptShape {
  readonly sql: string
  readonly tables: readonly ReceiptShapeTable[]
}

/** The proof of a conversion: the file, read back, against what was read from the source. Plain data. */
export interface Receipt {
  /** Of several that were combined: how many there are, and their size in all. */
  readonly source: Source
  /** The tables that were combined, or that a statement read, in the order of their rows; absent where there was but one. */
  readonly sources?: readonly ReceiptSource[]
  /** Of a table that was split: how many files there are, and their size in all. */
  readonly output: ReceiptOutput
  /** The files that the table was split into; absent where it's in one. */
  readonly parts?: readonly ReceiptPart[]
  /** What was done between reading and writing; absent where all rows were written as they were read. */
  readonly shape?: ReceiptShape
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** Milliseconds. */
  readonly duration: { readonly convert: number; readonly verify: number }
  /** What was read from the source; where a statement shaped it, what that gave. */
  readonly expected: TableFingerprint
  readonly found: TableFingerprint
  readonly differences: readonly Difference[]
  /** What the output holds otherwise than the source did, none of it lost unsaid. */
  readonly changes: readonly Note[]
  /** What was noted when the source was looked at: cells in error read as null, a title above the table, hidden rows. */
  readonly notes: readonly Note[]
  /** Whether the text of each column was found, while converting, to be what the inspection had come upon. */
  readonly textCompared?: boolean
  /** Rows that didn't fit and were left out. */
  readonly rejectedRows: number
  /** Rows that didn't fit, and are in the output as the person mended them. */
  readonly mended?: readonly MendedRow[]
  /** What became of the checks that were set; absent where none was. */
  readonly checks?: readonly CheckOutcome[]
  readonly verdict: 'match' | 'mismatch'
}
