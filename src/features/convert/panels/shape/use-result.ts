import { useEffect, useState } from 'react'
import { EngineError, type ResultColumn, type ResultSet, type SqlProblem } from '../../../../engine/client.ts'
import { shapeMessage, shapeProblem } from '../../../../tables/reshape/shape.ts'
import { toFailure, type Failure } from '../../model/failure.ts'
import type { Sample } from './use-sample.ts'

/** Milliseconds without typing before it runs. */
const TYPING = 400
/** Rows to show, and the most to count. */
export const SHOWN = 100
const COUNTED = 100_000
/** Most characters of a value. */
const LONGEST = 500

/** A statement's result for the first rows. Plain data. */
interface ShapeResult {
  readonly columns: readonly ResultColumn[]
  /** The first ones, as text. */
  readonly rows: readonly (readonly (string | null)[])[]
  readonly count: number
  /** Whether there may be more than were counted. */
  readonly more: boolean
}

export interface Shaped {
  /** The statement whose result this is; null before the first run. */
  readonly sql: string | null
  readonly result: ShapeResult | null
  readonly failure: Failure | null
  readonly problems: readonly SqlProblem[]
}

const NOTHING: Shaped = { sql: null, result: null, failure: null, problems: [] }

/**
 * Runs a statement over the first rows when typing pauses; a change cancels it. The previous result stays until then.
 * @returns also whether the result is of the current statement
 */
export function useShapeResult(sample: Sample | null, sql: string): Shaped & { readonly isCurrent: boolean } {
  const [shaped, setShaped] = useState<{ readonly of: Sample | null; readonly shown: Shaped }>({
    of: null,
    shown: NOTHING,
  })
  useEffect(() => {
    if (!sample) return undefined
    const cancelling = new AbortController()
    const { signal } = cancelling
    const timer = setTimeout(() => {
      void resultOf(sample, sql, signal).then((shown) => {
        if (!signal.aborted)
          setShaped(({ shown: { result } }) => ({ of: sample, shown: { ...shown, result: shown.result ?? result } }))
      })
    }, TYPING)
    return () => {
      clearTimeout(timer)
      cancelling.abort()
    }
  }, [sample, sql])
  const { of, shown } = shaped
  return { ...shown, isCurrent: sample !== null && of === sample && shown.sql === sql }
}

async function resultOf({ session }: Sample, sql: string, signal: AbortSignal): Promise<Shaped> {
  const problem = shapeProblem(sql)
  if (problem !== null) {
    const problems = sql.trim() === '' ? [] : [{ from: 0, to: sql.trimEnd().length, message: problem, suggestions: [] }]
    return {
      sql,
      result: null,
      failure: { ...toFailure(new EngineError('sql-not-allowed', problem)), remedy: null },
      problems,
    }
  }
  const enough = new AbortController()
  try {
    const { result, done } = await session.run(sql, {
      signal: AbortSignal.any([signal, enough.signal]),
      onProgress: ({ rows }) => {
        if (rows > COUNTED) enough.abort()
      },
    })
    try {
      await done.catch((error: unknown) => {
        if (!enough.signal.aborted) throw error
      })
      return { sql, result: taken(result, enough.signal.aborted), failure: null, problems: [] }
    } finally {
      result.dispose()
    }
  } catch (error) {
    return { sql, result: null, ...failed(error) }
  }
}

function taken(set: ResultSet, more: boolean): ShapeResult {
  const { columns, rowCount } = set
  const rows = Array.from({ length: Math.min(SHOWN, rowCount) }, (_, row) =>
    columns.map((__, column) => set.text(row, column, LONGEST)),
  )
  return { columns, rows, count: rowCount, more }
}

function failed(error: unknown): Pick<Shaped, 'failure' | 'problems'> {
  const failure = toFailure(error)
  const message = shapeMessage(failure.message)
  const { from, to, suggestions } = (error instanceof EngineError ? (error.details ?? {}) : {}) as Partial<SqlProblem>
  const isPlaced = from !== undefined && to !== undefined
  return {
    failure: { ...failure, message },
    problems: isPlaced ? [{ from, to, message, suggestions: suggestions ?? [] }] : [],
  }
}
