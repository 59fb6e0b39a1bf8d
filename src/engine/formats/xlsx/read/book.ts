import { firstFree } from '../../../../lib/names.ts'
import type { Note } from '../../../../tables/plan.ts'
import type { Range } from '../../../../tables/range.ts'
import type { Row } from './row.ts'
import type { SharedStrings } from './strings.ts'
import type { Styles } from './styles.ts'

/* A workbook as all stages after the file itself see it, whichever format it is stored in. */

/** What is needed of a workbook before any of its rows is read. */
export interface Workbook {
  readonly sheets: readonly Sheet[]
  /** Days count from 1904-01-01 instead of 1900-01-01. */
  readonly date1904: boolean
  readonly styles: Styles
  readonly strings: SharedStrings
  readonly notes: readonly Note[]
}

/** A table as Excel itself defines it: cells that were formatted as one. */
export interface DefinedTable {
  readonly name: string
  /** With its header and its totals. */
  readonly range: Range
  readonly hasHeader: boolean
  /** Rows of totals at its end. */
  readonly totals: number
}

export interface Sheet {
  readonly name: string
  readonly hidden: boolean
  readonly defined?: readonly DefinedTable[]
  /** Of the file, that reading the sheet takes in. */
  readonly bytes: number
  /**
   * Its rows from the first one on.
   * @param onRow called for each row that holds something; the row is valid until the next one
   * @throws {EngineError} `corrupt-file`, `too-large`
   */
  open(onRow: (row: Row) => void, signal: AbortSignal): Promise<SheetRows>
}

/** A sheet that is being read. */
export interface SheetRows {
  /** Bytes of the file taken in so far, about. */
  readonly consumed: number
  /** Complete at the end. */
  readonly facts: SheetFacts
  /**
   * Reads on, and hands on the rows that are complete.
   * @returns false at the end, or once it was stopped
   * @throws {EngineError}, or the signal's reason
   */
  step(): Promise<boolean>
  /** No more rows are wanted. */
  stop(): void
  close(): Promise<void>
}

/** Turns a sheet's XML into rows, as it arrives. */
export interface RowParser extends SheetFacts {
  /** Set to stop. */
  stopped: boolean
  /** Whether rows are to be handed on before more XML is wanted. */
  readonly paused: boolean
  /**
   * Takes what the scanner has; true at the sheet's end.
   * @throws {EngineError} `corrupt-file` with the cell, `too-large`
   */
  run(): boolean
}

/** What a sheet says outside of its rows. */
export interface SheetFacts {
  readonly mergedRanges: number
  /** The first of them. */
  readonly merges: readonly Range[]
  readonly hiddenColumns: number
  /** Texts with outer white space that Excel doesn't show. */
  readonly unkept: number
}

/** Of .xlsm and its like. */
export const MACROS: Note = { code: 'macros', message: 'The workbook has macros: they’re left aside and never run.' }

/** Each is a table that is read, shown and can be converted. */
export const MAX_SHEETS = 2000

/** A name that none has yet. Excel has no two sheets of one name, other programs may: they're told apart by it. */
export function freeName(name: string, taken: Set<string>): string {
  const free = firstFree(
    name,
    (wanted) => taken.has(wanted),
    (number) => `${name} (${number})`,
  )
  taken.add(free)
  return free
}
