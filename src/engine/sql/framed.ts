import { printType } from '../../tables/types.ts'
import { transferType } from '../arrow/duckdb-types.ts'
import { isDescribing } from './explain/explain.ts'
import { callsOwn, ENGINE_NAME } from './functions/own-names.ts'
import type { ResultColumn } from './session-types.ts'
import type { Statement } from './statement.ts'

/**
 * SQL to wrap around a statement: casts for types without an exact Arrow representation, and a limit. Empty if it needs
 * neither.
 */
export function framed(
  statement: Statement,
  columns: readonly ResultColumn[],
  limit: number | undefined,
): { readonly before: string; readonly after: string } {
  const transfers = columns.map(({ type }) => transferType(type))
  if (limit === undefined && !isDescribing(statement) && transfers.every(({ cast }) => !cast)) {
    return { before: '', after: '' }
  }
  // The first column of DESCRIBE and SUMMARIZE has column names.
  const ofOwn = isDescribing(statement) && callsOwn(statement.text)
  const list = transfers.map(({ type, cast }, i) => {
    const value = cast ? `CAST(c${i} AS ${printType(type)})` : `c${i}`
    return `${ofOwn && i === 0 ? `${ENGINE_NAME.name}(${value})` : value} AS c${i}`
  })
  const names = transfers.map((_, i) => `c${i}`)
  const after = `\n) AS result(${names.join(', ')})${limit === undefined ? '' : ` LIMIT ${limit}`}`
  return { before: `SELECT ${list.join(', ')} FROM (\n`, after }
}
