import path from 'node:path'
import { within } from '../lib/abort.ts'
import { createService } from '../service/create.ts'
import { toServiceError } from '../service/failures.ts'
import type { Ports, Records, WorkspaceRecord } from '../service/ports.ts'
import { createStorage } from '../service/storage/index.ts'
import { Closing, openData } from './data.ts'
import { freeBytes } from './engine/files.ts'
import { createAssets } from './http/assets.ts'
import { createCors } from './http/cors.ts'
import { createHost, type Host } from './http/host.ts'
import { listen } from './http/listen.ts'
import type { Log } from './http/log.ts'
import { createMetrics } from './http/metrics.ts'
import { redirecting } from './http/redirects.ts'
import { makeConsoleToken, replaceConsoleToken } from './http/token.ts'
import { claim } from './records/claims.ts'
import { SettingsError } from './options.ts'
import type { Settings } from './settings.ts'
import { createServerTables, type ServerTables } from './tables/tables.ts'

/** Printed at the start. */
export interface Started {
  readonly url: string
  readonly workspace: WorkspaceRecord
  /** The workspace's key, only at the first start. */
  readonly key: string | null
  /** The operator's token, only at the first start, or if a new one was requested. */
  readonly consoleToken: string | null
}

export interface RunningServer {
  readonly started: Started
  /** Finishes running requests, refuses new ones, and closes everything. */
  stop(): Promise<void>
}

interface ServeOptions {
  readonly settings: Settings
  readonly log: Log
  /** Script of the processes. */
  readonly script: string
}

/** Milliseconds between removals of expired things. */
const EXPIRE_EVERY = 5 * 60_000
/**
 * Milliseconds between sweeps of all stored objects and tables by one of a database's servers. They don't need to be
 * more frequent, since sweeps spare recent files without a record anyway.
 */
const SWEEP_EVERY = 60 * 60_000

/**
 * Serves the app and the service. It listens only when it's ready, so that until then proxies try another server.
 * @throws {SettingsError} if a setting can't be used: the port is taken, the database can't be reached, ...
 */
export async function serve({ settings, log, script }: ServeOptions): Promise<RunningServer> {
  const closing = new Closing(log)
  try {
    const assets = await createAssets(settings.app).catch((cause: unknown) => {
      throw new SettingsError(`There’s no build of the app in ${settings.app} (--app): npm run build makes one.`, {
        cause,
      })
    })
    const data = await openData(settings, { log, script })
    closing.add(() => data.close())
    const { database, clock, records, objects, tableFiles, marks, mark, user } = data
    const tables = createServerTables({
      files: tableFiles,
      workFolder: path.join(settings.data, 'work'),
      script,
      user,
      processes: settings.processes,
      withFile: (...request) => objects.withFile(...request),
      ...(await elsewhereOf(settings, log)),
    })
    closing.add(() => tables.close())
    const ports: Ports = { clock, records, objects, tables, log: portLog(log, settings.data) }

    let opened: (host: Host) => void = () => undefined
    const host = new Promise<Host>((resolve) => {
      opened = resolve
    })
    // Listens before the first key is created: otherwise, if it can't listen, the key would exist, but nobody had seen
    // it.
    const listening = await listen(settings, async (request) => (await host).handler(request), log)
    closing.add(() => listening.close())
    const url = settings.url ?? `http://localhost:${listening.port}`
    const service = createService(ports, { baseUrl: url })
    const first = await service.bootstrap()
    const consoleToken = settings.newConsoleToken ? await replaceConsoleToken(records) : await makeConsoleToken(records)
    const workspace = first?.workspace ?? (await oldestWorkspace(records))

    const serving = createHost({
      baseUrl: url,
      service: (request) => service.fetch(request),
      storage: redirecting(createStorage(ports), objects),
      assets,
      records,
      missing: () => missing({ records, hasMark: () => marks.has(mark), settings }),
      cors: createCors(settings.allowedOrigins),
      log,
      metrics: createMetrics(),
      gauges: () => gauges(tables),
      clock,
    })
    opened(serving)
    tables.warm()
    const sweeping = nowAndThen(async () => {
      await ((await claim(database, 'sweep', SWEEP_EVERY)) ? service.sweep() : service.expire())
      await tables.sweepWork()
    }, log)
    const drain = async (): Promise<void> => {
      // If the database may have other servers, requests aren't refused: a proxy that can't connect tries one of those.
      const isAlone = settings.databaseUrl === null
      serving.stop({ refuse: isAlone })
      if (!isAlone) await listening.refuse()
      await serving.idle()
    }
    // Both at once, since a sweep may take long if the store is slow.
    closing.add(async () => {
      if (await withinGrace(Promise.all([drain(), sweeping.end()]), settings.grace, log)) return
      // Whoever still waits is told that the server ends, rather than losing the connection.
      await tables.close()
      await within(FAREWELL_MS, serving.idle())
    })
    return { started: { url, workspace, key: first?.key ?? null, consoleToken }, stop: () => closing.end() }
  } catch (error) {
    await closing.end()
    throw error
  }
}

