import { EngineError, type SqlSession } from '../../../../engine/client.ts'
import type { ChartSpec } from '../../types.ts'
import type { HeldRun } from '../types.ts'
import type { ChartData } from './data/chart-data.ts'
import { engineSource } from './data/engine-source.ts'
import { loadChart } from './data/load.ts'
import { pageSource } from './data/page-source.ts'
import type { ChartSource } from './data/source.ts'
import type { Field } from './model/fields.ts'

/** From this many rows on, the engine aggregates. */
const ENGINE_ROWS = 50_000

/** What to draw from which rows. */
export interface Reading {
  readonly run: HeldRun
  readonly session: SqlSession | null
  readonly spec: ChartSpec
  readonly fields: readonly Field[]
}

/**
 * Reads a chart's data: aggregated by the engine for long results, else from the rows in the page.
 * @throws the signal's reason
 */
export async function readChart({ run, session, spec, fields }: Reading, signal: AbortSignal): Promise<ChartData> {
  const { result } = run
  const from = (source: ChartSource): Promise<ChartData> => loadChart({ spec, fields, source, result, signal })
  const isLarge = result.rowCount >= ENGINE_ROWS && result.status === 'complete'
  if (isLarge && session && run.where === 'browser') {
    try {
      return await from(engineSource({ session, ...run }))
    } catch (error) {
      if (!canBeCountedHere(error)) throw error
    }
  }
  return from(pageSource(result))
}

/**
 * Whether the page can aggregate instead: statements such as `EXPLAIN` and `SHOW` can't be subqueries, but their rows
 * are in the page.
 */
function canBeCountedHere(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'sql-error' || error.code === 'sql-not-allowed')
}
