import { isAside } from '../../../tables/combine/asides.ts'
import { QueryClient } from '@tanstack/react-query'
import type { EngineClient, Output } from '../../../engine/client.ts'
import type { Reading } from '../../../session/handover.ts'
import { refetch } from '../../../session/refetch.ts'
import type { Session } from '../../../session/session.ts'
import { untilRemoved } from '../../../lib/private-files.ts'
import { Store } from '../../../lib/store.ts'
import { announce } from '../../../ui/overlays/announce.tsx'
import { cameInFolder, measure } from '../../../ui/overlays/files-dropped.ts'
import { withDistinctNames } from './distinct-names.ts'
import { guardLeaving } from '../../../ui/leaving.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { withUnpacked } from '../../shared/archives.ts'
import { addedAgain, isHeld, losesOnLeaving, nameOf, type Job } from '../model/job.ts'
import { agreed, saved } from '../model/changes.ts'
import { whyHeld } from '../../../tables/outputs.ts'
import { RECEIPT_FILE } from '../../../tables/receipt-check.ts'
import { recipesIn, type Recipe } from '../../../tables/recipes/recipe.ts'
import { interruptedJob, keptFiles, partsOf, type JobRecord } from '../model/records.ts'
import { createDatabase, type ConvertDatabase } from './database.ts'
import { addRecipes } from './recipe-files.ts'
import { keepRowCounts } from './row-counts.ts'
import { rejoin } from './rejoin.ts'
import { remove, type Unwanted } from './removal.ts'
import type { Making, Added } from './make.ts'
import { ReceiptChecks } from './receipt-checks.ts'
import { Sources } from './sources.ts'
import { ConvertStore } from './store.ts'
import { createTabs, type Tabs } from './tabs.ts'
import { createTargets } from './targets.ts'
import { convertThroughService } from './through-service.ts'
import { createWriter } from './writer.ts'

export interface StoredJobs {
  readonly records: readonly JobRecord[]
  readonly alive: ReadonlySet<string>
  /** Ids of the records whose files can be opened again. */
  readonly sources: ReadonlySet<string>
}

/** What the Convert screen depends on: created once, outside React. */
export interface ConvertServices {
  readonly client: EngineClient
  readonly store: ConvertStore
  /** Ids of the selected files. */
  readonly selection: Store<ReadonlySet<string>>
  /** Receipts that were added, with the results of comparing files. */
  readonly receiptChecks: ReceiptChecks
  readonly queries: QueryClient
  readonly storedJobs: () => Promise<StoredJobs>
  readonly recipes: () => Promise<Recipe[]>
  /**
   * Adds files. They continue interrupted or failed jobs, if they belong to them.
   * @param reading the settings that another screen made for reading them
   */
  readonly addFiles: (files: readonly File[], reading?: Reading) => Promise<void>
  /** Continues interrupted jobs whose files can be opened again. */
  readonly openAgain: (records: readonly JobRecord[]) => Promise<void>
  /** Removes jobs, with a way to undo it for a moment. Resolves when they're off the list. */
  readonly remove: (unwanted: Unwanted) => Promise<void>
  /** Records that the person has downloaded these outputs. */
  readonly markSaved: (outputs: readonly Output[]) => Promise<void>
  readonly agreeStored: (record: JobRecord) => Promise<void>
  readonly saveRecipe: (recipe: Recipe) => Promise<void>
  readonly removeRecipe: (id: string) => Promise<void>
  readonly newId: () => string
  /** Protects outputs without a record from the sweep of any tab while `work` runs. */
  readonly making: <T>(work: () => Promise<T>) => Promise<T>
  /** Recipes as plain data, for a full backup. */
  readonly recipesBackup: {
    export(): Promise<readonly Recipe[]>
    /** @throws {Error} if it isn't an exported list */
    read(exported: unknown): readonly Recipe[]
    /** Adds them to the existing ones. */
    add(recipes: readonly Recipe[]): Promise<void>
  }
}

const NOTHING_STORED: StoredJobs = { records: [], alive: new Set(), sources: new Set() }

export const JOBS_KEY = ['convert', 'jobs'] as const
export const RECIPES_KEY = ['convert', 'recipes'] as const

