import { writeFileSync } from 'node:fs'
import { expect, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { call, ready } from '../stand-in.ts'

/*
 * Tabs that crash at any moment while datasets are created, deleted, or replaced by a backup. Afterwards, another tab
 * must find everything that was acknowledged, complete; anything else either completely or not at all.
 */

/** A table's contents, as its creator knows them. */
interface Expected {
  readonly rows: number
  readonly sum: number
}

/** Datasets by name; each has `TABLES` equal tables. */
type Known = ReadonlyMap<string, Expected>

const TABLES = 2

export interface Round {
  readonly operation: Operation
  readonly kill: Kill
  /** Milliseconds between the start of the operation and the crash. */
  readonly after: number
  /** Whether it was acknowledged before the crash. */
  readonly acknowledged: boolean
  /** Whether it took effect. */
  readonly happened: boolean
}

type Operation = 'create' | 'delete' | 'restore'
type Kill = 'close' | 'crash' | 'renderer'

export interface CrashOptions {
  readonly browser: Browser
  readonly context: BrowserContext
  /** The app's origin. */
  readonly origin: string
  readonly rounds: number
  readonly seed: number
  /** Where to put the backup. */
  readonly folder: string
  readonly onRound?: (round: Round, index: number) => void
}

/** Random numbers from 0 to 1, reproducible by seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Crashes tabs that many times. Throws if an expectation isn't met.
 * @returns the operation of each round
 */
export async function crashRounds(options: CrashOptions): Promise<Round[]> {
  const run = new CrashRun(options)
  await run.prepare()
  const rounds: Round[] = []
  for (let i = 0; i < options.rounds; i++) {
    const round = await run.round()
    rounds.push(round)
    options.onRound?.(round, i)
  }
  await run.finish()
  return rounds
}

class CrashRun {
  private readonly options: CrashOptions
  private readonly random: () => number
  private known: Known = new Map()
  private backup: { readonly path: string; readonly known: Known } = { path: '', known: new Map() }
  /** Milliseconds that each operation takes when it isn't interrupted. */
  private readonly lasts: Record<Operation, number> = { create: 800, delete: 100, restore: 800 }
  private made = 0

  constructor(options: CrashOptions) {
    this.options = options
    this.random = randomOf(options.seed)
  }

  /** Creates two datasets and a backup of them. */
  async prepare(): Promise<void> {
    const page = await this.open()
    for (let i = 0; i < 2; i++) {
      const [name, expected] = this.next()
      const begun = Date.now()
      expect(await createDataset(page, name, expected)).toBe(201)
      this.lasts.create = Date.now() - begun
      this.known = new Map([...this.known, [name, expected]])
    }
    await page.goto(`${this.options.origin}/settings/backup`)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download backup' }).click()
    const path = `${this.options.folder}/backup.zip`
    await (await download).saveAs(path)
    this.backup = { path, known: this.known }
    const begun = Date.now()
    await chooseBackup(page, path)
    await page.getByRole('button', { name: 'Replace everything' }).click()
    await expect(restoreDialog(page)).toBeHidden({ timeout: 60_000 })
    this.lasts.restore = Date.now() - begun
    await this.check(page, [this.known])
    await page.close()
  }

  async round(): Promise<Round> {
    const operation = this.choose()
    const kill = (['close', 'crash', 'renderer'] as const)[Math.floor(this.random() * 3)] ?? 'close'
    const page = await this.open(operation === 'restore' ? '/settings/backup' : '/convert')
    if (operation === 'restore') await chooseBackup(page, this.backup.path)
    const [name, after, work] = this.start(operation, page)
    // Sometimes a moment after the end, because acknowledged operations must stay.
    const wait = this.random() * this.lasts[operation] * 1.25
    const begun = Date.now()
    const done = work().then(
      () => true,
      () => false,
    )
    const acknowledged = await Promise.race([done, pause(wait).then(() => false)])
    const lasted = Date.now() - begun
    if (acknowledged) this.lasts[operation] = (this.lasts[operation] * 3 + lasted) / 4
    await this.end(page, kill)
    const witness = await this.open()
    const possible = acknowledged ? [after] : [this.known, after]
    const found = await this.check(witness, possible)
    await witness.close()
    const happened = found === after
    // If crashes always came too early, they would never interrupt the last steps.
    if (!acknowledged && !happened) this.lasts[operation] *= 1.15
    this.known = found
    expect(happened || !acknowledged, `${operation} of ${name} was acknowledged and is lost`).toBe(true)
    return { operation, kill, after: Math.round(wait), acknowledged, happened }
  }

  /** An interrupted upload is kept for a minute, in case its record still arrives. After that, it must be gone. */
  async finish(): Promise<void> {
    const page = await this.open()
    await expect(async () => {
      await page.reload()
      await ready(page)
      await expect.poll(() => leaks(page, ['tables', 'objects']), { timeout: 5_000 }).toEqual([])
    }).toPass({ timeout: 150_000, intervals: [1_000, 20_000] })
    await this.check(page, [this.known])
    await page.close()
  }

  private choose(): Operation {
    if (this.known.size === 0) return 'create'
    if (this.known.size > 6) return this.random() < 0.5 ? 'delete' : 'restore'
    const dice = this.random()
    return dice < 0.5 ? 'create' : dice < 0.7 ? 'delete' : 'restore'
  }

  /** The operation's name, the datasets after it, and a function that starts it. */
  private start(operation: Operation, page: Page): [name: string, after: Known, work: () => Promise<void>] {
    if (operation === 'restore') {
      const work = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Replace everything' }).click()
        await expect(restoreDialog(page)).toBeHidden({ timeout: 60_000 })
      }
      return ['the backup', this.backup.known, work]
    }
    if (operation === 'delete') {
      const names = [...this.known.keys()]
      const name = names[Math.floor(this.random() * names.length)] ?? ''
      const after = new Map(this.known)
      after.delete(name)
      return [name, after, async () => expect(await deleteDataset(page, name)).toBe(200)]
    }
    const [name, expected] = this.next()
    const after = new Map([...this.known, [name, expected]])
    return [name, after, async () => expect(await createDataset(page, name, expected)).toBe(201)]
  }

  private next(): [string, Expected] {
    const rows = 500 + Math.floor(this.random() * 20_000)
    return [`Dataset ${++this.made}`, { rows, sum: (rows * (rows - 1)) / 2 }]
  }

  private async open(path = '/convert'): Promise<Page> {
    const page = await this.options.context.newPage()
    await page.goto(this.options.origin + path)
    await ready(page)
    return page
  }

  private async end(page: Page, kill: Kill): Promise<void> {
    if (kill === 'close') {
      await page.close({ runBeforeUnload: false })
      return
    }
    const crashed = page.waitForEvent('crash', { timeout: 10_000 }).catch(() => undefined)
    if (kill === 'crash') {
      const devtools = await page.context().newCDPSession(page)
      // It never answers.
      void devtools.send('Page.crash').catch(() => undefined)
    } else {
      await killRenderers(this.options.browser)
    }
    await crashed
    await page.close().catch(() => undefined)
  }

  /** Checks that exactly one of these sets of datasets exists, complete and with nothing else; returns it. */
  private async check(page: Page, possible: readonly Known[]): Promise<Known> {
    const names = (await listDatasets(page)).toSorted()
    const found = possible.find((known) => JSON.stringify([...known.keys()].toSorted()) === JSON.stringify(names))
    if (!found) {
      const expected = possible.map((known) => [...known.keys()].join(', ')).join(' | ')
      throw new Error(`there is: ${names.join(', ')}; there may be: ${expected}`)
    }
    for (const [name, { rows, sum }] of found) {
      expect(await totals(page, name), name).toEqual(Array.from({ length: TABLES }, () => ({ rows, sum: String(sum) })))
    }
    await expect
      .poll(() => leaks(page, ['tables']), { timeout: 30_000, message: 'tables that no record names' })
      .toEqual([])
    return found
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Kills every renderer of a browser, as the kernel does when memory runs out. */
export async function killRenderers(browser: Browser): Promise<void> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // It had already ended.
    }
  }
  await devtools.detach()
}

const restoreDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Restore this backup?' })

async function chooseBackup(page: Page, path: string): Promise<void> {
  await page.getByLabel('Backup file').setInputFiles(path)
  await expect(restoreDialog(page)).toBeVisible({ timeout: 60_000 })
}

/** The page's own key and workspace, as stored by the app. */
interface Own {
  readonly key: string
  readonly workspaceId: string
  readonly slug: string
}

async function own(page: Page): Promise<Own> {
  const { text } = await call(page, 'console/v1/workspaces')
  const { data } = JSON.parse(text) as { data: { workspaces: { id: string; slug: string }[] } }
  const [{ id, slug } = { id: '', slug: '' }] = data.workspaces
  const key = await page.evaluate(
    (workspaceId) =>
      (JSON.parse(localStorage.getItem('rowhouse-session') ?? '{}') as { keys: Record<string, { key: string }> }).keys[
        workspaceId
      ]?.key ?? '',
    id,
  )
  return { key, workspaceId: id, slug }
}

async function request(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: unknown }> {
  const { key } = await own(page)
  const { status, text } = await call(page, `public/v1/${path}`, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status, json: JSON.parse(text) as unknown }
}

/** Runs completely in the page, so that the crash can come between any two steps. */
export async function createDataset(page: Page, name: string, { rows }: Pick<Expected, 'rows'>): Promise<number> {
  const { key, workspaceId } = await own(page)
  return page.evaluate(
    async ([dataset, count, apiKey, workspace, tables]) => {
      const send = (path: string, body: unknown): Promise<Response> =>
        fetch(path, {
          method: 'POST',
          headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      const numbers = Array.from({ length: tables }, (_, i) => i)
      const files = numbers.map((i) => ({ filename: `${i}.csv`, content_type: 'text/csv' }))
      const signed = (await (
        await send('/public/v1/storage/signed-urls', { workspace_id: workspace, files })
      ).json()) as { urls: { signed_url: string }[] }
      const text = `id,word\n${Array.from({ length: count }, (_, i) => `${i},word ${i}`).join('\n')}\n`
      for (const { signed_url: url } of signed.urls) {
        const put = await fetch(url, { method: 'PUT', headers: { 'Content-Type': 'text/csv' }, body: new Blob([text]) })
        if (!put.ok) return put.status
      }
      const made = await send('/public/v1/datasets', {
        dataset_name: dataset,
        workspace_id: workspace,
        tables: numbers.map((i) => ({ table_name: `t${i}`, signed_url: signed.urls[i]?.signed_url })),
      })
      return made.status
    },
    [name, rows, key, workspaceId, TABLES] as const,
  )
}

async function datasets(page: Page): Promise<{ id: string; name: string }[]> {
  const { workspaceId } = await own(page)
  const { json } = await request(page, 'GET', `workspaces/${workspaceId}/datasets`)
  return (json as { data: { datasets: { id: string; name: string }[] } }).data.datasets
}

export async function listDatasets(page: Page): Promise<string[]> {
  return (await datasets(page)).map(({ name }) => name)
}

async function deleteDataset(page: Page, name: string): Promise<number> {
  const found = (await datasets(page)).find((dataset) => dataset.name === name)
  return (await request(page, 'DELETE', `datasets/${found?.id ?? ''}`)).status
}

/** Row count and sum of each of a dataset's tables. */
export async function totals(page: Page, name: string): Promise<unknown[]> {
  const { slug } = await own(page)
  const part = (i: number): string =>
    `SELECT ${i} AS i, count(*)::INTEGER AS rows, sum(id)::VARCHAR AS sum FROM ${slug}."${name}".t${i}`
  const sql = `${Array.from({ length: TABLES }, (_, i) => part(i)).join(' UNION ALL ')} ORDER BY i`
  const { json } = await request(page, 'POST', 'query', { sql, timeout_seconds: 60 })
  const rows = (json as { data?: { rows: { rows: number; sum: string }[] } }).data?.rows
  return rows?.map((row) => ({ rows: row.rows, sum: row.sum })) ?? [json]
}

/** Files in the private file system without a record, and records without their files. */
export function leaks(page: Page, folders: readonly string[] = ['tables', 'objects']): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    interface Row {
      readonly tables?: readonly { readonly fileId: string }[]
      readonly blobId?: string | null
    }
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('rowhouse-service')
      opening.addEventListener('success', () => resolve(opening.result))
      opening.addEventListener('error', () => reject(opening.error ?? new Error('no database')))
    })
    const all = (store: string): Promise<Row[]> =>
      new Promise((resolve, reject) => {
        const reading = database.transaction(store).objectStore(store).getAll()
        reading.addEventListener('success', () => resolve(reading.result as Row[]))
        reading.addEventListener('error', () => reject(reading.error ?? new Error('unreadable')))
      })
    const named = new Set<string>()
    for (const { tables } of await all('datasets'))
      for (const { fileId } of tables ?? []) named.add(`tables/${fileId}.db`)
    for (const { blobId } of await all('objects')) if (blobId) named.add(`objects/${blobId}`)
    database.close()
    const there = new Set<string>()
    const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'file') there.add(path + name)
        else await walk(handle, `${path}${name}/`)
      }
    }
    const root = await navigator.storage.getDirectory()
    for (const folder of wanted) await walk(await root.getDirectoryHandle(folder, { create: true }), `${folder}/`)
    return [
      ...[...there].filter((path) => !named.has(path)).map((path) => `leaked: ${path}`),
      ...[...named]
        .filter((path) => wanted.includes(path.split('/')[0] ?? '') && !there.has(path))
        .map((path) => `missing: ${path}`),
    ]
  }, folders)
}

/** Writes one line per round, for people who examine a run. */
export function writeRounds(path: string, rounds: readonly Round[]): void {
  writeFileSync(path, rounds.map((round) => JSON.stringify(round)).join('\n'))
}

/** `create 41 (12 acknowledged, 5 cut off and whole, 24 cut off and gone)`. */
export function summarize(rounds: readonly Round[]): string {
  return (['create', 'delete', 'restore'] as const)
    .map((operation) => {
      const mine = rounds.filter((round) => round.operation === operation)
      const count = (of: (round: Round) => boolean): number => mine.filter(of).length
      return `${operation} ${mine.length} (${count((r) => r.acknowledged)} acknowledged, ${count((r) => !r.acknowledged && r.happened)} cut off and whole, ${count((r) => !r.happened)} cut off and undone)`
    })
    .join('; ')
}
