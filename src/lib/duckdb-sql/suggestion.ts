import type { ColumnSources, KnownColumn } from './columns.ts'
import type { FunctionInfo, Words } from './dialect.ts'

export type SuggestionKind =
  | 'column'
  | 'table'
  | 'local'
  | 'temporary'
  | 'file'
  | 'cte'
  | 'dataset'
  | 'workspace'
  | 'alias'
  | 'function'
  | 'keyword'
  | 'type'
  | 'part'
  | 'condition'
  | 'snippet'

/** Something that can be written at a place. */
export interface Suggestion {
  readonly kind: SuggestionKind
  readonly label: string
  /** What is put in; `#{1}` marks places to go on at, for snippets. */
  readonly text: string
  /** Its type, or where it is. */
  readonly detail: string
  /** Higher comes first; from -99 to 99. */
  readonly rank: number
  readonly function?: FunctionInfo
  /** For tables and their like, what they have. */
  readonly columns?: readonly KnownColumn[]
  readonly rows?: number | null
}

export interface SuggestionSources extends ColumnSources {
  readonly words: Words
  /** Whether keywords are written small here. */
  readonly lowerCase: boolean
  /** What is there of the name: others than those with its letters, in that order, are left out. */
  readonly typed: string
}
