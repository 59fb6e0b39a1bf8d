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

/** What statements of both engines have to agree on. */
const SAME: Options = {
  // Rows that a join doesn't find are NULL.
  join_use_nulls: 1,
  transform_null_in: 0,
  // A number after GROUP BY or ORDER BY is a number.
  enable_positional_arguments: 0,
  // What fails, fails: DuckDB computes what isn't asked for, too.
  short_circuit_function_evaluation: 'disable',
  // Compiled, sums and products of fractions may be rounded once instead of twice.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  output_format_json_quote_denormals: 1,
}

/** Milliseconds that a statement that isn't about rows may take. */
const OWN_TIMEOUT = 30_000
/** Milliseconds that the loading of a table may take. */
const LOAD_TIMEOUT = 3_600_000

export interface SelectOptions {
  readonly timeoutMs: number
  readonly maxRows: number
  /** Those that alone may be read. */
  readonly roles: readonly string[]
  readonly signal: AbortSignal
}

export interface ClickHouse {
  ping(): Promise<boolean>
  command(sql: string): Promise<void>
  /** Rows of statements of our own, as objects. */
  rows<T>(sql: string): Promise<T[]>
  /** Rows of a statement that was translated, as arrays. It's ended there where the signal is aborted. */
  select(sql: string, options: SelectOptions): Promise<unknown[][]>
  /** @param parquet a stream of a file's bytes */
  insert(table: string, parquet: Readable): Promise<void>
  close(): Promise<void>
}

export function connect({ url, user, password, reader, memoryBytes, cluster }: ClickHouseSettings): ClickHouse {
  // Its logs quote what statements are about.
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
      await long.command({ query })
    },
    async rows<T>(query: string) {
      const result = await client.query({ query, format: 'JSONEachRow' })
      return result.json<T>()
    },
    async select(query, { timeoutMs, maxRows, roles, signal }) {
      const id = crypto.randomUUID()
      try {
        const result = await reading.query({
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
            // Failures come as failures, not among the rows.
            wait_end_of_query: 1,
          },
        })
        return await result.json<unknown[]>()
      } catch (error) {
        // It goes on working where nobody listens any more.
        if (signal.aborted) await kill(id).catch(() => undefined)
        throw error
      }
    },
    async insert(table, values) {
      await long.insert({ table, values, format: 'Parquet' })
    },
    async close() {
      await Promise.all([client.close(), long.close(), reading.close()])
    },
  }
}

/** Whether ClickHouse answered, though with an error: by its number. Undefined where it didn't. */
export function errorCode(error: unknown): number | undefined {
  return error instanceof ClickHouseError ? Number(error.code) : undefined
}
