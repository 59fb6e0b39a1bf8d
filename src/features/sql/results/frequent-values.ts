import { frequentSql, type Origin } from '../../../lib/duckdb-sql/index.ts'
import type { FrequentValue } from '../../shared/sql-editor/handle.ts'
import type { Runner } from './runner.ts'

/**
 * Runs a query of the app's own in the tab's session, with all cells as text. Null while a statement runs, which this
 * one would cancel, and in a transaction, which an error would end.
 */
export async function rowsAside(
  runner: Pick<Runner, 'isBusy' | 'snapshot' | 'session'>,
  sql: string,
  signal: AbortSignal,
): Promise<readonly (readonly (string | null)[])[] | null> {
  if (runner.isBusy || runner.snapshot().transaction) return null
  const { result, done } = await runner.session().run(sql, { signal })
  try {
    await done
    return Array.from({ length: result.rowCount }, (_, row) => result.columns.map((__, i) => result.text(row, i)))
  } finally {
    result.dispose()
  }
}

/** A column's most frequent values, in the browser; null as for `rowsAside`. */
export async function frequentValues(
  runner: Parameters<typeof rowsAside>[0],
  origin: Origin,
  signal: AbortSignal,
): Promise<readonly FrequentValue[] | null> {
  const rows = await rowsAside(runner, frequentSql(origin), signal)
  return (
    rows?.map(([text, count, more]) => ({ text: text ?? '', count: Number(count), partial: more === 'true' })) ?? null
  )
}
