import { formatCount, plural } from '../../../../../ui/format.ts'
import type { Used } from './asked.ts'
import type { Profile } from './source.ts'

/* What of a result isn't drawn, said in the caption. */

export function leftOutNotes(used: readonly Used[], { roles, rows, drawn }: Profile): string[] {
  if (rows === 0 || drawn === rows) return []
  const reasons = used.flatMap(({ field }, i) => {
    const { nulls = 0, odd = 0 } = roles[i] ?? {}
    const what = field.kind === 'time' ? 'infinite or too far away' : 'NaN or infinite'
    return [
      ...(nulls > 0 ? [`${field.key} is null in ${formatCount(nulls)}`] : []),
      ...(odd > 0 ? [`${field.key} is ${what} in ${formatCount(odd)}`] : []),
    ]
  })
  return [`${plural(rows - drawn, 'row isn’t', 'rows aren’t')} drawn: ${reasons.join(', ')}.`]
}

export function seriesNote(key: string, kept: number, distinct: number): string {
  return `The ${kept} most frequent of ${formatCount(distinct)} values of ${key} have a color of their own; the rest are “Others”.`
}

export function sampleNote(shown: number, rows: number): string {
  return `A random sample of ${formatCount(shown)} of ${plural(rows, 'row')} is drawn.`
}
