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
  /** Bytes held so far, roughly, so that a batch ends in time. */
  readonly byteLength: number
  /**
   * Reads `bytes[start, end)`, UTF-8, and appends the value.
   * @returns false, with nothing appended, when the text isn't a value of the type
   */
  appendText(bytes: Uint8Array, start: number, end: number): boolean
  appendNull(): void
  /** Removes the newest values, down to `length` of them, when a row turns out not to fit. */
  truncate(length: number): void
  /** The column so far, in the physical type of `toArrowType(type)`; the builder begins again. */
  finish(): Data
}

export interface ReadColumn {
  /** Position in the file's table, from 0. */
  readonly index: number
  /** Name in the file. */
  readonly source: string
  /** The type to read. A value that doesn't fit rejects its row; it never becomes null or another value. */
  readonly type: ColumnType
  readonly format?: ValueFormat
  /** As the written column's. */
  readonly optional?: boolean
  readonly members?: boolean
}
