import { makeColumnBuilder, varcharColumn } from '../../columns/builder.ts'
import { appendTexts } from '../../columns/column-builder.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { toBuffers } from '../../arrow/buffers.ts'
import type { ResultColumn, ResultSet } from '../session-types.ts'
import { transferType } from '../../arrow/duckdb-types.ts'
import { createResultSet } from './open.ts'
import type { AnswerColumn } from './types.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * A complete result of rows as the service answers them. A column whose values aren't of the type that it's said to
 * have is text.
 */
export function rowsResult(columns: readonly AnswerColumn[], rows: readonly Row[]): ResultSet {
  const typed: ResultColumn[] = []
  const data = columns.map((column) => {
    const values = rows.map((row) => (Object.hasOwn(row, column.name) ? row[column.name] : null))
    const type = column.type ?? inferType(values)
    const texts = values.map(textOf)
    const builder = makeColumnBuilder(transferType(type).type)
    const fits = appendTexts(builder, texts)
    typed.push({ name: column.name, type: fits ? type : 'VARCHAR' })
    return fits ? builder.finish() : varcharColumn(texts)
  })
  const { set, add, end } = createResultSet(typed)
  add(toBuffers(batchFromColumns(data, rows.length)).buffers)
  end('complete')
  return set
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The type that JSON values have by themselves. */
function inferType(values: readonly unknown[]): string {
  const kinds = new Set(values.flatMap((value) => (value === null || value === undefined ? [] : [kindOf(value)])))
  const [only = 'VARCHAR'] = kinds
  if (kinds.size <= 1) return only
  return kinds.size === 2 && kinds.has('BIGINT') && kinds.has('DOUBLE') ? 'DOUBLE' : 'VARCHAR'
}

function kindOf(value: unknown): 'BOOLEAN' | 'BIGINT' | 'DOUBLE' | 'VARCHAR' {
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'BIGINT' : 'DOUBLE'
  return 'VARCHAR'
}
