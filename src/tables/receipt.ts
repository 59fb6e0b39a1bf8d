import type { CheckOutcome } from './checks.ts'
import type { Note, ReadSettings } from './plan.ts'

/**
 * The fingerprint of a column's values. Columns with equal fingerprints have the same values, whatever their order or
 * format: `checksum` is the sum, modulo 2^64, of a hash of each non-null value.
 */
export interface ColumnFingerprint {
  readonly name: string
  /** DuckDB type name. */
  readonly type: string
  readonly nulls: number
  /** Canonical text, up to 200 characters; null if there are no values, or they have no order (nested types). */
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
  /** Like a column's, but over whole rows: reveals values swapped between rows. */
  readonly rowChecksum: string
}

export interface Difference {
  /** Null for the table as a whole. */
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
  /** 64 hexadecimal digits, computed some time after the conversion; absent if the file was gone by then. */
  readonly sha256?: string
}

/** An output file. */
interface ReceiptOutput {
  readonly name: string
  readonly size: number
  readonly format: string
  /** Like a source's. */
  readonly sha256?: string
  /** How its table was read back, to do it again; absent in receipts of earlier versions. */
  readonly readBack?: ReadBack
}

/** How to read a table back from its output file. */
export interface ReadBack {
  readonly settings: ReadSettings
  /** The sheets of a table that didn't fit on one, in order. */
  readonly tables: readonly (string | null)[]
  /** Indexes of the columns with `optional`, and of those with `members`; absent if there are none. */
  readonly optional?: readonly number[]
  readonly members?: readonly number[]
}

/** One of several tables, and its share of the output. */
export interface ReceiptSource extends Source {
  /** Number of its rows in the output, or read by a statement. */
  readonly rows: number
  readonly rejectedRows: number
  /** Of those rows. The sources' sum, modulo 2^64, equals that of the table, or of what the statement read. */
  readonly rowChecksum: string
  /** Like a receipt's. */
  readonly textCompared?: boolean
}

/** One of the files that a table was split into, as read back. */
export interface ReceiptPart {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** The value, month or year for which it has the rows; absent if the table was split by a number of rows. */
  readonly value?: string | null
  readonly rows: number
  /** The parts' sum, modulo 2^64, equals the table's. */
  readonly rowChecksum: string
  /** Like a source's. */
  readonly sha256?: string
}

/** A table read by a statement. */
interface ReceiptShapeTable {
  /** Its name in the statement. */
  readonly name: string
  /** What was read into it. Before running the statement, we checked that the engine holds exactly this. */
  readonly read: TableFingerprint
}

/** A statement between reading and writing. Its result was written. */
export interface ReceiptShape {
  readonly sql: string
  readonly tables: readonly ReceiptShapeTable[]
}

/** The proof of a conversion: compares the output, read back, with what was read from the source. Plain data. */
export interface Receipt {
  /** For several sources, their number and total size. */
  readonly source: Source
  /** The tables that were combined, or read by a statement, in order; absent if there's only one. */
  readonly sources?: readonly ReceiptSource[]
  /** For a split table, the number and total size of its files. */
  readonly output: ReceiptOutput
  /** The files that the table was split into; absent if it wasn't split. */
  readonly parts?: readonly ReceiptPart[]
  /** The statement that was run; absent if all rows were written as read. */
  readonly shape?: ReceiptShape
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** Milliseconds. */
  readonly duration: { readonly convert: number; readonly verify: number }
  /** What was read from the source, or the statement's result. */
  readonly expected: TableFingerprint
  readonly found: TableFingerprint
  readonly differences: readonly Difference[]
  /** All differences in form between source and output. */
  readonly changes: readonly Note[]
  /** The inspection's notes: cells in error read as null, a title above the table, hidden rows. */
  readonly notes: readonly Note[]
  /** Whether the conversion found the same text in each column as the inspection. */
  readonly textCompared?: boolean
  /** Number of rows that didn't fit and were left out. */
  readonly rejectedRows: number
  /** Rows that didn't fit, and are in the output as corrected by the person. */
  readonly mended?: readonly MendedRow[]
  /** The results of the checks; absent if there were none. */
  readonly checks?: readonly CheckOutcome[]
  readonly verdict: 'match' | 'mismatch'
}

/** A rejected row that was corrected and included. */
export interface MendedRow {
  /** The file's name, if several are combined. */
  readonly file?: string
  readonly row: number
  readonly line: number | null
  /** Its text in the file. */
  readonly raw: string
  readonly cells: readonly (string | null)[]
  /** Whether it comes after all other rows of its file; else it keeps its place. */
  readonly atEnd?: boolean
}
