import { parseType, sameType, VARCHAR } from '../types.ts'
import { likeness } from './likeness.ts'
import type { InputTable, MatchedColumn } from './plan.ts'
import { unify } from './unify.ts'

/** Two columns of the result that may be the same. The user decides. */
export interface Proposal {
  /** Keys. */
  readonly into: string
  readonly from: string
  /** The reason, as a sentence for people. */
  readonly reason: string
}

/** If more columns than this are missing in some file, nothing is proposed: the files aren't variants of one table. */
const MOST = 200
/** Similarity of names that suffices alone, and that suffices with a common neighbour. */
const ALIKE = 0.88
const SIMILAR = 0.6

/** Proposes merging columns into others that more files have, each at most once. */
export function proposalsFor(columns: readonly MatchedColumn[], inputs: readonly InputTable[]): Proposal[] {
  const partial = columns.filter(({ include, cells }) => include && cells.includes(null))
  if (partial.length > MOST) return []
  const neighbours = neighboursOf(columns, inputs)
  const size = ({ cells }: MatchedColumn): number => cells.filter((cell) => cell !== null).length
  const bySize = [...partial].sort((a, b) => size(b) - size(a))
  const candidates = bySize.flatMap((into, i) =>
    bySize.slice(i + 1).flatMap((from) => {
      const found = compare(into, from, neighbours)
      return found ? [{ into, from, ...found }] : []
    }),
  )
  candidates.sort((a, b) => b.score - a.score)
  const taken = new Set<string>()
  const targets = new Set<string>()
  const proposals: Proposal[] = []
  for (const { into, from, reason } of candidates) {
    if (taken.has(into.key) || taken.has(from.key) || targets.has(from.key)) continue
    taken.add(from.key)
    targets.add(into.key)
    proposals.push({ into: into.key, from: from.key, reason })
  }
  return proposals
}

/**
 * Indexes of the inputs without a column that another has, while others have some in common: they may be something
 * else, such as a README beside the data.
 */
export function strangersIn(columns: readonly MatchedColumn[], inputs: readonly InputTable[]): number[] {
  const shared = columns.filter(({ expected, cells }) => expected ?? cells.filter((cell) => cell !== null).length > 1)
  if (shared.length === 0) return []
  return inputs.flatMap((_, i) => (shared.some(({ cells }) => cells[i]) ? [] : [i]))
}

interface Neighbours {
  readonly before: ReadonlySet<string | null>
  readonly after: ReadonlySet<string | null>
}

/** For each column, its neighbours in the files that have it; null at either end. */
function neighboursOf(columns: readonly MatchedColumn[], inputs: readonly InputTable[]): Map<string, Neighbours> {
  const sides = new Map(
    columns.map(({ key }) => [key, { before: new Set<string | null>(), after: new Set<string | null>() }]),
  )
  for (const [i, input] of inputs.entries()) {
    const keyOf = new Map(columns.flatMap(({ key, cells }) => (cells[i] ? [[cells[i], key] as const] : [])))
    const keys = input.columns.map((column) => keyOf.get(column) ?? null)
    for (const [at, key] of keys.entries()) {
      const own = key === null ? undefined : sides.get(key)
      own?.before.add(keys[at - 1] ?? null)
      own?.after.add(keys[at + 1] ?? null)
    }
  }
  return sides
}

const meet = (a: ReadonlySet<string | null>, b: ReadonlySet<string | null>): boolean =>
  [...a].some((each) => b.has(each))

function compare(
  into: MatchedColumn,
  from: MatchedColumn,
  neighbours: ReadonlyMap<string, Neighbours>,
): { readonly score: number; readonly reason: string } | null {
  // That two columns of a recipe differ was decided when it was made.
  if (into.expected && from.expected) return null
  if (into.cells.some((cell, i) => cell !== null && from.cells[i] !== null) || !areOfOneKind(into, from)) return null
  const [a, b] = [neighbours.get(into.key), neighbours.get(from.key)]
  const before = a !== undefined && b !== undefined && meet(a.before, b.before)
  const after = a !== undefined && b !== undefined && meet(a.after, b.after)
  const alike = likeness(into.name, from.name)
  const named = alike >= ALIKE || (alike >= SIMILAR && (before || after))
  if (!named && !(before && after)) return null
  const reasons = [
    ...(named ? ['their names are alike'] : []),
    ...(before && after ? ['they stand between the same columns'] : []),
  ]
  return {
    score: alike + (before ? 0.25 : 0) + (after ? 0.25 : 0),
    reason: `${reasons.join(', ')}, and no file has both.`,
  }
}

function areOfOneKind(a: MatchedColumn, b: MatchedColumn): boolean {
  const isEmpty = ({ cells }: MatchedColumn): boolean => cells.every((cell) => cell?.empty !== false)
  if (isEmpty(a) || isEmpty(b)) return true
  const types = [parseType(a.type), parseType(b.type)]
  return !sameType(unify(types), VARCHAR) || types.every((type) => sameType(type, VARCHAR))
}
