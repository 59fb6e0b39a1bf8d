import type { InspectedColumn, InspectedTable, ReadSettings } from '../../../tables/plan.ts'
import { jsonTable, type Unfolding, unfolds } from '../../../tables/settings.ts'
import { parseType } from '../../../tables/types.ts'

/** The steps that unfold a table's nested columns. */
export function stepsOf(settings: ReadSettings, { name }: InspectedTable): readonly Unfolding[] {
  return settings.kind === 'json' ? (jsonTable(settings, name).unfold ?? []) : []
}

/** The step that would unfold a column by one level; null if there's none. */
export function nextStep(settings: ReadSettings, { name }: InspectedTable, column: InspectedColumn): Unfolding | null {
  if (settings.kind !== 'json' || !unfolds(jsonTable(settings, name))) return null
  const { kind } = parseType(column.type)
  const as = kind === 'list' ? 'rows' : kind === 'struct' || kind === 'map' ? 'columns' : null
  return as && { column: column.source, as }
}

/** A column’s name in a sentence, with its table's if there are several. */
export const placeOf = ({ name }: InspectedTable, column: string): string =>
  `“${column}”${name === null ? '' : ` in ${name}`}`

/** What unfolding makes of a column. */
export const UNFOLDED = { columns: 'one column per key', rows: 'one row per element' } as const
