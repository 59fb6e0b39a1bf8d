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

/**
 * The slug itself, or with a number that makes it one of its own: `sales_2`.
 * @param isTaken asks whether another workspace has a slug
 */
export async function freeSlug(slug: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  const numbered = (number: number): string => {
    if (number === 1) return slug
    const suffix = `_${number}`
    return slug.slice(0, MAX_LENGTH - suffix.length) + suffix
  }
  const isFree = async (number: number): Promise<boolean> =>
    !isReserved(numbered(number)) && !(await isTaken(numbered(number)))
  // There may be thousands of one name. Twice as far each time until there's a free one, then back to the end of those taken.
  let [taken, free] = [0, 1]
  while (!(await isFree(free))) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isFree(middle)) free = middle
    else taken = middle
  }
  return numbered(free)
}
