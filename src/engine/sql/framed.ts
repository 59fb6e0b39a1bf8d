import { printType } from '../../tables/types.ts'
import { transferType } from '../arrow/duckdb-types.ts'
import { isDescribing } from './explain/explain.ts'
import { callsOwn, ENGINE_NAME } from './functions/own-names.ts'
import type { ResultColumn } from './session-types.ts'
import type { Statement } from './statement.ts'

/** What is put around a statement: casts of what Arrow has no exact form for, and a limit; nothing where it needs none. */
export function framed(
  statement: Statement,
  columns: readonly ResultColumn[],
  limit: number | undefined,
): { readonly before: string; readonly after: string } {
  const transfers = columns.map(({ type }) => transferType(type))
  if (limit === undefined && !isDescribing(statement) && transfers.every(({ cast }) => !cast)) {
    return { before: '', after: '' }
  }
  // What DESCRIBE and SUMMARIZE give first are names.
  const ofOwn = isDescribing(statement) && callsOwn(statement.text)
  const list = transfers.map(({ type, cast }, i) => {
    const value = cast ? `CAST(c${i} AS ${printType(type)})` : `c${i}`
    return `${ofOwn && i === 0 ? `${ENGINE_NAME.name}(${value})` : value} AS c${i}`
  })
  const names = transfers.map((_, i) => `c${i}`)
  const after = `\n) AS result(${names.join(', ')})${limit === undefined ? '' : ` LIMIT ${limit}`}`
  return { before: `SELECT ${list.join(', ')} FROM (\n`, after }
}
