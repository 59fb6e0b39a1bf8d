import type { ColumnSources, KnownColumn } from './columns.ts'
import type { FunctionInfo, Words } from './dialect.ts'

/** Most suggestions of one kind. */
export const MOST = 1000

/** A name in lower case and, where nothing but ASCII was typed, with `u` for `ü` and `ss` for `ß`. */
export function folded(name: string, typed: string): string {
  const lower = name.toLowerCase()
  const isPlain = /^[ -~]*$/
  if (isPlain.test(lower) || !isPlain.test(typed)) return lower
  return lower.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
}

/** The items whose names contain the typed letters in that order; those that begin with them first. */
export function fitting<T>(items: readonly T[], typed: string, name: (item: T) => string): readonly T[] {
  if (typed === '') return items.length > MOST ? items.slice(0, MOST) : items
  const wanted = typed.toLowerCase()
  const first: T[] = []
  const others: T[] = []
  for (const item of items) {
    const known = folded(name(item), typed)
    if (known.startsWith(wanted)) first.push(item)
    else if (hasLetters(known, wanted)) others.push(item)
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

/** A suggestion for a place. */
export interface Suggestion {
  readonly kind: SuggestionKind
  readonly label: string
  /** The text to insert; `#{1}` marks a snippet's fields. */
  readonly text: string
  /** Its type, or where it is. */
  readonly detail: string
  /** Higher comes first; from -99 to 99. */
  readonly rank: number
  readonly function?: FunctionInfo
  /** The columns of tables and the like. */
  readonly columns?: readonly KnownColumn[]
  readonly rows?: number | null
}

export interface SuggestionSources extends ColumnSources {
  readonly words: Words
  /** Whether to write keywords in lower case. */
  readonly lowerCase: boolean
  /** The part of the name typed so far. Only names that contain its letters in that order are suggested. */
  readonly typed: string
}
