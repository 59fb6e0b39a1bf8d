import type { CheckOutcome } from './checks.ts'
import type { MendedRow } from './mends.ts'
import type { Note, ReadSettings } from './plan.ts'

/**
 * The fingerprint of a column's values. Two columns with equal fingerprints hold the same values, in whatever order and
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
  /** In plain notation, exact for integers and decimals; null if the values aren't numbers. */
  readonly sum: string | null
  /** 16 hexadecimal digits. */
  readonly checksum: string
}

export interface TableFingerprint {
  readonly rows: number
  readonly columns: readonly ColumnFingerprint[]
  /** Like a column's, over whole rows: reveals values that were swapped between rows. */
  readonly rowChecksum: string
}

export interface Difference {
  /** Null: the table as a whole. */
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
  /** In 64 hexadecimal digits. Known some time after the conversion; absent if the file was gone by then. */
  readonly sha256?: string
}

/** A file that was made. */
interface ReceiptOutput {
  readonly name: string
  readonly size: number
  readonly format: string
  /** As a source's. */
  readonly sha256?: string
  /** How the table in it was read back, so that it can be again; absent in receipts of earlier versions. */
  readonly readBack?: ReadBack
}

/** How a table is read from the file that it was written to. */
export interface ReadBack {
  readonly settings: ReadSettings
  /** The sheets of a table that had to be split, in order. */
  readonly tables: readonly (string | null)[]
  /** The indexes of columns that are `optional`, and of those that are `members`; absent if none is. */
  readonly optional?: readonly number[]
  readonly members?: readonly number[]
}

/** One of the tables that were combined, and its share of the output. */
export interface ReceiptSource extends Source {
  /** How many of its rows are in the output, or were read by a statement. */
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
  /** Its name in the statement. */
  readonly name: string
  /** What was read into it; before the statement ran, the engine was checked to hold exactly that. */
  readonly read: TableFingerprint
}

/** The statement between reading and writing, whose result was written. */
export interface ReceiptShape {
  readonly sql: string
  readonly tables: readonly ReceiptShapeTable[]
}

/** The proof of a conversion: the output, read back, compared with what was read from the source. Plain data. */
export interface Receipt {
  /** For several that were combined: their number and total size. */
  readonly source: Source
  /** The tables that were combined, or that a statement read, in the order of their rows; absent if there's only one. */
  readonly sources?: readonly ReceiptSource[]
  /** For a table that was split: the number and total size of its files. */
  readonly output: ReceiptOutput
  /** The files that the table was split into; absent if it's in one. */
  readonly parts?: readonly ReceiptPart[]
  /** What was done between reading and writing; absent if all rows were written as they were read. */
  readonly shape?: ReceiptShape
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** Milliseconds. */
  readonly duration: { readonly convert: number; readonly verify: number }
  /** What was read from the source, or the result of the statement that shaped it. */
  readonly expected: TableFingerprint
  readonly found: TableFingerprint
  readonly differences: readonly Difference[]
  /** Every difference in form between source and output. */
  readonly changes: readonly Note[]
  /** The inspection's notes: cells in error read as null, a title above the table, hidden rows. */
  readonly notes: readonly Note[]
  /** Whether the conversion found the same text in each column as the inspection. */
  readonly textCompared?: boolean
  /** Rows that didn't fit and were left out. */
  readonly rejectedRows: number
  /** Rows that didn't fit, and are in the output as the person fixed them. */
  readonly mended?: readonly MendedRow[]
  /** The results of the checks; absent if there were none. */
  readonly checks?: readonly CheckOutcome[]
  readonly verdict: 'match' | 'mismatch'
}
