import type { Note } from '../plan.ts'
import { formatCount, plural } from '../../lib/counts.ts'

/** Equal notes, to be shown once. */
export interface NoteGroup {
  readonly code: string
  readonly message: string
  /** The columns to name before the message; empty if the note is about the table, or names them itself. */
  readonly columns: readonly string[]
  /** Number of values, if the message doesn't say it, and an example. */
  readonly count?: number | undefined
  readonly example?: Note['example'] | undefined
}

/** Groups notes with the same code and message, in order of first occurrence. */
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

/** The number of values, and an example: `1,204 values, such as 31/12/2023 → 2023-12-31`. */
export function aboutValues({ columns, count, example }: NoteGroup): string {
  const shown = example && `${quoted(example.from)} → ${quoted(example.to)}`
  // A note without columns may be about rows or sheets.
  if (count === undefined || (columns.length === 0 && !example)) return shown ?? ''
  const values = plural(count, 'value')
  return shown === undefined ? values : `${values}${count === 1 ? ': ' : ', such as '}${shown}`
}

/** Quotes a text with surrounding spaces, which would be invisible. */
const quoted = (text: string): string => (text.trim() !== text || text === '' ? `“${text}”` : text)

const names = (message: string, column: string): boolean =>
  message.startsWith(`“${column}”`) || message.startsWith(`"${column}"`)

const NAMED = 6

/** `l, s, m`; for many columns the first ones: `a, b, c, d, e, f and 12 more`. */
export function columnNames(columns: readonly string[]): string {
  // If only one is left, name it.
  if (columns.length <= NAMED + 1) return columns.join(', ')
  return `${columns.slice(0, NAMED).join(', ')} and ${columns.length - NAMED} more`
}
