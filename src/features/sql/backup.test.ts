import { describe, expect, test } from 'vitest'
import type { LocalTableRecord, SqlTab } from './types.ts'
import { type Change, createSqlDatabase, MOST_HISTORY } from './database.ts'
import { LocalTables } from './local/tables.ts'
import { FakeFiles } from './local/testing.ts'
import { createSqlBackup } from './backup.ts'

class Files extends FakeFiles {
  /** Stores that many files, then fails. */
  room = Infinity
  override async put(fileId: string, file: Blob): Promise<void> {
    if (this.room-- <= 0) throw new DOMException('full', 'QuotaExceededError')
    if (!this.locked.has(fileId.split('/')[0] ?? '')) throw new Error('not being created')
    this.stored.set(fileId, await file.text())
  }
}

function browser() {
  const files = new Files()
  const told: Change[] = []
  const deps = {
    database: createSqlDatabase(`sql-${crypto.randomUUID()}`),
    files,
    channel: { tell: (change: Change) => void told.push(change), listen: () => () => undefined },
    now: () => 5_000,
    newId: () => crypto.randomUUID(),
  }
  return { ...deps, told, backup: createSqlBackup(deps) }
}
type Browser = ReturnType<typeof browser>

const table = (id: string, name: string): LocalTableRecord => ({
  id,
  name,
  fileId: `${id}/file`,
  source: {
    name: `${name}.csv`,
    size: 10,
    table: null,
    ...(name === 'a' ? {} : { path: `sales/${name}.csv`, read: { kind: 'json', text: null } }),
  },
  rowCount: 2,
  byteSize: 12_288,
  columns: [{ name: 'a', type: 'INTEGER' }],
  createdAt: 1_000,
})

const tab = (id: string, text = 'SELECT $day'): SqlTab => ({
  id,
  title: 'Query 1',
  text,
  parameters: { day: { type: 'DATE', text: '2024-01-31' }, none: { type: 'VARCHAR', text: null } },
  where: 'auto',
  view: 'chart',
  chart: { mark: 'scatter', x: 'a', y: 'b', aggregate: 'none', color: null, size: 'c' },
  order: 0.5,
  updatedAt: 1_000,
})

async function fill({ database, files }: Browser, locals: readonly LocalTableRecord[]): Promise<void> {
  await database.putTab(tab('t1'))
  await database.putSaved({
    id: 's1',
    name: 'Daily',
    text: 'SELECT 1',
    description: 'Each day.',
    chart: tab('t1').chart,
    parameters: {},
    updatedAt: 1_000,
  })
  await database.putHistory([
    {
      id: 'h1',
      text: 'SELECT 1',
      startedAt: 1_000,
      milliseconds: 1.5,
      rows: null,
      where: 'browser',
      outcome: 'failed',
      error: 'no such table',
    },
  ])
  await database.changeLocals(() => ({ put: locals }))
  for (const { fileId, id } of locals) files.stored.set(fileId, `rows of ${id}`)
}

/** As stored in a backup. */
async function exportedFrom({ backup, files }: Browser) {
  const exported = await backup.export()
  const value: unknown = JSON.parse(JSON.stringify(exported.value))
  const blobs = new Map(
    exported.files.map(({ key }) => [key, new Blob([files.stored.get(`${key}/file`) ?? ''])] as const),
  )
  return { value, blobs, keys: new Set(blobs.keys()) }
}

async function restore(
  { backup }: Browser,
  { value, blobs, keys }: Awaited<ReturnType<typeof exportedFrom>>,
  signal = new AbortController().signal,
): Promise<readonly string[]> {
  let notes: readonly string[] = []
  await backup.read(value, keys).place(blobs, { signal, onPut: () => undefined }, async (add) => {
    notes = await add()
  })
  return notes
}

async function everything({ database, files }: Browser) {
  const [tabs, saved, history, locals] = await Promise.all([
    database.tabs(),
    database.saved(),
    database.history(),
    database.locals(),
  ])
  return { tabs, saved, history, locals, files: [...files.stored.values()].sort() }
}

test('a database’s tables share one file in a backup, and when they’re restored', async () => {
  const there = browser()
  const inDatabase = (id: string, name: string) =>
    ({ ...table(id, name), fileId: 'l1/file', inPlace: 'duckdb', database: { schema: 'main', table: name } }) as const
  await fill(there, [inDatabase('l1', 'orders'), table('l2', 'b'), inDatabase('l3', 'customers')])
  const exported = await exportedFrom(there)
  expect([...exported.keys].sort()).toEqual(['l1', 'l2'])
  const here = browser()
  expect(await restore(here, exported)).toEqual([])
  const locals = await here.database.locals()
  expect(locals.map(({ id, database }) => [id, database?.table])).toEqual([
    ['l1', 'orders'],
    ['l2', undefined],
    ['l3', 'customers'],
  ])
  const [first, , third] = locals
  expect(third?.fileId).toBe(first?.fileId)
  expect([here.files.stored.size, third]).toEqual([2, expect.not.objectContaining({ sharesFile: 'l1' })])
})

