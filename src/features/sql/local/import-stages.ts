import { nextPace, startPace, timeLeft, type Pace } from '../../shared/pace.ts'
import type { Problem } from '../../shared/problem.ts'
import type { ImportPlan, RejectedRow } from '../../../tables/plan.ts'
import type { LocalTableRecord } from '../types.ts'

/** Rows of one table that don't fit. */
export interface RejectedRows {
  /** Sheet, where the file has several. */
  readonly table: string | null
  readonly count: number
  /** Rows that do fit. */
  readonly rows: number
  /** The first of them, at most 100. */
  readonly first: readonly RejectedRow[]
}

export type ImportStage =
  | { readonly kind: 'reading'; readonly share: number | null }
  /** Rows don't fit: the person is asked before anything is kept. */
  | { readonly kind: 'asking'; readonly rejectedRows: readonly RejectedRows[] }
  /** Of the file's tables, the one that is being loaded, from 0. */
  | {
      readonly kind: 'loading'
      readonly table: number
      readonly tables: number
      readonly share: number | null
      readonly rows: number
    }
  | { readonly kind: 'failed'; readonly problem: Problem; readonly made: readonly LocalTableRecord[] }

/** A file on its way to become local tables. */
export interface LocalImport {
  readonly id: string
  readonly file: File
  /** How it's read, as the person corrected it elsewhere; null: as it's found to be. */
  readonly plan: ImportPlan | null
  /** The table that is queried in place, and whose rows are being copied; null for a file that is new. */
  readonly copies: string | null
  readonly stage: ImportStage
  /** By the bytes of the file, each of which is read twice; null while nothing is read. */
  readonly pace: Pace | null
  /** Whether its first rows are a table meanwhile. */
  readonly sampled?: 'making' | 'made' | undefined
}

/** How much of an import is done, from 0 to 1: reading the file through is about half of the work. Null: it isn't known. */
export function shareDone(stage: Exclude<ImportStage, { readonly kind: 'failed' }>): number | null {
  switch (stage.kind) {
    case 'reading':
      return stage.share === null ? null : stage.share / 2
    case 'asking':
      return 0.5
    case 'loading':
      return 0.5 + (stage.table + (stage.share ?? 0)) / stage.tables / 2
  }
}

/** Milliseconds until all of it is there; null while it isn't known well enough. */
export function importTimeLeft({ file, stage, pace }: LocalImport): number | null {
  if (!pace || (stage.kind !== 'reading' && stage.kind !== 'loading')) return null
  const share = shareDone(stage)
  return share === null ? null : timeLeft(pace, share * file.size, file.size)
}

/** How fast it goes, as shown at a stage. */
export function paceAt(stage: ImportStage, { pace, file }: LocalImport, now: number): Pace | null {
  if (stage.kind !== 'reading' && stage.kind !== 'loading') return null
  const share = shareDone(stage)
  if (share === null) return pace
  return pace ? nextPace(pace, share * file.size, now) : startPace(now, share * file.size)
}
