/* Workspaces’ names in SQL. */

/** Maximum length of a slug. */
const MAX_LENGTH = 63
/** Names with another meaning in SQL: the engine's own catalogs, and the browser's schema of persistent tables. */
const RESERVED: ReadonlySet<string> = new Set(['system', 'temp', 'memory', 'my'])

export function isReserved(slug: string): boolean {
  return RESERVED.has(slug)
}

/** Converts a workspace's name to an SQL name that needs no quotes: `Größe & Gewicht` → `grosse_gewicht`. */
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

/**
 * The slug, with a number if it's taken: `sales_2`.
 * @param isUsed whether another workspace has the slug
 */
export async function freeSlug(slug: string, isUsed: (slug: string) => Promise<boolean>): Promise<string> {
  const numbered = (number: number): string => {
    if (number === 1) return slug
    const suffix = `_${number}`
    return slug.slice(0, MAX_LENGTH - suffix.length) + suffix
  }
  const isFree = async (number: number): Promise<boolean> =>
    !isReserved(numbered(number)) && !(await isUsed(numbered(number)))
  // Thousands may be taken. Double the number until one is free, then bisect for the last taken one.
  let [taken, free] = [0, 1]
  while (!(await isFree(free))) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isFree(middle)) free = middle
    else taken = middle
  }
  return numbered(free)
}
