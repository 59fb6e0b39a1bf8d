import { printType, type Column, type ColumnType, type ScalarName } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import type { Adaptation } from '../types.ts'
import { plural } from '../../../lib/counts.ts'
import type { Note } from '../../../tables/plan.ts'

/** What a format has instead of a type that it lacks, and why, as the end of a sentence. */
export type Substitutes = Readonly<Partial<Record<ScalarName, { readonly type: ColumnType; readonly why: string }>>>

/** The column with every type in it replaced that has a substitute; null when there is none. */
export function adaptBy(column: Column, substitutes: Substitutes): Adaptation | null {
  const reasons = new Set<string>()
  const type = substitute(column.type, substitutes, reasons)
  if (reasons.size === 0) return null
  const message = `“${column.name}” is written as ${printType(type)}: ${[...reasons].join('; ')}.`
  return { type, note: { code: 'type-changed', message, column: column.name } }
}

function substitute(type: ColumnType, substitutes: Substitutes, reasons: Set<string>): ColumnType {
  const within = (own: ColumnType): ColumnType => substitute(own, substitutes, reasons)
  switch (type.kind) {
    case 'decimal':
      return type
    case 'list':
      return { kind: 'list', item: within(type.item) }
    case 'struct':
      return { kind: 'struct', fields: type.fields.map((field) => ({ name: field.name, type: within(field.type) })) }
    case 'map':
      return { kind: 'map', key: within(type.key), value: within(type.value) }
    case 'scalar': {
      const found = substitutes[type.name]
      if (found) reasons.add(found.why)
      return found?.type ?? type
    }
  }
}

/** Readers of the Arrow schema, which Parquet files hold too, give up at 64 levels; some of those are the file's own. */
const MAX_LEVELS = 60

/**
 * Refuses objects without fields, and values nested too deep.
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
    if (type.kind === 'list') visit(type.item)
    if (type.kind === 'map') {
      visit(type.key)
      visit(type.value)
    }
    if (type.kind !== 'struct') return
    if (type.fields.length === 0) {
      throw new EngineError('unwritable', `“${column.name}” has objects without fields, which ${format} can’t hold.`, {
        place: `column “${column.name}”`,
        remedy: 'Keep the column as text, or leave it out.',
      })
    }
    for (const field of type.fields) visit(field.type)
  }
  visit(column.type)
}

function levelsOf(type: ColumnType): number {
  switch (type.kind) {
    case 'list':
      return 1 + levelsOf(type.item)
    case 'map':
      return 2 + Math.max(levelsOf(type.key), levelsOf(type.value))
    case 'struct':
      return 1 + Math.max(0, ...type.fields.map((field) => levelsOf(field.type)))
    case 'decimal':
    case 'scalar':
      return 0
  }
}

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
