import { relationColumns } from './columns.ts'
import { quoteName, sameName } from './names.ts'
import type { Relation } from './parse.ts'
import type { Place } from './place.ts'
import { relationName, type Scope } from './scope.ts'
import { fitting, nameOf, type Suggestion, type SuggestionSources } from './suggestion.ts'

/* Suggests how to join two tables. */

/** After ON: columns of the same name on both sides, and `x_id` with the other's `id`. */
export function conditions(place: Place, scope: Scope, sources: SuggestionSources): readonly Suggestion[] {
  const { text, tokens } = scope.parsed
  const before = tokens.findLast(({ to }) => to <= place.from)
  if (!before || text.slice(before.from, before.to).toLowerCase() !== 'on') return []
  const joined = scope.core.relations.filter(({ span }) => (tokens[span.lo]?.from ?? 0) < before.from)
  const right = joined.at(-1)
  const rightName = right && relationName(right)
  if (!right || !rightName) return []
  const byName = new Map(relationColumns(scope, right, sources).map(({ name }) => [name.toLowerCase(), name]))
  const out: Suggestion[] = []
  for (const left of joined.slice(0, -1)) {
    const leftName = relationName(left)
    if (!leftName) continue
    for (const { name } of relationColumns(scope, left, sources)) {
      const same = byName.get(name.toLowerCase())
      const referring = sameName(name, 'id') ? referencesTo(left).map((reference) => byName.get(reference)) : []
      const referred = referencesTo(right).includes(name.toLowerCase()) ? [byName.get('id')] : []
      for (const other of [same, ...referring, ...referred]) {
        if (other === undefined || out.length >= 8) continue
        const condition = `${quoteName(leftName)}.${quoteName(name)} = ${quoteName(rightName)}.${quoteName(other)}`
        out.push({ kind: 'condition', label: condition, text: condition, detail: '', rank: 90 })
      }
    }
  }
  return out
}

/** Names of columns that refer to a table's `id`: `orders_id`, `order_id`. */
function referencesTo({ alias, path }: Relation): readonly string[] {
  const names = [alias ?? '', path.at(-1) ?? ''].filter(Boolean).map((name) => name.toLowerCase())
  return [...new Set(names.flatMap((name) => [`${name}_id`, `${name.replace(/s$/, '')}_id`]))]
}

/** After USING: columns that the joined table shares with an earlier one. */
export function sharedColumns(place: Place, scope: Scope, sources: SuggestionSources): readonly Suggestion[] {
  const joined = scope.core.relations.filter(({ span }) => (scope.parsed.tokens[span.lo]?.from ?? 0) < place.from)
  const right = joined.at(-1)
  if (!right) return []
  const before = joined.slice(0, -1).flatMap((left) => relationColumns(scope, left, sources))
  const shared = relationColumns(scope, right, sources).filter(({ name }) =>
    before.some((own) => sameName(own.name, name)),
  )
  return fitting(shared, sources.typed, nameOf).map(({ name, type }) => ({
    kind: 'column',
    label: name,
    text: quoteName(name),
    detail: type ?? '',
    rank: 60,
  }))
}
