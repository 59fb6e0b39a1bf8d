import type { FormatId } from '../../contract/formats.ts'
import type { Inspection } from '../plan.ts'

/** What a file's columns are called: what tells that next month's file is like this month's. */
export interface Signature {
  readonly format: FormatId
  readonly tables: readonly { readonly name: string | null; readonly sources: readonly string[] }[]
}

export function signatureOf(inspection: Inspection): Signature {
  return {
    format: inspection.format,
    tables: inspection.tables.map(({ name, columns }) => ({ name, sources: columns.map((column) => column.source) })),
  }
}

export function sameSignature(a: Signature, b: Signature): boolean {
  return (
    a.format === b.format &&
    a.tables.length === b.tables.length &&
    a.tables.every((table, i) => {
      const other = b.tables[i]
      return (
        other !== undefined &&
        table.name === other.name &&
        table.sources.length === other.sources.length &&
        table.sources.every((source, k) => source === other.sources[k])
      )
    })
  )
}

/** What is most like a file, and how their columns differ. */
interface Closest<T> {
  readonly of: T
  /** Columns that the file lacks, and those that it has beside them; none where they're the same. */
  readonly missing: readonly string[]
  readonly added: readonly string[]
  /** From 0.5 to 1: all columns are the same, in the same order. */
  readonly likeness: number
}

/** The share of all columns that two files must have in common, at least. */
const ALIKE = 0.5

/** What is made for files that are most like this one; of equals, the first. Null where nothing is. */
export function closest<T extends { readonly matches: readonly Signature[] }>(
  all: readonly T[],
  found: Signature,
): Closest<T> | null {
  const same = all.find(({ matches }) => matches.some((signature) => sameSignature(signature, found)))
  if (same) return { of: same, missing: [], added: [], likeness: 1 }
  let best: Closest<T> | null = null
  for (const of of all) {
    for (const signature of of.matches) {
      const difference = differenceOf(signature, found)
      if (!difference || difference.likeness < ALIKE || (best && difference.likeness <= best.likeness)) continue
      best = { of, ...difference }
    }
  }
  return best
}

function differenceOf(
  known: Signature,
  found: Signature,
): { readonly missing: string[]; readonly added: string[]; readonly likeness: number } | null {
  if (known.format !== found.format || known.tables.length !== found.tables.length) return null
  if (known.tables.some((table, i) => table.name !== found.tables[i]?.name)) return null
  const [before, after] = [known, found].map(({ tables }) => tables.map(({ sources }) => new Set(sources)))
  const [missing, added] = [without(before ?? [], after ?? []), without(after ?? [], before ?? [])]
  const all = (after ?? []).reduce((sum, names) => sum + names.size, missing.length)
  const likeness = all === 0 ? 0 : (all - missing.length - added.length) / all
  return { missing, added, likeness }
}

/** Names in the sets of one list that aren't in the others'. */
const without = (these: readonly ReadonlySet<string>[], those: readonly ReadonlySet<string>[]): string[] =>
  these.flatMap((names, i) => [...names].filter((name) => !those[i]?.has(name)))
