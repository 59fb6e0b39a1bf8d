import {
  isNested,
  mapLeaves,
  partsOf,
  printType,
  type Column,
  type ColumnType,
  type ScalarName,
} from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import type { Adaptation } from '../types.ts'
import { plural } from '../../../lib/counts.ts'
import type { Note } from '../../../tables/plan.ts'

/** Replacements for types that a format lacks, with the reason as the end of a sentence. */
export type Substitutes = Readonly<Partial<Record<ScalarName, { readonly type: ColumnType; readonly why: string }>>>

/** Replaces every type in the column that has a substitute; null if there's none. */
export function adaptBy(column: Column, substitutes: Substitutes): Adaptation | null {
  const reasons = new Set<string>()
  const type = mapLeaves(column.type, (leaf) => {
    const found = leaf.kind === 'scalar' ? substitutes[leaf.name] : undefined
    if (found) reasons.add(found.why)
    return found?.type ?? leaf
  })
  if (reasons.size === 0) return null
  const message = `“${column.name}” is written as ${printType(type)}: ${[...reasons].join('; ')}.`
  return { type, note: { code: 'type-changed', message, column: column.name } }
}

/**
 * Readers of Arrow schemas, which are also in Parquet files, give up at 64 levels, some of which belong to the file
 * itself.
 */
const MAX_LEVELS = 60

/**
 * Refuses objects without fields, and values that are nested too deeply.
 * @throws {EngineError} `unwritable`
 */
export function refuseUnwritable(column: Column, format: string): void {
  const levels = levelsOf(column.type)
  if (levels > MAX_LEVELS) {
    throw new EngineError(
      'unwritable',
      `“${column.name}” is nested ${levels} levels deep, which ${format} can’t hold.`,
      {
        place: `column “${column.name}”`,
        remedy: 'Keep the column as text (VARCHAR), leave it out, or choose JSON.',
      },
    )
  }
  const visit = (type: ColumnType): void => {
    if (type.kind === 'struct' && type.fields.length === 0) {
      throw new EngineError('unwritable', `“${column.name}” has objects without fields, which ${format} can’t hold.`, {
        place: `column “${column.name}”`,
        remedy: 'Keep the column as text, or leave it out.',
      })
    }
    partsOf(type).forEach(visit)
  }
  visit(column.type)
}

function levelsOf(type: ColumnType): number {
  if (!isNested(type)) return 0
  return (type.kind === 'map' ? 2 : 1) + Math.max(0, ...partsOf(type).map(levelsOf))
}

/**
 * A note on a column with types that tables here can't have; none if there are no such types.
 * @param types their names
 * @param count number of values that aren't null
 */
export function asTextNote(column: string, types: string, count: number): Note[] {
  if (types === '') return []
  const values = plural(count, 'value')
  return [{ code: 'type-as-text', message: `“${column}” holds ${types}, kept as text (${values}).`, column, count }]
}
