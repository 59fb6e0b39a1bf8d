import type { ReactNode, Ref } from 'react'
import type { EngineClient, PlanOperator, SqlProblem, SqlSession, TextRange } from '../../engine/client.ts'
import type { IncomingTable } from '../../session/handover.ts'
import type { Schema } from '../../lib/duckdb-sql/index.ts'
import type { ChartSpec, LocalTableRecord, TabRun } from './types.ts'

/* What the screen gives each of its parts, and what they ask of it. */

/** What of the text is run: the statement under the cursor, what is selected, or all statements one after the other. */
export type RunScope = 'statement' | 'selection' | 'all'

export interface SqlEditorHandle {
  focus(): void
  /**
   * At the cursor, in place of what is selected; the cursor comes behind it.
   * @param alone in its place where there's no other text
   */
  insert(text: string, alone?: string): void
  /** The whole text, as one step that can be undone. */
  replace(text: string): void
  /** Lays out what is selected, else the whole text. Rejects (`Error`, in words) when it can't be taken apart. */
  format(): Promise<void>
  /** Empty (`from` is `to`): the cursor is there. */
  selection(): TextRange
  /** Selects that part, scrolls to it and takes the focus. */
  select(range: TextRange): void
}

export interface SqlEditorProps {
  readonly ref?: Ref<SqlEditorHandle>
  /** The tab: another id is another document, with an undo history of its own. */
  readonly documentId: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** For checks in the background and the dialect; null while there's none: then it's a plain SQL editor. */
  readonly session: SqlSession | null
  readonly schema: Schema
  readonly onRun: (scope: RunScope) => void
  /** Esc, when the editor has nothing of its own to close. */
  readonly onCancel: () => void
  /** Of the last run, where they are in the text. They're gone with the next change of that place. */
  readonly problems: readonly SqlProblem[]
}

export interface SchemaTreeProps {
  readonly schema: Schema
  readonly status: 'loading' | 'ready' | 'failed'
  /** Why the datasets aren't listed; local files are all the same. */
  readonly error: Error | null
  readonly onRetry: () => void
  /** Puts a name into the editor; `alone` in its place where there's no other text. */
  readonly onInsert: (text: string, alone?: string) => void
  /** Shows the first rows of a table, by its reference. */
  readonly onPreview: (reference: string) => void
  /** Sends a local table to Datasets. */
  readonly onPublish: (tables: readonly IncomingTable[]) => void
  /** Opens the dataset's own screen. */
  readonly onOpenDataset: (id: string) => void
  /** Files to be local tables. */
  readonly onAddFiles: (files: readonly File[]) => void
  readonly local: readonly LocalTableRecord[]
}

export interface ResultPanelProps {
  /** Its `result` isn't null. */
  readonly run: TabRun
  /** For header summaries; null for results of the service. Summaries mustn't hold up the next statement. */
  readonly session: SqlSession | null
  readonly engine: EngineClient
  /** Another statement in place of the one that was run (sort, filter), in the editor too; it's run at once. */
  readonly onStatement: (statement: string) => void
  /** "Save as dataset". */
  readonly onPublish: (tables: readonly IncomingTable[]) => void
  /** Names files of exports: the tab's title. */
  readonly title: string
  /** Stands at the left of the panel's own bar (which has "Export" at its right). */
  readonly bar: ReactNode
}

export interface ChartPanelProps {
  readonly run: TabRun
  readonly session: SqlSession | null
  /** Null: the panel makes a sensible first choice and says so by `onSpec`. */
  readonly spec: ChartSpec | null
  readonly onSpec: (spec: ChartSpec) => void
  readonly title: string
}

export interface PlanPanelProps {
  readonly plan: PlanOperator
  /** Whether it was run: then it has rows and times. */
  readonly analyzed: boolean
}