/** @param session the current session */
export function createConvertServices(client: EngineClient, session: () => Promise<Session>): ConvertServices {
  const database = createDatabase()
  const tabs = createTabs()
  // These queries need no network, so they mustn't wait while the browser is offline.
  const queries = new QueryClient({
    defaultOptions: { queries: { networkMode: 'always', staleTime: Infinity, retry: false } },
  })
  const changed = (topic: 'jobs' | 'recipes'): void => {
    refetch(queries, { queryKey: topic === 'jobs' ? JOBS_KEY : RECIPES_KEY })
  }
  const wrote = (topic: 'jobs' | 'recipes'): void => {
    changed(topic)
    tabs.tell(topic)
  }
  tabs.listen(changed)
  const writer = createWriter(database, tabs, () => changed('jobs'), toast)
  const sources = new Sources(database)
  const keepRows = (job: Job): void => void keepRowCounts(job, database, () => wrote('recipes'))
  const store = new ConvertStore({
    client,
    keep: writer.keep,
    throughService: throughSession(client, session),
    making: (work) => tabs.making(work),
    agreed: keepRows,
    ended: (job) => {
      tellEnd(job)
      keepRows(job)
    },
    targets: createTargets(),
    now: Date.now,
    newId: () => crypto.randomUUID(),
  })
  guardLeaving(store.subscribe, () => losesOnLeaving(store.snapshot(), (id) => sources.has(id)))
  const storedJobs = watchedJobs(database, tabs, () => changed('jobs'))
  // If the browser provides no storage, there are no records.
  const known = (): Promise<StoredJobs> => storedJobs().catch(() => NOTHING_STORED)
  void sweep(client, tabs, storedJobs)
  void sweepSources(database, storedJobs)
  const selection = new Store<ReadonlySet<string>>(new Set())
  const keepSources = (jobs: readonly Job[]): void =>
    // Records are written first, since sources without a record are swept.
    void writer
      .written()
      .then(() => sources.keep(jobs))
      .catch(() => undefined)
  const added = (files: readonly Added[]): void => {
    const jobs = store.add(...files)
    selectFolder(selection, jobs)
    keepSources(jobs)
  }
  const receiptChecks = new ReceiptChecks(client, () => crypto.randomUUID())
  const recipeStore = recipeServices(database, () => wrote('recipes'))
  return {
    client,
    store,
    selection,
    receiptChecks,
    queries,
    storedJobs,
    ...recipeStore,
    newId: () => crypto.randomUUID(),
    making: (work) => tabs.making(work),
    async addFiles(given, reading) {
      const all = await addRecipes(await withDistinctNames(await withUnpacked(given)), recipeStore)
      const receipts = all.filter(({ name }) => RECEIPT_FILE.test(name))
      const others = all.filter((file) => !receipts.includes(file))
      const files = await receiptChecks.add(receipts, others, (file) => added([{ file }]))
      const again = replaceChanged(store, files, keepSources)
      const fresh = files.filter((file) => !again.includes(file))
      const joined = await continuing(fresh, await known(), () => store.snapshot(), reading)
      added(joined)
      tellContinued([...again, ...joined.flatMap(({ file, earlier }) => (earlier ? [file] : []))])
      void rejoin(store, known)
      announceAdded(files)
    },
    async openAgain(records) {
      const opened = await sources.open(records)
      added(opened)
      void rejoin(store, known)
      tellUnopened(records.length - opened.length)
    },
    async remove(unwanted) {
      const { records, alive } = await known()
      await remove(
        {
          store,
          outputs: client.outputs,
          records: writer,
          sources: { remove: (ids) => database.removeSources(ids) },
          making: (work) => tabs.making(work),
          toast,
        },
        { ...unwanted, parts: partsOf(unwanted.records ?? [], records, alive) },
      )
    },
    markSaved: (outputs) => markSaved(outputs, { store, database, known, wrote: () => wrote('jobs') }),
    async agreeStored({ id }) {
      await database.changeJob(id, (record) => (record.result ? { ...record, result: agreed(record.result) } : record))
      wrote('jobs')
    },
  }
}

function announceAdded(files: readonly File[]): void {
  if (files.length > 0)
    announce(files.length === 1 ? `${files[0]?.name ?? 'File'} added` : `${files.length} files added`)
}

function throughSession(client: EngineClient, session: () => Promise<Session>): Making['throughService'] {
  return async (job, context) => {
    const { api, apiBaseUrl, local } = await session()
    const result = await convertThroughService(job, { client, api, newId: () => crypto.randomUUID() }, context)
    return { result, service: local ? 'the service in this browser' : new URL(apiBaseUrl).host }
  }
}

/** Replaces files that can't be read any more by ones added again. Returns those used. */
function replaceChanged(store: ConvertStore, files: readonly File[], keep: (jobs: readonly Job[]) => void): File[] {
  const again = addedAgain(files, store.snapshot())
  store.together(again, ([file, id]) => store.replaceFile(id, file))
  keep(store.snapshot().filter(({ file }) => again.has(file)))
  return [...again.keys()]
}

/** The files, each with the interrupted or failed job that it continues, if there's one. */
async function continuing(
  files: readonly File[],
  { records, alive }: StoredJobs,
  live: () => readonly Job[],
  reading?: Reading,
): Promise<Added[]> {
  if (reading) return files.map((file) => ({ file, reading }))
  const names = new Set(records.map(({ fileName }) => fileName))
  await measure(files.filter(({ name }) => names.has(name)))
  const taken = new Set(live().map(({ id }) => id))
  return files.map((file) => {
    const earlier = interruptedJob(records, file, alive, taken)
    if (earlier) taken.add(earlier.id)
    return { file, earlier }
  })
}

