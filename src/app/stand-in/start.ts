import { version } from '../../../package.json'
import { createApiClient, createConsoleClient } from '../../api/create.ts'
import { createTableStore, EngineError, type EngineClient } from '../../engine/client.ts'
import { LOCAL_TABLES_FOLDER, OUTPUT_FOLDER, TABLES_FOLDER } from '../../engine/storage/file-names.ts'
import { sweepSpill } from '../../engine/storage/spill-folder.ts'
import type { ConvertServices } from '../../features/convert/index.ts'
import { keepInScratch, onErase, SCRATCH_FOLDER, sweepScratch, type Extra } from '../../service/backup/index.ts'
import { createService, type Service } from '../../service/create.ts'
import { createTables } from '../../service/engine-tables.ts'
import { hashKey } from '../../service/keys.ts'
import type { Ports, StoreName } from '../../service/ports.ts'
import { OBJECTS_FOLDER } from '../../service/stores/objects-opfs.ts'
import { createBrowserObjects } from '../../service/stores/objects.ts'
import { openRecords, type IndexedRecords } from '../../service/stores/records-idb.ts'
import type { ChangeTopic, KeptKey } from '../../session/session.ts'
import type { StandIn } from '../../session/store.ts'
import { createLocalData } from './local.ts'
import { mountStandIn } from './mount.ts'
import { uploadHere } from './upload.ts'
import { plural } from '../../ui/format.ts'

export interface StandInOptions {
  /** The app's folder, as returned by `basePath()`. */
  readonly base: string
  readonly engine: EngineClient
  /** Protects outputs that no record names yet from the sweep while `work` runs. */
  readonly making: <T>(work: () => Promise<T>) => Promise<T>
  /** Convert's recipes, for backups. */
  readonly recipes: ConvertServices['recipesBackup']
  /** Stores the key created with the first workspace, since it can't be shown again. */
  readonly keepKey: (workspaceId: string, key: KeptKey) => void
}

/** Milliseconds between sweeps. */
const SWEEP_EVERY = 5 * 60_000

/**
 * Starts the service in this page, with this browser's storage. Resolves when the page's requests reach it; then the
 * document has `data-service`.
 * @throws {Error} with a message for the person, if the browser provides no service worker or no storage
 */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const { base, engine } = options
  const origin = location.origin + base.replace(/\/$/, '')
  const records = openRecords()
  const store = createTableStore()
  const tables = createTables({
    engine,
    store,
    isEngineError: (error): error is EngineError => error instanceof EngineError,
    making: options.making,
    newId: () => crypto.randomUUID(),
  })
  const ports: Ports = {
    clock: { now: () => Date.now() },
    records,
    objects: createBrowserObjects(),
    tables: {
      ...tables,
      async ingest(...request) {
        const ingested = await tables.ingest(...request)
        askToPersist()
        return ingested
      },
    },
    // oxlint-disable-next-line no-console -- the one log that a service in a page has
    log: (line, cause) => console.error(line, cause ?? ''),
  }
  const service = createService(ports, { baseUrl: origin })
  await mountStandIn(service, { base })
  await firstRun(service, records, options.keepKey)
  document.documentElement.dataset['service'] = 'ready'
  sweepNowAndThen(service)
  leaveWhenErased(records)
  return {
    apiBaseUrl: `${origin}/public/v1`,
    console: createConsoleClient({ baseUrl: `${origin}/console/v1` }),
    local: createLocalData(
      {
        clock: ports.clock,
        records,
        tables,
        objects: ports.objects,
        files: { file: (id) => store.file(id), put: (id, file, signal) => store.put(id, file, { signal }) },
        extras: { sql: sqlExtra, recipes: recipesExtra(options.recipes) },
        appVersion: version,
        keep: keepInScratch,
      },
      {
        store,
        erase: {
          scope: `${origin}/`,
          folders: [OUTPUT_FOLDER, TABLES_FOLDER, LOCAL_TABLES_FOLDER, OBJECTS_FOLDER, SCRATCH_FOLDER],
          forgetSettings,
        },
      },
    ),
    client: (workspaceId, key, onUnauthorized) =>
      createApiClient({ baseUrl: `${origin}/public/v1`, key, workspaceId, upload: uploadHere, onUnauthorized }),
    onChange: (listener) => records.onChange((stores) => topicsOf(stores).forEach(listener)),
  }
}

/** In one tab at a time: the tab that creates the first workspace stores its key before the others look for it. */
async function firstRun(service: Service, records: IndexedRecords, keepKey: StandInOptions['keepKey']): Promise<void> {
  await navigator.locks.request('rowhouse-bootstrap', async () => {
    const made = await service.bootstrap()
    if (!made) return
    const hash = await hashKey(made.key)
    const [record] = await records.read(['keys'], (transaction) => transaction.by('keys', 'hash', hash))
    if (record) keepKey(made.workspace.id, { id: record.id, key: made.key })
  })
}

/** In one tab at a time; the others find nothing left to do. */
function sweepNowAndThen(service: Service): void {
  const sweep = (): void => {
    void navigator.locks
      .request('rowhouse-sweep', { ifAvailable: true }, async (lock) => {
        if (lock) await Promise.all([service.sweep(), sweepScratch()])
      })
      // The next sweep removes what this one couldn't.
      .catch(() => undefined)
    // The previous page may still hold its files.
    void sweepSpill({ waits: true })
  }
  sweep()
  setInterval(sweep, SWEEP_EVERY)
}

/** When another tab erases everything, releases the data first, and reloads afterwards. */
function leaveWhenErased(records: IndexedRecords): void {
  onErase((state) => {
    if (state === 'begun') records.close()
    else location.reload()
  })
}

let asked = false

/** From the first dataset on there's something to lose, so the browser is asked not to evict it. */
function askToPersist(): void {
  if (asked) return
  asked = true
  void navigator.storage?.persist?.().catch(() => false)
}

function topicsOf(stores: readonly StoreName[]): ChangeTopic[] {
  return stores.filter((store) => store === 'datasets' || store === 'keys' || store === 'workspaces')
}

function forgetSettings(): void {
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) if (name.startsWith('rowhouse-')) storage.removeItem(name)
  }
}

/** Convert's part of a backup. */
function recipesExtra(recipes: ConvertServices['recipesBackup']): Extra {
  return {
    export: async () => ({ value: await recipes.export() }),
    async read(value) {
      const read = recipes.read(value)
      return {
        contents: read.length > 0 ? [plural(read.length, 'recipe')] : [],
        place: (_files, _options, then) =>
          then(async () => {
            await recipes.add(read)
            return []
          }),
      }
    },
  }
}

/** SQL's part of a backup; loaded when one is created or read. */
const sqlExtra: Extra = {
  export: async () => (await sqlBackup()).export(),
  read: async (value, files) => (await sqlBackup()).read(value, files),
}

async function sqlBackup() {
  const { createSqlBackup, browserSqlBackup } = await import('../../features/sql/backup.ts')
  return createSqlBackup(browserSqlBackup())
}