/** ClickHouse if it's configured. Only then is its client loaded. */
async function elsewhereOf(
  { clickhouse }: Settings,
  log: Log,
): Promise<Pick<Parameters<typeof createServerTables>[0], 'elsewhere'>> {
  if (!clickhouse) return {}
  log('warn', 'statements in ClickHouse are an experiment: not all of its answers are proved to be DuckDB’s')
  const { openElsewhere } = await import('./clickhouse/elsewhere.ts')
  return { elsewhere: (parts) => openElsewhere({ ...parts, settings: clickhouse, log }) }
}

async function oldestWorkspace(records: Records): Promise<WorkspaceRecord> {
  const all = await records.read(['workspaces'], (transaction) => transaction.all('workspaces'))
  const [oldest] = all.toSorted((a, b) => a.createdAt - b.createdAt)
  if (!oldest) throw new Error('there is no workspace')
  return oldest
}

/** Milliseconds to answer requests that are cut off. */
const FAREWELL_MS = 5_000

/** Milliseconds after which a database or bucket that doesn't answer counts as missing. */
const READY_MS = 5_000

/** What requests may need but can't be reached now. */
async function missing({
  records,
  hasMark,
  settings,
}: {
  readonly records: Records
  readonly hasMark: () => Promise<boolean>
  readonly settings: Settings
}): Promise<string[]> {
  const found = await Promise.all([
    answers(records.read(['secrets'], async (transaction) => Boolean(await transaction.get('secrets', 'store')))),
    answers(hasMark()),
  ])
  return ['the database', settings.bucket ? 'the bucket' : 'the folder'].filter((_, i) => !found[i])
}

async function answers(asked: Promise<boolean>): Promise<boolean> {
  return (
    (await within(
      READY_MS,
      asked.catch(() => false),
    )) ?? false
  )
}

/**
 * The service's log lines begin with the request's id if there is one.
 * @param folder for all data
 */
function portLog(log: Log, folder: string): Ports['log'] {
  return (line, cause) => {
    const [, id, rest] = /^(req_\S+) (.*)$/s.exec(line) ?? []
    const isFull = toServiceError(cause).details?.['reason'] === 'out_of_space'
    const fields = {
      ...(id === undefined ? {} : { request_id: id }),
      ...(isFull ? { folder, free_bytes: freeBytes(folder) } : {}),
    }
    log('error', rest ?? line, fields, cause)
  }
}

function gauges(tables: ServerTables): Record<string, { readonly help: string; readonly value: number }> {
  return {
    rowhouse_processes_busy: { help: 'Processes that work on rows.', value: tables.busy() },
  }
}

/** Sweeps at once, and then at intervals. */
function nowAndThen(sweep: () => Promise<void>, log: Log): { end(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const run = (): void => {
    running = running.then(() => sweep().catch((error: unknown) => log('warn', 'sweeping failed', {}, error)))
  }
  run()
  const timer = setInterval(run, EXPIRE_EVERY).unref()
  return {
    end() {
      clearInterval(timer)
      return running
    },
  }
}

/** Returns whether it ended in time. */
async function withinGrace(ending: Promise<unknown>, seconds: number, log: Log): Promise<boolean> {
  const hasEnded = await within(
    seconds * 1000,
    ending.then(() => true),
  )
  if (!hasEnded) log('warn', 'requests or a sweep were cut off: they took longer than --grace')
  return hasEnded ?? false
}
