import { formatCount } from './counts.ts'

/** With a capital as its first letter. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The text, cut with an ellipsis if it has more characters than `most`. */
export const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/**
 * `a`, `a and b`, `a, b and c`. Of more than `most` names, lists the first and counts the rest: `a, b and 7 more`. If
 * only one name would be left, it's listed, too.
 */
export function listOf(names: readonly string[], most = Infinity): string {
  const all = names.length <= most + 1
  const first = names.slice(0, all ? -1 : most).join(', ')
  const last = all ? (names.at(-1) ?? '') : `${formatCount(names.length - most)} more`
  return first === '' ? last : `${first} and ${last}`
}

/** The names in quotes, listed: `“a”, “b” and “c”`. Of more than `most`, lists the first and counts the rest. */
export const quotedList = (names: readonly string[], most = 3): string =>
  listOf(
    names.map((name) => `“${name}”`),
    most,
  )

const BETWEEN_COMMAS = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/g

/** The parts between commas, without surrounding spaces, or in quotes. Empty parts are left out. */
export const splitAtCommas = (text: string): string[] =>
  Array.from(text.matchAll(BETWEEN_COMMAS)).flatMap(([, quoted, plain = '']) => {
    if (quoted !== undefined) return [quoted.replaceAll('""', '"')]
    return plain.trim() === '' ? [] : [plain.trim()]
  })

/** Joins parts to a text that `splitAtCommas` splits into the same parts, quoting them if needed. */
export const joinWithCommas = (parts: readonly string[]): string =>
  parts.map((part) => (part === '' || /,|^["\s]|\s$/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join(', ')

/** The path within a folder, whether or not a proxy has removed the folder. @param folder without a slash at its end */
export const pathWithin = (folder: string, path: string): string =>
  folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length) : path
