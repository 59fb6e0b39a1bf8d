import { plural } from '../../../lib/counts.ts'
import type { Note } from '../../../tables/plan.ts'

/**
 * What to tell of a column that holds types that no table has; nothing where there are none.
 * @param types their names
 * @param count the column's values that aren't null
 */
export function asTextNote(column: string, types: string, count: number): Note[] {
  if (types === '') return []
  const values = plural(count, 'value')
  return [{ code: 'type-as-text', message: `“${column}” holds ${types}, kept as text (${values}).`, column, count }]
}
