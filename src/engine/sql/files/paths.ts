/* Which of the files dropped here a path in a statement means. */

/**
 * The paths that a written one means, which may have wildcards as DuckDB's `glob` does: `*`, `?`, `[a-z]`, `**`. Where
 * a file was before it was dropped is known only as far as its folder was dropped with it, so paths are compared from
 * their ends, as far as both go. Where one fits as a whole, those that only end alike aren't meant.
 */
export function pathsMeant(written: string, paths: readonly string[]): string[] {
  const wanted = segmentsOf(written)
  if (wanted.length === 0) return []
  const known = paths.map((path) => ({ path, segments: segmentsOf(path) }))
  const fits = (match: Match): string[] => {
    const ends = (whole: boolean): string[] =>
      known.filter(({ segments }) => endsAlike(wanted, segments, match, whole)).map(({ path }) => path)
    const found = ends(true)
    return found.length > 0 ? found : ends(false)
  }
  // A name may have signs in it that are wildcards elsewhere.
  const literal = fits((a, b) => a === b)
  return literal.length === 0 && hasWildcards(written) ? fits(matchesGlob) : literal
}

export function hasWildcards(written: string): boolean {
  return /[*?[]/.test(written)
}

/** Whether a text that stands for a table is more likely a file's path than a table's name. */
export function looksLikePath(text: string): boolean {
  return /[./\\*?]/.test(text)
}

type Match = (wanted: string, segment: string) => boolean

/** Folders and the name, without what only says where they begin. */
function segmentsOf(path: string): string[] {
  const segments: string[] = []
  for (const part of path
    .normalize('NFC')
    .replace(/^file:\/\//i, '')
    .split(/[/\\]/)) {
    if (part === '..') segments.pop()
    else if (part !== '' && part !== '.' && part !== '~' && !/^[a-z]:$/i.test(part)) segments.push(part)
  }
  return segments
}

/** From the ends, up to where one of them begins; `whole`: where both do. */
function endsAlike(wanted: readonly string[], segments: readonly string[], match: Match, whole: boolean): boolean {
  const from = (w: number, s: number): boolean => {
    if (s < 0 && w >= 0 && wanted.slice(0, w + 1).every((each) => each === '**')) return true
    if (w < 0 || s < 0) return w === s || !whole
    const own = wanted.at(w) ?? ''
    if (own !== '**') return match(own, segments.at(s) ?? '') && from(w - 1, s - 1)
    for (let at = s; at >= -1; at--) if (from(w - 1, at)) return true
    return false
  }
  return from(wanted.length - 1, segments.length - 1)
}

/** Never looks at a place of the name more often than there are stars. */
function matchesGlob(pattern: string, name: string): boolean {
  const parts = partsOf(pattern)
  const letters = Array.from(name)
  let part = 0
  let letter = 0
  let star = -1
  let from = 0
  while (letter < letters.length) {
    const own = parts[part]
    if (own === '*') {
      star = part++
      from = letter
    } else if (own !== undefined && own(letters.at(letter) ?? '')) {
      part++
      letter++
    } else if (star >= 0) {
      part = star + 1
      letter = ++from
    } else return false
  }
  while (parts[part] === '*') part++
  return part === parts.length
}

type Part = '*' | ((letter: string) => boolean)

function partsOf(pattern: string): Part[] {
  const letters = Array.from(pattern)
  const parts: Part[] = []
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i]
    const close = letter === '[' ? letters.indexOf(']', i + 2) : -1
    if (letter === '*') parts.push('*')
    else if (letter === '?') parts.push(() => true)
    else if (close > 0) {
      parts.push(classOf(letters.slice(i + 1, close)))
      i = close
    } else parts.push((other) => other === letter)
  }
  return parts
}

/** `[abc]`, `[a-z]`, `[!a]`. */
function classOf(letters: readonly string[]): (letter: string) => boolean {
  const not = letters[0] === '!'
  const own = not ? letters.slice(1) : letters
  return (letter) => {
    let found = false
    for (let i = 0; i < own.length; i++) {
      const first = own.at(i) ?? ''
      const last = own.at(i + 1) === '-' ? own.at(i + 2) : undefined
      found ||= first <= letter && letter <= (last ?? first)
      if (last !== undefined) i += 2
    }
    return found !== not
  }
}

/** Texts of a statement that may be files' paths: what stands in quotes, and words with dots between them. */
const MAYBE_PATHS = /'((?:[^']|'')*)'|"((?:[^"]|"")*)"|[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)+/gu

/** Of files those that a statement may be about, and more. @param values of its parameters */
export function filesMentioned(sql: string, values: readonly string[], paths: readonly string[]): ReadonlySet<string> {
  const written = Array.from(sql.matchAll(MAYBE_PATHS), ([whole, single, double]) =>
    single === undefined ? (double?.replaceAll('""', '"') ?? whole) : single.replaceAll("''", "'"),
  )
  return new Set([...written, ...values].filter(looksLikePath).flatMap((each) => pathsMeant(each, paths)))
}
