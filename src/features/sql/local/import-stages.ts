import { nextPace, startPace, timeLeft, type Pace } from '../../shared/pace.ts'
import type { Problem } from '../../shared/problem.ts'
import type { ImportPlan, RejectedRow } from '../../../tables/plan.ts'
import type { LocalTableRecord } from '../types.ts'

/** Rejected rows of one table. */
export interface RejectedRows {
  /** Sheet, if the file has several. */
  readonly table: string | null
  readonly count: number
  /** Rows that fit. */
  readonly rows: number
  /** The first rejected rows, up to 100. */
  readonly first: readonly RejectedRow[]
}

export type ImportStage =
  | { readonly kind: 'reading'; readonly share: number | null }
  /** Some rows don't fit: the person decides before anything is stored. */
  | { readonly kind: 'asking'; readonly rejectedRows: readonly RejectedRows[] }
  /** `table` is the index, from 0, of the file's table that is being loaded. */
  | {
      readonly kind: 'loading'
      readonly table: number
      readonly tables: number
      readonly share: number | null
      readonly rows: number
    }
  | { readonly kind: 'failed'; readonly problem: Problem; readonly made: readonly LocalTableRecord[] }

/** A file that is being imported as local tables. */
export interface LocalImport {
  readonly id: string
  readonly file: File
  /** How to read it, as the person set it elsewhere; null for automatic detection. */
  readonly plan: ImportPlan | null
  /** Id of the table queried in place whose rows are being copied; null for a new file. */
  readonly copies: string | null
  readonly stage: ImportStage
  /** In bytes of the file, each of which is read twice; null while nothing is read. */
  readonly pace: Pace | null
  /** Whether its first rows have been made a table meanwhile. */
  readonly sampled?: 'making' | 'made' | undefined
}

/** Progress of an import from 0 to 1, where inspection is about half of the work; null if unknown. */
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

/** Milliseconds until the import is done; null if the estimate isn't reliable yet. */
export function importTimeLeft({ file, stage, pace }: LocalImport): number | null {
  if (!pace || (stage.kind !== 'reading' && stage.kind !== 'loading')) return null
  const share = shareDone(stage)
  return share === null ? null : timeLeft(pace, share * file.size, file.size)
}

/** The pace of an import at a stage. */
export function paceAt(stage: ImportStage, { pace, file }: LocalImport, now: number): Pace | null {
  if (stage.kind !== 'reading' && stage.kind !== 'loading') return null
  const share = shareDone(stage)
  if (share === null) return pace
  return pace ? nextPace(pace, share * file.size, now) : startPace(now, share * file.size)
}