/** Tables of a folder are selected, since combining them is the likely next step; not a README beside them. */
function selectFolder(selection: Store<ReadonlySet<string>>, jobs: readonly Job[]): void {
  const together = jobs.filter((job) => cameInFolder(job.file) && !isAside(job, jobs))
  if (together.length > 1) selection.set(new Set(together.map(({ id }) => id)))
}

function tellUnopened(files: number): void {
  if (files === 0) return
  const title = files === 1 ? 'One file couldn’t be opened again' : `${files} files couldn’t be opened again`
  toast({ title, description: 'Add them as you did before; their settings are kept.', tone: 'bad' })
}

async function markSaved(
  outputs: readonly Output[],
  {
    store,
    database,
    known,
    wrote,
  }: {
    readonly store: ConvertStore
    readonly database: ConvertDatabase
    readonly known: () => Promise<StoredJobs>
    readonly wrote: () => void
  },
): Promise<void> {
  const ids = new Set(outputs.map(({ id }) => id))
  store.markSaved(ids)
  const live = new Set(store.snapshot().map((job) => job.id))
  const { records } = await known()
  const theirs = records.filter(({ id, result }) => !live.has(id) && result && saved(result, ids) !== result)
  if (theirs.length === 0) return
  for (const { id } of theirs) {
    await database.changeJob(id, (record) =>
      record.result ? { ...record, result: saved(record.result, ids) } : record,
    )
  }
  wrote()
}

function recipeServices(
  database: ConvertDatabase,
  wrote: () => void,
): Pick<ConvertServices, 'recipes' | 'saveRecipe' | 'removeRecipe' | 'recipesBackup'> {
  return {
    recipes: () => database.recipes(),
    async saveRecipe(recipe) {
      await database.putRecipe(recipe)
      wrote()
    },
    async removeRecipe(id) {
      await database.removeRecipe(id)
      wrote()
    },
    recipesBackup: {
      export: () => database.recipes(),
      read: recipesIn,
      async add(recipes) {
        for (const recipe of recipes) await database.putRecipe(recipe)
        wrote()
      },
    },
  }
}

/** Reads the records, and reads them again when a tab with unfinished ones is gone. */
function watchedJobs(database: ConvertDatabase, tabs: Tabs, again: () => void): () => Promise<StoredJobs> {
  const watched = new Set<string>()
  return async () => {
    // Read first, so that every source found has a record by then.
    const sources = await database.sourceIds()
    const [records, alive] = await Promise.all([database.jobs(), tabs.alive()])
    for (const { settled, tab } of records) {
      if (settled || tab === tabs.id || !alive.has(tab) || watched.has(tab)) continue
      watched.add(tab)
      void tabs.gone(tab).then(again)
    }
    return { records, alive, sources: new Set(sources) }
  }
}

/** Milliseconds between attempts to sweep: a page that was just closed may still hold its locks. */
const AGAIN = [0, 500, 2000, 10_000, 60_000]

/** Removes files without a record, when no tab is between creating a file and recording it. */
async function sweep(client: EngineClient, tabs: Tabs, stored: () => Promise<StoredJobs>): Promise<void> {
  await untilRemoved(async () => {
    try {
      return await tabs.whileNoneMake(async () => client.outputs.sweep(keptFiles((await stored()).records)))
    } catch {
      // If records can't be read, nothing may be removed.
      return true
    }
  }, AGAIN)
}

/** Removes the sources of jobs that are finished or have no record, since nobody needs them again. */
async function sweepSources(database: ConvertDatabase, stored: () => Promise<StoredJobs>): Promise<void> {
  try {
    const { records, alive, sources } = await stored()
    const parts = new Set(partsOf(records, records, alive))
    const open = new Set(records.filter((record) => !record.settled && !parts.has(record)).map(({ id }) => id))
    const unused = [...sources].filter((id) => !open.has(id))
    if (unused.length > 0) await database.removeSources(unused)
  } catch {
    // If records can't be read, nothing may be removed.
  }
}

function tellContinued(files: readonly File[]): void {
  const [first] = files
  if (!first) return
  const title = files.length === 1 ? `“${first.name}” continues` : `${files.length} files continue`
  toast({ title, description: 'With the settings that they had before.' })
}

function tellEnd(job: Job): void {
  const { stage, result } = job
  const name = nameOf(job)
  if (stage.kind === 'failed') announce(`${name} failed: ${stage.failure.message}`)
  else if (result && isHeld(result)) announce(`${name} is converted, but held: ${whyHeld(result)}`)
  else announce(`${name} is converted and verified`)
}
