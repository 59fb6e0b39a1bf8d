import type { Note } from './plan.ts'
import { formatCount, plural } from '../lib/counts.ts'

/** Notes that say the same, shown once. */
export interface NoteGroup {
  readonly code: string
  readonly message: string
  /** The columns it's about, to stand before the message; empty where it's about the table, or names them itself. */
  readonly columns: readonly string[]
  /** Values that it's about, where the message doesn't tell, and one of them. */
  readonly count?: number | undefined
  readonly example?: Note['example'] | undefined
}

/** Puts notes of the same code and message together, in the order in which they first came. */
export function groupNotes(notes: readonly Note[]): NoteGroup[] {
  const groups = new Map<string, NoteGroup & { readonly columns: string[]; count?: number | undefined }>()
  for (const { code, message, column, count, example } of notes) {
    const key = JSON.stringify([code, message])
    const amount = count === undefined || message.includes(formatCount(count)) ? undefined : count
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { code, message, columns: [], count: amount, example }))
    else if (amount !== undefined) group.count = (group.count ?? 0) + amount
    if (column !== undefined && !names(message, column) && !group.columns.includes(column)) group.columns.push(column)
  }
  return [...groups.values()]
}

/** How many values it's about, and one of them: `1,204 values, such as 31/12/2023 → 2023-12-31`. */
export function aboutValues({ columns, count, example }: NoteGroup): string {
  const shown = example && `${quoted(example.from)} → ${quoted(example.to)}`
  // A note about no column may be about rows or sheets.
  if (count === undefined || (columns.length === 0 && !example)) return shown ?? ''
  const values = plural(count, 'value')
  return shown === undefined ? values : `${values}${count === 1 ? ': ' : ', such as '}${shown}`
}

/** In quotes where it wouldn't be seen where it begins or ends. */
const quoted = (text: string): string => (text.trim() !== text || text === '' ? `“${text}”` : text)

const names = (message: string, column: string): boolean =>
  message.startsWith(`“${column}”`) || message.startsWith(`"${column}"`)

const NAMED = 6

/** `l, s, m`, or of many the first and how many more: `a, b, c, d, e, f and 12 more`. */
export function columnNames(columns: readonly string[]): string {
  // One that is left is named rather than counted.
  if (columns.length <= NAMED + 1) return columns.join(', ')
  return `${columns.slice(0, NAMED).join(', ')} and ${columns.length - NAMED} more`
}
