/* Names as written in DuckDB's SQL. */

/**
 * DuckDB's keywords that must be quoted as table or column names: the reserved ones, and those for types and functions.
 */
const RESERVED: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
  deferrable desc describe distinct do else end except false fetch for foreign from group having in initially intersect
  into lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider placing primary
  qualify references returning select show some summarize symmetric table then to trailing true union unique unpivot
  using variadic when where window with
  anti asof at authorization binary by collation columns concurrently cross freeze full generated glob ilike inner is
  isnull join left like map natural notnull outer overlaps positional right semi similar struct tablesample try_cast
  unpack verbose`.split(/\s+/),
)

const PLAIN = /^[a-z_][a-z0-9_]*$/i

/**
 * A name as written in a statement, quoted only if it must be. DuckDB keeps its case, but ignores case when comparing,
 * quoted or not.
 */
export function quoteName(name: string): string {
  if (PLAIN.test(name) && !RESERVED.has(name.toLowerCase())) return name
  return quoteIdentifier(name)
}

/** A quoted name, whatever it contains. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A text literal, whatever the text contains. NUL, which would end the text for DuckDB, can't be in a literal. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\0') ? `(${quoted.replaceAll('\0', "' || chr(0) || '")})` : quoted
}

/** The path to a table or column, as written in a statement: `ws."Sales 2024".orders`. */
export function quoteReference(parts: readonly string[]): string {
  return parts.map(quoteName).join('.')
}

/** Whether a word must be quoted to be a name. */
export function isReserved(word: string): boolean {
  return /^[a-z_]+$/i.test(word) && quoteName(word) !== word
}

/** The first item of each name, ignoring case. */
export function distinctNames<T>(items: readonly T[], of: (item: T) => string): readonly T[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const name = of(item).toLowerCase()
    return !seen.has(name) && seen.add(name)
  })
}

/** Whether names are equal, ignoring case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
