import { frequentSql, type Origin } from '../../../lib/duckdb-sql/index.ts'
import type { FrequentValue } from '../../shared/sql-editor/handle.ts'
import type { Runner } from './runner.ts'

/**
 * A column's most frequent values, in this browser. Null while a statement runs, which another one would cancel, and in a
 * transaction, which a failure would end.
 */
export async function frequentValues(
  runner: Pick<Runner, 'isBusy' | 'snapshot' | 'session'>,
  origin: Origin,
  signal: AbortSignal,
): Promise<readonly FrequentValue[] | null> {
  if (runner.isBusy || runner.snapshot().transaction) return null
  const { result, done } = await runner.session().run(frequentSql(origin), { signal })
  try {
    await done
    return Array.from({ length: result.rowCount }, (_, row) => ({
      text: result.text(row, 0) ?? '',
      count: Number(result.text(row, 1)),
    }))
  } finally {
    result.dispose()
  }
}
