import { foldIdentifier } from '../statement.ts'

/* Names that may have been meant by one that isn't there. */

/** A name, and how a statement writes the whole of it. */
interface Candidate {
  readonly name: string
  readonly whole: string
}

/** The names that are most like one that isn't there: the same last part first, then a few letters' difference. */
export function closest(written: string, candidates: readonly Candidate[], most: number): string[] {
  const parts = partsOf(written)
  const last = foldIdentifier(parts.at(-1) ?? '')
  const whole = parts.map(foldIdentifier).join('.')
  const allowed = last.length < 3 ? 0 : Math.floor(last.length / 3)
  return candidates
    .map((each) => ({
      ...each,
      distance: Math.min(
        distance(last, each.name.toLowerCase(), allowed),
        distance(whole, each.whole.replaceAll('"', '').toLowerCase(), allowed),
      ),
    }))
    .filter((each) => each.distance <= allowed)
    .sort((a, b) => a.distance - b.distance || (a.whole < b.whole ? -1 : 1))
    .slice(0, most)
    .map((each) => each.whole)
}

/** Levenshtein's, where two letters in the wrong order are one difference; anything above `most` when it's more. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      const turned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2] + 1 : Infinity
      next.push(Math.min(change, turned, row[j] + 1, next[j - 1] + 1))
    }
    before = row
    row = next
  }
  return row[b.length]
}

/** The parts of a dotted name, quotes included. */
export function partsOf(written: string): string[] {
  return written.match(/"(?:[^"]|"")*"|[^.\s"]+/g) ?? [written]
}
