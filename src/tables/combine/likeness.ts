/** A name without case, blanks and punctuation, for comparing spellings. */
export function bareName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
  return folded === '' ? name.trim().toLowerCase() : folded
}

/** The words of a name: `customerName`, `customer_name` and `Customer Name` have the same two. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
}

/** Similarity of two names from 0 to 1: 1 for the same spelling, 0.9 if one contains all words of the other. */
export function likeness(a: string, b: string): number {
  const [one, other] = [bareName(a), bareName(b)]
  if (one === other) return 1
  const [short, long] = [wordsOf(a), wordsOf(b)].sort((x, y) => x.length - y.length)
  if (short && long && short.length > 0 && short.every((word) => long.includes(word))) return 0.9
  const least = Math.min(one.length, other.length)
  if (least >= 3 && (one.startsWith(other) || other.startsWith(one))) return 0.8
  return 1 - distance(one, other) / Math.max(one.length, other.length)
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let k = 1; k <= b.length; k++) {
      const changed = (row[k - 1] ?? 0) + (a[i - 1] === b[k - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[k] ?? 0) + 1, (next[k - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
