import type { DatasetSummary } from '../../../api/client.ts'
import type { Visibility } from '../../../contract/schemas.ts'

/* Filter and order of the list, and their form in the address. */

export const SORTS = ['created', 'name', 'rows', 'size'] as const
export type Sort = (typeof SORTS)[number]

export interface Filter {
  readonly search: string
  /** A dataset must have all of them. */
  readonly tags: readonly string[]
  readonly visibility: Visibility | 'all'
  readonly sort: Sort
  readonly descending: boolean
}

/** A dataset as a line of the list. */
export interface Entry {
  readonly id: string
  readonly name: string
  readonly visibility: Visibility
  readonly tags: readonly string[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly tables: number
  readonly rows: number
  readonly bytes: number
  /** The text to search: names of the dataset and its tables, and tags, in lower case. */
  readonly words: string
}

export const ALL: Filter = { search: '', tags: [], visibility: 'all', sort: 'created', descending: true }

/** Numbers and dates start with the largest, names with A. */
export const startsDescending = (sort: Sort): boolean => sort !== 'name'

export function readFilter(params: URLSearchParams): Filter {
  const sort = SORTS.find((known) => known === params.get('sort')) ?? ALL.sort
  const order = params.get('order')
  const visibility = params.get('visibility')
  return {
    search: params.get('q') ?? '',
    tags: Array.from(new Set(params.getAll('tag').filter(Boolean))),
    visibility: visibility === 'public' || visibility === 'private' ? visibility : 'all',
    sort,
    descending: order === 'asc' ? false : order === 'desc' ? true : startsDescending(sort),
  }
}

/** The query of the address with this filter. Other parameters stay; defaults are omitted. */
export function writeFilter(filter: Filter, params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const key of ['q', 'tag', 'visibility', 'sort', 'order']) next.delete(key)
  if (filter.search) next.set('q', filter.search)
  for (const tag of filter.tags) next.append('tag', tag)
  if (filter.visibility !== 'all') next.set('visibility', filter.visibility)
  if (filter.sort !== ALL.sort) next.set('sort', filter.sort)
  if (filter.descending !== startsDescending(filter.sort)) next.set('order', filter.descending ? 'desc' : 'asc')
  return next
}

export function isFiltered({ search, tags, visibility }: Filter): boolean {
  return search.trim() !== '' || tags.length > 0 || visibility !== 'all'
}

/** Explains why a table of a few rows takes half a megabyte. */
export const SIZE_HINT =
  'What the service stores. The service in this browser keeps each table in a DuckDB file, half a megabyte even for a few rows.'

export function toEntry({ id, name, visibility, tags, createdAt, tables }: DatasetSummary): Entry {
  const known = tables ?? []
  return {
    id,
    name,
    visibility,
    tags,
    createdAt: createdAt.getTime(),
    tables: known.length,
    rows: known.reduce((sum, table) => sum + table.rowCount, 0),
    bytes: known.reduce((sum, table) => sum + table.byteSize, 0),
    words: [name, ...tags, ...known.map((table) => table.name)].join('\n').toLowerCase(),
  }
}

// Created once: creating one per comparison would take a second for a thousand names.
const BY_NAME = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const COMPARE: Readonly<Record<Sort, (a: Entry, b: Entry) => number>> = {
  name: (a, b) => BY_NAME.compare(a.name, b.name),
  created: (a, b) => a.createdAt - b.createdAt,
  rows: (a, b) => a.rows - b.rows,
  size: (a, b) => a.bytes - b.bytes,
}

/** The entries that match the filter, sorted; equal ones by name. */
export function applyFilter(entries: readonly Entry[], filter: Filter): Entry[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean)
  const compare = COMPARE[filter.sort]
  const sign = filter.descending ? -1 : 1
  return entries
    .filter(
      (entry) =>
        (filter.visibility === 'all' || entry.visibility === filter.visibility) &&
        filter.tags.every((tag) => entry.tags.includes(tag)) &&
        words.every((word) => entry.words.includes(word)),
    )
    .sort((a, b) => sign * compare(a, b) || BY_NAME.compare(a.name, b.name))
}

/** All tags with their numbers of datasets, the most frequent first. */
export function countTags(entries: readonly Entry[]): { readonly tag: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const { tags } of entries) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return Array.from(counts, ([tag, count]) => ({ tag, count })).sort(
    (a, b) => b.count - a.count || BY_NAME.compare(a.tag, b.tag),
  )
}
