import type { ColumnSources, KnownColumn } from './columns.ts'
import type { FunctionInfo, Words } from './dialect.ts'

/** Of one kind of names, no more than these are given. */
export const MOST = 1000

/** The items whose names have the typed letters in that order; those that begin with them first. */
export function fitting<T>(items: readonly T[], typed: string, name: (item: T) => string): readonly T[] {
  if (typed === '') return items.length > MOST ? items.slice(0, MOST) : items
  const wanted = typed.toLowerCase()
  const first: T[] = []
  const others: T[] = []
  for (const item of items) {
    const lower = name(item).toLowerCase()
    if (lower.startsWith(wanted)) first.push(item)
    else if (hasLetters(lower, wanted)) others.push(item)
  }
  return [...first, ...others].slice(0, MOST)
}

function hasLetters(name: string, wanted: string): boolean {
  let at = 0
  for (let index = 0; index < wanted.length; index++) {
    at = name.indexOf(wanted.charAt(index), at) + 1
    if (at === 0) return false
  }
  return true
}

export function nameOf({ name }: { readonly name: string }): string {
  return name
}

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
