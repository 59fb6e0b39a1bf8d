const PARTS: ReadonlyMap<string, string> = new Map([
  ['%Y', '2025'],
  ['%y', '25'],
  ['%m', '12'],
  ['%d', '31'],
  ['%a', 'Wed'],
  ['%b', 'Dec'],
  ['%B', 'December'],
  ['%H', '14'],
  ['%I', '02'],
  ['%M', '05'],
  ['%S', '09'],
  ['%f', '5'],
  ['%p', 'PM'],
  ['%z', '+01:00'],
  ['%s', '1767189909 (seconds since 1970)'],
  ['%Q', '1767189909000 (milliseconds since 1970)'],
])

/** What is wrong with a strptime pattern, as the end of a sentence, and what to do; null if it's valid. */
export function patternProblem(pattern: string, wantsDate: boolean): { what: string; remedy: string } | null {
  const parts: readonly string[] = pattern.match(/%[^]?/g) ?? []
  const unknown = parts.find((part) => part !== '%%' && !PARTS.has(part))
  if (unknown !== undefined) {
    const known = [...PARTS.keys()].filter((part) => part !== '%s' && part !== '%Q').join(' ')
    return { what: `has the unknown part “${unknown}”`, remedy: `Use ${known}; anything else is literal.` }
  }
  if (!wantsDate || parts.some((part) => YEAR.has(part))) return null
  return { what: 'has no year', remedy: 'Use %Y for a year of four digits or %y for one of two, as in %d.%m.%Y.' }
}

const YEAR = new Set(['%Y', '%y', '%s', '%Q'])

/** An example of a pattern: 31 December 2025, 14:05:09. */
export const patternExample = (pattern: string): string => pattern.replace(/%./g, (part) => PARTS.get(part) ?? part)
