/** The text, cut with an ellipsis if it has more characters than `most`. */
export const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

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
