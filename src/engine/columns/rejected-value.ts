import { shortened } from '../../lib/text.ts'
import type { RejectedRow } from '../../tables/plan.ts'
import { typeName } from '../../tables/type-names.ts'
import { printType } from '../../tables/types.ts'
import type { ReadColumn } from './column-builder.ts'

const MAX_VALUE = 1000
const MAX_SHOWN = 60

/** A row rejected because a value isn't of its column's type. */
export function rejectedValue(
  { source, type }: Pick<ReadColumn, 'source' | 'type'>,
  value: string,
  place: Pick<RejectedRow, 'row' | 'line' | 'raw' | 'cells'>,
): RejectedRow {
  const message = `“${shortened(value, MAX_SHOWN)}” isn’t a value of type “${typeName(printType(type))}”.`
  return { ...place, reason: 'value', message, column: source, value: value.slice(0, MAX_VALUE) }
}
