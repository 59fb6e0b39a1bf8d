import type { Data } from 'apache-arrow'
import type { ValueFormat } from '../../tables/plan.ts'
import type { ColumnType } from '../../tables/types.ts'

/**
 * Builds a column from text. Parsing is strict: a text that isn't exactly a value of the type is refused, never
 * rounded, cut or replaced by null.
 */
export interface ColumnBuilder {
  readonly type: ColumnType
  readonly length: number
  /** Approximate size so far, for ending batches in time. */
  readonly byteLength: number
  /**
   * Parses `bytes[start, end)`, UTF-8, and appends the value.
   * @returns false, with nothing appended, if it isn't a value of the type
   */
  appendText(bytes: Uint8Array, start: number, end: number): boolean
  appendNull(): void
  /** Removes values from the end until `length` remain, after their row was rejected. */
  truncate(length: number): void
  /** Returns the column in the physical type of `toArrowType(type)`, and starts over. */
  finish(): Data
}

const encoder = new TextEncoder()

/** Appends texts and nulls, up to the first text that isn't a value of the type. Returns whether all were appended. */
export function appendTexts(builder: ColumnBuilder, texts: Iterable<string | null>): boolean {
  for (const text of texts) {
    if (text === null) {
      builder.appendNull()
      continue
    }
    const bytes = encoder.encode(text)
    if (!builder.appendText(bytes, 0, bytes.length)) return false
  }
  return true
}

export interface ReadColumn {
  /** Index in the file's table, from 0. */
  readonly index: number
  /** Name in the file. */
  readonly source: string
  /** The type to read. A value that doesn't fit rejects its row; it never becomes null or another value. */
  readonly type: ColumnType
  readonly format?: ValueFormat
  /** As for the written column. */
  readonly optional?: boolean
  readonly members?: boolean
}

/** Rejected rows of a batch, which are held as text. */
export const BATCH_REJECTED = 1000
