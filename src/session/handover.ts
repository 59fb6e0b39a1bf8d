import type { ImportPlan, Inspection } from '../tables/plan.ts'

/* What one screen hands to another, through the app: features don't know each other. */

/** A file that is to become a table of a dataset (several, when its plan has several). */
export interface IncomingTable {
  readonly file: File
  /** How it's read, as the person corrected it; null: not looked at yet. */
  readonly plan: ImportPlan | null
  /** What the plan was made from, where it's at hand. */
  readonly inspection?: Inspection
  /** The person overrode something that the service can't know, so the planned table is what must be published: as Parquet. */
  readonly changed: boolean
}

/** A file that is to become local tables. */
export interface IncomingFile {
  readonly file: File
  /** How it's read, as the person corrected it; null: as it's found to be. */
  readonly plan: ImportPlan | null
}

/** What another screen wants to be queried: files, to become local tables; or a reading statement, to be shown and run unless it's empty. */
export type IncomingQuery =
  | { readonly kind: 'files'; readonly files: readonly IncomingFile[] }
  | { readonly kind: 'statement'; readonly title?: string; readonly text: string }