test('tables created by statements are restored beside local ones with the same names', async () => {
  const there = browser()
  await fill(there, [table('l1', 'orders'), { ...table('l2', 'orders'), kept: true }])
  const exported = await exportedFrom(there)
  const here = browser()
  expect(here.backup.read(exported.value, exported.keys).contents).toContain('1 table that SQL made (12.3 kB)')
  expect(await restore(here, exported)).toEqual([])
  expect((await here.database.locals()).map(({ id, name, kept }) => [id, name, kept])).toEqual([
    ['l1', 'orders', undefined],
    ['l2', 'orders', true],
  ])
  const other = browser()
  await fill(other, [{ ...table('l3', 'Orders'), kept: true }])
  expect(await restore(other, exported)).toEqual([
    'The table “orders” is called “orders_2” now: another one has its name.',
  ])
})

test('everything is restored in an empty browser', async () => {
  const there = browser()
  await fill(there, [table('l1', 'orders'), table('l2', 'Größe "2024"')])
  const exported = await exportedFrom(there)
  const here = browser()
  expect(here.backup.read(exported.value, exported.keys).contents).toEqual([
    '1 saved query',
    '1 SQL tab',
    '2 local tables (24.6 kB)',
    '1 statement in the history',
  ])
  expect(await restore(here, exported)).toEqual([])
  const [before, after] = [await everything(there), await everything(here)]
  const named = ({ locals }: typeof before) => locals.map((each) => ({ ...each, fileId: '' }))
  expect(named(after)).toEqual(named(before))
  expect({ ...after, locals: [], tabs: [] }).toEqual({ ...before, locals: [], tabs: [] })
  expect(after.tabs).toEqual([{ ...tab('t1'), updatedAt: 5_000 }])
  for (const { id, fileId } of after.locals) expect(here.files.stored.get(fileId)).toBe(`rows of ${id}`)
  // Each has its own creation id, so that removing one doesn't wait for another.
  expect(new Set(after.locals.map(({ fileId }) => fileId.split('/')[0])).size).toBe(2)
  expect(here.files.locked.size).toBe(0)
  expect(here.told.map(({ kind }) => kind)).toEqual(['tab', 'saved', 'history', 'local'])
})

test('existing data stays, but records with the same id are replaced, and their files removed', async () => {
  const there = browser()
  await fill(there, [table('l1', 'orders')])
  const exported = await exportedFrom(there)
  const here = browser()
  await fill(here, [table('l0', 'stock'), table('l1', 'old name')])
  await here.database.putTab({ ...tab('t1', 'typed later'), updatedAt: 9_000 })
  await here.database.putTab(tab('t2'))
  expect(await restore(here, exported)).toEqual([])
  expect(await restore(here, exported)).toEqual([])
  const { tabs, locals, files, history, saved } = await everything(here)
  expect(tabs.map(({ id, text }) => [id, text])).toEqual([
    ['t1', 'SELECT $day'],
    ['t2', 'SELECT $day'],
  ])
  // A window with the tab open only takes over later versions.
  expect(tabs[0]?.updatedAt).toBe(9_002)
  expect(locals.map(({ id, name }) => [id, name])).toEqual([
    ['l0', 'stock'],
    ['l1', 'orders'],
  ])
  expect(files).toEqual(['rows of l0', 'rows of l1'])
  expect([history.length, saved.length]).toEqual([1, 1])
  expect(saved[0]).toMatchObject({ description: 'Each day.', chart: tab('t1').chart })
})

test('names of local tables stay unique, and changes are reported', async () => {
  const there = browser()
  await fill(there, [table('l1', 'Orders'), table('l2', 'orders_2'), table('l3', 'free')])
  const exported = await exportedFrom(there)
  const here = browser()
  await fill(here, [table('l0', 'orders')])
  expect(await restore(here, exported)).toEqual([
    'Local table “Orders” is called “Orders_3” now: another one has its name.',
  ])
  const { locals } = await everything(here)
  expect(locals.map(({ name }) => name)).toEqual(['orders', 'Orders_3', 'orders_2', 'free'])
})

