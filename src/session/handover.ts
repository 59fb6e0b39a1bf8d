import type { ImportPlan, Inspection } from '../tables/plan.ts'
import type { JobSettings } from '../tables/recipes/recipe.ts'

/* What one screen passes to another through the app, since features don't import each other. */

/** A file to add to a dataset as a table, or as several if its plan has several. */
export interface IncomingTable {
  readonly file: File
  /** How to read it, with the person's changes; null if it wasn't inspected yet. */
  readonly plan: ImportPlan | null
  /** The inspection that the plan is based on, if available. */
  readonly inspection?: Inspection
  /**
   * Whether the person changed something that the service can't take into account. Then the planned table must be
   * published, as Parquet.
   */
  readonly changed: boolean
}

/** A file to add to the local tables. */
export interface IncomingFile {
  readonly file: File
  /** How to read it, with the person's changes; null to detect that. */
  readonly plan: ImportPlan | null
}

/** The settings that a person made for reading files. */
export type Reading = Pick<JobSettings, 'request' | 'edits'>

/**
 * What another screen wants to query: files to add to the local tables; or a SELECT or similar statement, to show and,
 * unless it's empty, to run.
 */
export type IncomingQuery =
  | { readonly kind: 'files'; readonly files: readonly IncomingFile[] }
  | { readonly kind: 'statement'; readonly title?: string; readonly text: string }
