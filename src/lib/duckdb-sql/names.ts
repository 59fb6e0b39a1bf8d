/* Names as DuckDB's SQL writes them. */

/** DuckDB's keywords that can't stand for a table or a column as they are: its reserved ones, and those of types and functions. */
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
 * A name as a statement writes it: in quotes only where it must be. DuckDB keeps and doesn't tell apart upper and lower
 * case either way.
 */
export function quoteName(name: string): string {
  if (PLAIN.test(name) && !RESERVED.has(name.toLowerCase())) return name
  return quoteIdentifier(name)
}

/** A name in quotes, whatever is in it. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A text as a statement writes it, whatever is in it: NUL, which would end the text for DuckDB, has no literal. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\0') ? `(${quoted.replaceAll('\0', "' || chr(0) || '")})` : quoted
}

/** The names on the way to a table or a column, as a statement writes them: `ws."Sales 2024".orders`. */
export function quoteReference(parts: readonly string[]): string {
  return parts.map(quoteName).join('.')
}

/** Whether a word can't be a name by itself. */
export function isReserved(word: string): boolean {
  return /^[a-z_]+$/i.test(word) && quoteName(word) !== word
}

/** The first of each name: names are the same whatever their case. */
export function distinctNames<T>(items: readonly T[], of: (item: T) => string): readonly T[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const name = of(item).toLowerCase()
    return !seen.has(name) && seen.add(name)
  })
}

/** Names are the same whatever their case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
