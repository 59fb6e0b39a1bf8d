/** Text as it's shown: cut, with an ellipsis, where it has more characters than `most`. */
export const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

const BETWEEN_COMMAS = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/g

/** What stands between the commas of a text, without spaces around it, or in quotes; empty parts are left out. */
export const splitAtCommas = (text: string): string[] =>
  Array.from(text.matchAll(BETWEEN_COMMAS)).flatMap(([, quoted, plain = '']) => {
    if (quoted !== undefined) return [quoted.replaceAll('""', '"')]
    return plain.trim() === '' ? [] : [plain.trim()]
  })

/** Parts as a text that `splitAtCommas` takes apart again: in quotes where it wouldn't be what it is. */
export const joinWithCommas = (parts: readonly string[]): string =>
  parts.map((part) => (part === '' || /,|^["\s]|\s$/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join(', ')
