import type { ApiClient } from '../../../api/client.ts'
import {
  EngineError,
  openResultTools,
  type ParameterValue,
  type ResultSet,
  type RunSummary,
  type ScriptStatement,
  type SessionProgress,
  type SqlSession,
} from '../../../engine/client.ts'
import { untilAborted } from '../../../lib/abort.ts'
import { quoteText, tokenize } from '../../../lib/duckdb-sql/index.ts'
import type { Where } from '../types.ts'

/** The service's maximum timeout for statements. */
const SERVICE_SECONDS = 300

interface Place {
  readonly where: 'browser' | 'service'
  readonly why: string
  /** Name of a file that is being imported, for whose table the statement waits. */
  readonly waitsFor?: string | null
  readonly samples?: readonly string[]
}

/** A file that is being imported. */
interface Arrival {
  readonly name: string
  /** Settles when its import has ended. */
  readonly over: Promise<void>
}

export interface ExecuteContext {
  readonly session: SqlSession
  /** Null if not connected: statements then run in the browser. */
  readonly service: { readonly api: ApiClient; /** Its tables are in this browser. */ readonly isHere: boolean } | null
  /** The import that a table name or path refers to; null if there's none. */
  readonly arriving: (written: string) => Arrival | null
  /** Notes about samples that the statement reads. */
  readonly samples: (statement: string) => readonly string[]
  readonly where: Where
  readonly parameters: Readonly<Record<string, ParameterValue>>
  readonly signal: AbortSignal
  readonly onPlace: (place: Place) => void
  readonly onProgress: (progress: SessionProgress) => void
  /** Called once the columns are known. */
  readonly onResult: (result: ResultSet) => void
}

/**
 * Runs one statement in the browser or on the service.
 * @throws {EngineError | ApiError} or the signal's reason
 */
export async function execute(statement: ScriptStatement, context: ExecuteContext): Promise<RunSummary> {
  const { where, service, signal } = context
  if (where === 'service') {
    if (!service) throw new Error('there is no service')
    context.onPlace({ where: 'service', why: 'as you chose' })
    return onService(statement, context, service.api)
  }
  const values = Object.values(context.parameters).map(({ text }) => text ?? '')
  const samples = context.samples([statement.text, ...values].join('\n'))
  context.onPlace({ where: 'browser', why: where === 'browser' ? 'as you chose' : 'all its tables are here', samples })
  try {
    return await inBrowser(statement, context)
  } catch (error) {
    signal.throwIfAborted()
    const elsewhere = where === 'auto' && service && !service.isHere && isUnknownTable(error)
    if (!elsewhere) throw error
    context.onPlace({ where: 'service', why: `${missing(error)} isn’t in this browser`, samples: [] })
    return onService(statement, context, service.api)
  }
}

/** Runs in the browser. If a table's file is still being imported, waits for it rather than reading a part. */
async function inBrowser(statement: ScriptStatement, context: ExecuteContext): Promise<RunSummary> {
  const { signal, onPlace, arriving } = context
  for (const waited = new Set<string>(); ;) {
    try {
      return await onceInBrowser(statement, context)
    } catch (error) {
      const wanted = signal.aborted ? null : wantedBy(error)
      const arrival = wanted === null || waited.has(wanted) ? null : arriving(wanted)
      if (wanted === null || !arrival) throw error
      waited.add(wanted)
      const place = { where: 'browser', why: '' } as const
      onPlace({ ...place, waitsFor: arrival.name })
      await untilAborted(arrival.over, signal)
      onPlace({ ...place, waitsFor: null })
    }
  }
}

/** The missing table or file that an error is about. */
export function wantedBy(error: unknown): string | null {
  if (!(error instanceof EngineError)) return null
  const { table, path } = (error.details ?? {}) as { readonly table?: unknown; readonly path?: unknown }
  const wanted = isUnknownTable(error) ? table : path
  return typeof wanted === 'string' ? wanted : null
}

async function onceInBrowser(statement: ScriptStatement, context: ExecuteContext): Promise<RunSummary> {
  const { session, signal, parameters, onProgress, onResult } = context
  const used = usedParameters(statement, parameters)
  const { result, done } = await session.run(statement.text, {
    signal,
    onProgress,
    ...(Object.keys(used).length > 0 ? { parameters: used } : {}),
  })
  if (signal.aborted) {
    done.catch(() => undefined)
    result.dispose()
    signal.throwIfAborted()
  }
  onResult(result)
  return done
}

async function onService(
  statement: ScriptStatement,
  { signal, parameters, onResult }: ExecuteContext,
  api: ApiClient,
): Promise<RunSummary> {
  const begun = performance.now()
  const sql = inlineParameters(statement.text, parameters)
  const data = await api.query(sql, { signal, timeoutSeconds: SERVICE_SECONDS })
  const took = performance.now() - begun
  const columns = data.columns.map((name) => ({ name, type: null }))
  const result = (await openResultTools()).rowsResult(columns, data.rows)
  signal.throwIfAborted()
  onResult(result)
  return {
    rows: result.rowCount,
    bytes: result.bytes,
    firstMs: took,
    totalMs: took,
    message: null,
    leftOut: data.truncated ?? false,
  }
}

/** The tab's parameters that the statement uses. */
export function usedParameters(
  statement: ScriptStatement,
  parameters: Readonly<Record<string, ParameterValue>>,
): Readonly<Record<string, ParameterValue>> {
  const names = new Set(statement.parameters.map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => names.has(name.toLowerCase())))
}

const isUnknownTable = (error: unknown): boolean => error instanceof EngineError && error.code === 'unknown-table'

function missing(error: unknown): string {
  const { table } = ((error as EngineError).details ?? {}) as { readonly table?: unknown }
  return typeof table === 'string' ? `“${table}”` : 'one of its tables'
}

/**
 * Replaces `$name`, `$1` and `?` by literals, since the service takes no parameters. Those without a value are left for
 * the service to refuse.
 */
export function inlineParameters(sql: string, parameters: Readonly<Record<string, ParameterValue>>): string {
  const values = new Map(Object.entries(parameters).map(([name, value]) => [`$${name.toLowerCase()}`, value]))
  let out = ''
  let at = 0
  let count = 0
  for (const { kind, from, to } of tokenize(sql)) {
    if (kind !== 'parameter') continue
    const written = sql.slice(from, to).toLowerCase()
    const value = values.get(written === '?' ? `$${++count}` : written)
    if (!value) continue
    out += sql.slice(at, from) + literal(value)
    at = to
  }
  return out + sql.slice(at)
}

/** For example `CAST('2024-01-31' AS DATE)`. */
export function literal({ type, text }: ParameterValue): string {
  const value = text === null ? 'NULL' : quoteText(text)
  return `CAST(${value} AS ${type})`
}
