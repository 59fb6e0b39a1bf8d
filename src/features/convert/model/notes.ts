import type { Note } from '../../../tables/plan.ts'

/** Notes that say the same, told once. */
export interface NoteGroup {
  readonly code: string
  readonly message: string
  /** The columns it's about, to stand before the message; empty where it's about the table, or names them itself. */
  readonly columns: readonly string[]
}

/** Puts notes of the same code and message together, in the order in which they first came. */
export function groupNotes(notes: readonly Note[]): NoteGroup[] {
  const groups = new Map<string, NoteGroup & { readonly columns: string[] }>()
  for (const { code, message, column } of notes) {
    const key = JSON.stringify([code, message])
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { code, message, columns: [] }))
    if (column !== undefined && !names(message, column) && !group.columns.includes(column)) group.columns.push(column)
  }
  return [...groups.values()]
}

const names = (message: string, column: string): boolean =>
  message.startsWith(`“${column}”`) || message.startsWith(`"${column}"`)

const NAMED = 6

/** `l, s, m`, or of many the first and how many more: `a, b, c, d, e, f and 12 more`. */
export function columnNames(columns: readonly string[]): string {
  // One that is left is named rather than counted.
  if (columns.length <= NAMED + 1) return columns.join(', ')
  return `${columns.slice(0, NAMED).join(', ')} and ${columns.length - NAMED} more`
}
