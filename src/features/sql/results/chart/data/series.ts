import { inOrder } from '../model/labels.ts'
import type { Asked, Used } from './asked.ts'
import { OTHERS } from './chart-data.ts'
import { seriesNote } from './notes.ts'
import type { GroupKey } from './source.ts'

/** Colors that there are. */
const SERIES = 8

interface Series {
  readonly key: GroupKey
  readonly names: readonly string[]
  readonly note: string | null
}

/** The values that have a color of their own; the rest are one series. */
export async function seriesOf({ source, roles, signal }: Asked, { at, field }: Used): Promise<Series> {
  const { distinct, top } = await source.rank({ roles, role: at, measure: null, limit: SERIES }, signal)
  const folds = distinct > SERIES
  const values = folds ? top.slice(0, SERIES - 1) : top
  return {
    key: { role: at, bins: null, only: folds ? { values, rest: 'fold' } : null },
    names: folds ? [...inOrder(values), OTHERS] : inOrder(values),
    note: folds ? seriesNote(field.key, values.length, distinct) : null,
  }
}
