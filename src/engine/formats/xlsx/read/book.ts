import { firstFree } from '../../../../lib/names.ts'
import type { Note } from '../../../../tables/plan.ts'
import type { Range } from '../../../../tables/range.ts'
import type { Row } from './row.ts'
import type { SharedStrings } from './strings.ts'
import type { Styles } from './styles.ts'

/* The view of a workbook shared by all stages after reading the file, whatever its format. */

/** What is known of a workbook before any rows are read. */
export interface Workbook {
  readonly sheets: readonly Sheet[]
  /** Days count from 1904-01-01 instead of 1900-01-01. */
  readonly date1904: boolean
  readonly styles: Styles
  readonly strings: SharedStrings
  readonly notes: readonly Note[]
}

/** A table defined in Excel: a range formatted as a table. */
export interface DefinedTable {
  readonly name: string
  /** Including its header and totals. */
  readonly range: Range
  readonly hasHeader: boolean
  /** Number of totals rows at its end. */
  readonly totals: number
}

export interface Sheet {
  readonly name: string
  readonly hidden: boolean
  readonly defined?: readonly DefinedTable[]
  /** Bytes of the file that belong to the sheet. */
  readonly bytes: number
  /**
   * Opens its rows.
   * @param onRow called for each row that isn't empty; the row is valid until the next one
   * @throws {EngineError} `corrupt-file`, `too-large`
   */
  open(onRow: (row: Row) => void, signal: AbortSignal): Promise<SheetRows>
}

/** A sheet that is being read. */
export interface SheetRows {
  /** Approximate number of the file's bytes read so far. */
  readonly consumed: number
  /** Complete at the end. */
  readonly facts: SheetFacts
  /**
   * Reads on, and calls `onRow` for the rows that are complete.
   * @returns false at the end, or after `stop`
   * @throws {EngineError}, or the signal's reason
   */
  step(): Promise<boolean>
  /** Ends reading early. */
  stop(): void
  close(): Promise<void>
}

/** Parses a sheet's XML into rows while it arrives. */
export interface RowParser extends SheetFacts {
  /** Set to true to stop. */
  stopped: boolean
  /** Whether rows have to be passed on before more XML is needed. */
  readonly paused: boolean
  /**
   * Processes the scanner's data. Returns true at the end of the sheet.
   * @throws {EngineError} `corrupt-file` with the cell, `too-large`
   */
  run(): boolean
}

/** Facts about a sheet besides its rows. */
export interface SheetFacts {
  readonly mergedRanges: number
  /** The first ones, up to a limit. */
  readonly merges: readonly Range[]
  readonly hiddenColumns: number
  /** Number of texts with outer white space that Excel doesn't show. */
  readonly unkept: number
}

/** For .xlsm and similar files. */
export const MACROS: Note = { code: 'macros', message: 'The workbook has macros: they’re left aside and never run.' }

/** Each sheet is a table that is read, shown, and can be converted. */
export const MAX_SHEETS = 2000

/**
 * Makes a name unique by adding a number. Excel doesn't allow two sheets with the same name, but other programs may
 * write them.
 */
export function freeName(name: string, taken: Set<string>): string {
  const free = firstFree(
    name,
    (wanted) => taken.has(wanted),
    (number) => `${name} (${number})`,
  )
  taken.add(free)
  return free
}