test('the history keeps its maximum length', async () => {
  const there = browser()
  await fill(there, [])
  const exported = await exportedFrom(there)
  const here = browser()
  await here.database.putHistory(
    Array.from({ length: MOST_HISTORY }, (_, i) => ({
      text: 'x',
      milliseconds: 1,
      rows: 1,
      where: 'browser',
      outcome: 'done',
      error: null,
      id: `n${i}`,
      startedAt: 2_000 + i,
    })),
  )
  await restore(here, exported)
  const { history } = await everything(here)
  expect(history).toHaveLength(MOST_HISTORY)
  expect(history.at(-1)?.startedAt).toBe(2_000)
})

describe('nothing changes', () => {
  async function set() {
    const there = browser()
    await fill(there, [table('l1', 'orders'), table('l2', 'stock')])
    const here = browser()
    await fill(here, [table('l0', 'here')])
    return { exported: await exportedFrom(there), here, before: await everything(here) }
  }

  test('if the disk becomes full', async () => {
    const { exported, here, before } = await set()
    here.files.room = 1
    await expect(restore(here, exported)).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(await everything(here)).toEqual(before)
  })

  test('if it’s cancelled', async () => {
    const { exported, here, before } = await set()
    await expect(restore(here, exported, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    expect(await everything(here)).toEqual(before)
  })

  test('if what follows the files fails', async () => {
    const { exported, here, before } = await set()
    const { place } = here.backup.read(exported.value, exported.keys)
    const signal = new AbortController().signal
    const placing = place(exported.blobs, { signal, onPut: () => undefined }, async () => {
      expect(here.files.stored.size).toBe(3)
      // Another window's sweep must not remove what is being restored.
      await here.files.sweep(async () => new Set(['l0/file']))
      expect(here.files.stored.size).toBe(3)
      throw new Error('elsewhere')
    })
    await expect(placing).rejects.toThrow('elsewhere')
    expect(await everything(here)).toEqual(before)
  })

  test('if the records can’t be written: none is', async () => {
    const { exported, here, before } = await set()
    const failing = createSqlBackup({
      ...here,
      database: {
        ...here.database,
        addAll: (added) =>
          here.database.addAll({
            ...added,
            locals: (all) => [...added.locals(all), { ...table('x', 'x'), bad: () => undefined } as LocalTableRecord],
          }),
      },
    })
    await expect(restore({ ...here, backup: failing }, exported)).rejects.toMatchObject({ name: 'DataCloneError' })
    expect(await everything(here)).toEqual(before)
  })

  test('if the page ends halfway: the next one sweeps what is left', async () => {
    const { exported, here, before } = await set()
    const { place } = here.backup.read(exported.value, exported.keys)
    const signal = new AbortController().signal
    await new Promise<void>((resolve) => {
      void place(exported.blobs, { signal, onPut: () => undefined }, () => {
        resolve()
        return new Promise(() => undefined)
      })
    })
    expect(here.files.stored.size).toBe(3)
    // The browser releases the locks of a crashed page.
    here.files.locked.clear()
    const next = new LocalTables({ ...here, records: here.database, toast: () => undefined })
    await next.load()
    await expect.poll(() => everything(here)).toEqual(before)
  })
})

describe('invalid exports are refused with a message', () => {
  type Exported = Record<string, Record<string, unknown>[]> & { version: unknown }
  test.each<[string, (value: Exported) => unknown, RegExp]>([
    ['nothing', () => null, /SQL can’t be read/],
    ['another version', (value) => (value.version = 2), /“version”/],
    ['no list', (value) => delete value['saved'], /“saved”/],
    ['a tab of no kind', (value) => (value['tabs']![0]!['where'] = 'cloud'), /“tabs.0.where”/],
    ['a parameter of no kind', (value) => (value['tabs']![0]!['parameters'] = { a: 1 }), /parameters/],
    ['a chart of no kind', (value) => (value['tabs']![0]!['chart'] = { mark: 'pie' }), /chart/],
    ['a time beyond time', (value) => (value['saved']![0]!['updatedAt'] = 1e300), /updatedAt/],
    ['a statement that is none', (value) => (value['history']![0]!['text'] = 7), /history.0.text/],
    ['a name with a line break', (value) => (value['locals']![0]!['name'] = 'a\nb'), /locals.0.name/],
    ['a name twice', (value) => (value['locals']![1]!['name'] = 'ORDERS'), /one name/],
    ['an id twice', (value) => value['saved']!.push(value['saved']![0]!), /same saved query/],
    ['a table without its file', (value) => (value['locals']![0]!['id'] = 'l9'), /“orders” is missing/],
    ['a file without its table', (value) => value['locals']!.pop(), /no local table names/],
  ])('%s', async (what, change, message) => {
    const there = browser()
    await fill(there, [table('l1', 'orders'), table('l2', 'stock')])
    const { value, keys } = await exportedFrom(there)
    change(value as Exported)
    expect(() => browser().backup.read(what === 'nothing' ? null : value, keys)).toThrow(message)
  })
})
