import { ABORT_GRACE, Channel } from '../../engine/channel/channel.ts'
import { ChannelPool } from '../../engine/channel/pool.ts'
import type { Log } from '../http/log.ts'
import { named } from '../options.ts'
import type { QueryCalls } from '../tables/calls.ts'
import { connect, type ClickHouse } from './client.ts'
import type { ExportCalls } from './export-role.ts'
import { Executor } from './executor.ts'
import type { ClickHouseSettings } from '../settings.ts'
import { ClickHouseTables } from './tables.ts'

/** Another engine, for statements about large tables. */
export interface Elsewhere extends Pick<Executor, 'answer' | 'loaded'>, Pick<ClickHouseTables, 'remove' | 'sweep'> {
  close(): Promise<void>
}

export interface ElsewhereOptions {
  readonly settings: ClickHouseSettings
  /** Workers that bind statements. */
  readonly queries: ChannelPool<QueryCalls>
  /** Starts a process that exports tables. */
  readonly startExport: () => Worker
  /** Returns a path for a temporary file. */
  readonly newPlace: () => Promise<string>
  readonly log: Log
  readonly client?: ClickHouse
}

const OPTIONS = ['clickhouse-url', 'clickhouse-user', 'clickhouse-password'].map(named).join(', ')

/** Milliseconds that binding a statement may take. */
const BIND_MS = 10_000

/** Connects ClickHouse with the server's worker processes. */
export function openElsewhere(options: ElsewhereOptions): Elsewhere {
  const { settings, queries, startExport, newPlace, log, client = connect(settings) } = options
  const layout = { prefix: settings.prefix, cluster: settings.cluster }
  const never = new AbortController().signal
  const writers = new ChannelPool<ExportCalls>({
    open: () => new Channel<ExportCalls>(startExport, 'export', { silence: Number.POSITIVE_INFINITY }),
    limit: 1,
  })
  const tables = new ClickHouseTables({
    ...layout,
    client,
    user: settings.reader.user,
    write: (place) =>
      writers.use(never, async (channel) => {
        const parquet = await newPlace()
        try {
          const request = { place, target: parquet }
          return { ...(await channel.call('export', request, { signal: never, grace: ABORT_GRACE })), parquet }
        } finally {
          // Ending the process frees its memory.
          channel.close()
        }
      }),
  })
  const executor = new Executor({
    ...layout,
    client,
    tables,
    log,
    fromBytes: settings.fromBytes,
    plan: ({ sql, tables: all, files, maxRows }, signal) => {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(BIND_MS)])
      return queries.use(soon, (channel) =>
        channel.call('plan', { sql, tables: all, files, maxRows }, { signal: soon, grace: ABORT_GRACE }),
      )
    },
  })
  const quietly = (what: string, work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (error: unknown) => log('warn', what, {}, error),
    )
  // The server starts even if ClickHouse can't be reached.
  void quietly(`ClickHouse can’t be used now, so DuckDB runs all statements: check ${OPTIONS}`, client.rows('SELECT 1'))
  return {
    answer: (wanted, signal) => executor.answer(wanted, signal),
    loaded: () => executor.loaded(),
    remove: (fileId) => quietly('a table is left in ClickHouse until the next sweep', tables.remove(fileId)),
    sweep: (kept) => quietly('ClickHouse wasn’t swept', tables.sweep(kept)),
    close: () => client.close(),
  }
}
