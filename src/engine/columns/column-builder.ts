import type { Data } from 'apache-arrow'
import type { ColumnType } from '../../tables/types.ts'
import type { ValueFormat } from '../../tables/plan.ts'

/**
 * Builds one column from text. Reading is strict: a text that isn't a value of the type, to the last digit, is refused
 * rather than rounded, cut or turned to null.
 */
export interface ColumnBuilder {
  readonly type: ColumnType
  readonly length: number
  /** Bytes held so far, roughly: for ending a batch in time. */
  readonly byteLength: number
  /**
   * Reads `bytes[start, end)`, UTF-8, and appends the value.
   * @returns false, with nothing appended, when the text isn't a value of the type
   */
  appendText(bytes: Uint8Array, start: number, end: number): boolean
  appendNull(): void
  /** Takes back the newest values, down to `length` of them: for a row that turns out not to fit. */
  truncate(length: number): void
  /** The column so far, in the physical type of `toArrowType(type)`; the builder begins again. */
  finish(): Data
}

export interface ReadColumn {
  /** Position in the file's table, from 0. */
  readonly index: number
  /** Name in the file. */
  readonly source: string
  /** The type wanted. A value that isn't of it makes its row a rejected one; it never becomes null or another value. */
  readonly type: ColumnType
  readonly format?: ValueFormat
  /** As the written column's. */
  readonly optional?: boolean
  readonly members?: boolean
}
