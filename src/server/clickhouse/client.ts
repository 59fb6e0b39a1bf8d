import {
  createClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings as Options,
} from '@clickhouse/client'
import type { Readable } from 'node:stream'
import type { ClickHouseSettings } from '../settings.ts'
import { quoteName } from './statements.ts'

/* ClickHouse's HTTP interface. */

/** Settings with which ClickHouse behaves like DuckDB. */
const SAME: Options = {
  // Columns of rows without a match in an outer join are NULL.
  join_use_nulls: 1,
  transform_null_in: 0,
  // A number after GROUP BY or ORDER BY is a value, not a column's position.
  enable_positional_arguments: 0,
  // Errors in arguments that aren't needed count too, since DuckDB may evaluate those.
  short_circuit_function_evaluation: 'disable',
  // Compiled code may fuse multiplication and addition, and so round once instead of twice.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  output_format_json_quote_denormals: 1,
}

/** In milliseconds, for statements of our own. */
const OWN_TIMEOUT = 30_000
/** Milliseconds that loading a table may take. */
const LOAD_TIMEOUT = 3_600_000

export interface SelectOptions {
  readonly timeoutMs: number
  readonly maxRows: number
  /** The roles of the tables that the statement may read. */
  readonly roles: readonly string[]
  readonly signal: AbortSignal
}

export interface ClickHouse {
  ping(): Promise<boolean>
  command(sql: string): Promise<void>
  /** Runs a statement of our own; rows are objects. */
  rows<T>(sql: string): Promise<T[]>
  /** Runs a translated statement; rows are arrays. If the signal is aborted, the statement is killed in ClickHouse. */
  select(sql: string, options: SelectOptions): Promise<unknown[][]>
  /** @param parquet a stream of a file's bytes */
  insert(table: string, parquet: Readable): Promise<void>
  close(): Promise<void>
}

export function connect({ url, user, password, reader, memoryBytes, cluster }: ClickHouseSettings): ClickHouse {
  // Its logs contain statements, and so people's data.
  const own = { url, username: user, password, application: 'rowhouse', log: { level: ClickHouseLogLevel.OFF } }
  const client = createClient({ ...own, request_timeout: OWN_TIMEOUT })
  const long = createClient({ ...own, request_timeout: LOAD_TIMEOUT })
  const reading = createClient({
    ...own,
    username: reader.user,
    password: reader.password,
    request_timeout: LOAD_TIMEOUT,
  })
  const kill = (id: string): Promise<unknown> =>
    client.command({
      query: `KILL QUERY${cluster === null ? '' : ` ON CLUSTER ${quoteName(cluster)}`} WHERE query_id = '${id}' ASYNC`,
    })
  return {
    async ping() {
      const { success } = await client.ping()
      return success
    },
    async command(query) {
      await reached(long.command({ query }))
    },
    async rows<T>(query: string) {
      const result = await reached(client.query({ query, format: 'JSONEachRow' }))
      return reached(result.json<T>())
    },
    async select(query, { timeoutMs, maxRows, roles, signal }) {
      const id = crypto.randomUUID()
      try {
        const answer = reading.query({
          query,
          query_id: id,
          format: 'JSONCompactEachRow',
          abort_signal: signal,
          role: [...roles],
          clickhouse_settings: {
            ...SAME,
            readonly: '1',
            max_execution_time: Math.ceil(timeoutMs / 1000),
            max_result_rows: String(maxRows + 1),
            result_overflow_mode: 'throw',
            max_memory_usage: String(memoryBytes),
            // Otherwise, an error could be sent after rows, in a response with status 200.
            wait_end_of_query: 1,
          },
        })
        const result = await reached(answer)
        return await reached(result.json<unknown[]>())
      } catch (error) {
        // ClickHouse keeps running a statement after its connection was closed.
        if (signal.aborted) await kill(id).catch(() => undefined)
        throw error
      }
    },
    async insert(table, values) {
      await reached(long.insert({ table, values, format: 'Parquet' }))
    },
    async close() {
      await Promise.all([client.close(), long.close(), reading.close()])
    },
  }
}

/** ClickHouse didn't answer, or its answer broke off. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof ClickHouseError ? error : new Unreachable('ClickHouse doesn’t answer', { cause: error })
  }
}

/** The number of an error that ClickHouse returned; undefined for any other. */
export function errorCode(error: unknown): number | undefined {
  return error instanceof ClickHouseError ? Number(error.code) : undefined
}
