/** The longest name that a slug may be. */
const MAX_LENGTH = 63
/** Names that stand for something else in a statement: the engine's own catalogs, and the tables of a browser that stay. */
const RESERVED: ReadonlySet<string> = new Set(['system', 'temp', 'memory', 'my'])

export function isReserved(slug: string): boolean {
  return RESERVED.has(slug)
}

/** A workspace's name as a name in SQL that needs no quotes: `Größe & Gewicht` → `grosse_gewicht`. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const slug = /^[a-z]/.test(words) ? words : `workspace_${words}`
  return slug.slice(0, MAX_LENGTH).replace(/_+$/, '')
}

/** The slug itself, or with the first number that makes it one of its own: `sales_2`. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  const isFree = (candidate: string) => !taken.has(candidate) && !isReserved(candidate)
  if (isFree(slug)) return slug
  for (let number = 2; ; number++) {
    const suffix = `_${number}`
    const candidate = slug.slice(0, MAX_LENGTH - suffix.length) + suffix
    if (isFree(candidate)) return candidate
  }
}
