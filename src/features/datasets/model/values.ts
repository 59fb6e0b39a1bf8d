/* Values of a query's answer as text: as they came, never formatted. */

/** A value in one line; null for null. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

/** A value to be looked at: nested ones over several lines. */
export function fullText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Longer than this isn't drawn in a cell; the inspector shows all of it. Characters. */
const DRAWN = 300

/** What a cell shows of a text: line breaks as signs, since a row has one line. */
export function cellText(text: string): string {
  const cut = text.length > DRAWN ? `${text.slice(0, DRAWN)}…` : text
  return cut.includes('\n') || cut.includes('\r') ? cut.replaceAll(/\r\n|\r|\n/g, '⏎') : cut
}
