import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../../../lib/testing.ts'
import { filesDropped } from '../../../ui/overlays/files-dropped.ts'
import type { StoredTable } from '../../../engine/client.ts'
import { fakeBrowser, type FakeFiles, type FakeWindow } from './testing.ts'

const SOURCE = { name: 'orders.csv', size: 10, table: null }

function add({ tables }: FakeWindow, files: FakeFiles, name = 'orders') {
  return tables.create(name, SOURCE, (creationId) =>
    files.ingest(new File(['x'], 'orders.csv'), { creationId, format: null }),
  )
}

/** Drops a file of the disk, so that it's queried there. */
async function drop({ tables }: FakeWindow, name: string, isSameEntry: () => Promise<boolean>) {
  const file = new File(['x'], name)
  // What is stored of it has no methods.
  const handle = Object.assign(Object.create({ isSameEntry }) as object, { kind: 'file' })
  const item = { kind: 'file', getAsFileSystemHandle: () => Promise.resolve(handle) }
  await filesDropped({ items: [item], files: [file] } as unknown as DataTransfer)
  const table = { name: 'sales', source: SOURCE, inPlace: 'parquet' as const, columns: [], rowCount: 1 }
  return tables.createInPlace(file, table, new AbortController().signal)
}

const namesIn = ({ tables }: FakeWindow): string[] => tables.snapshot().map(({ name }) => name)

describe('LocalTables', () => {
  it('stores tables for every window and later pages', async () => {
    const { files, open } = fakeBrowser()
    const [one, two] = [open(), open()]
    await Promise.all([one.tables.load(), two.tables.load()])
    const made = await add(one, files)
    expect(made).toMatchObject({ name: 'orders', rowCount: 2, columns: [{ name: 'a', type: 'INTEGER' }] })
    await vi.waitFor(() => expect(namesIn(two)).toEqual(['orders']))
    const later = open()
    await later.tables.load()
    expect(later.tables.snapshot()).toEqual([made])
  })

  it('gives every table a unique name, even if two windows add at once', async () => {
    const { files, open } = fakeBrowser()
    const [one, two] = [open(), open()]
    const made = await Promise.all([add(one, files), add(two, files, 'Orders'), add(one, files, 'ORDERS')])
    expect(new Set(made.map(({ name }) => name.toLowerCase())).size).toBe(3)
    await one.tables.load()
    expect(namesIn(one)).toHaveLength(3)
  })

  it('stores nothing of a table that couldn’t be created or recorded', async () => {
    const { files, open } = fakeBrowser()
    const one = open()
    await one.tables.load()
    const failing = one.tables.create('a', SOURCE, () => Promise.reject<StoredTable>(new Error('full')))
    await expect(failing).rejects.toThrow('full')
    expect(namesIn(one)).toEqual([])
    expect(files.locked.size).toBe(0)
  })

  it('sweeps only what is left by a page that ended while it created a table', async () => {
    const { files, open } = fakeBrowser()
    const one = open()
    const kept = await add(one, files)
    files.stored.set('died/x', 'half')
    files.stored.set('making/y', 'under way')
    files.locked.add('making')
    const later = open()
    await later.tables.load()
    await vi.waitFor(() => expect([...files.stored.keys()].sort()).toEqual([kept.fileId, 'making/y'].sort()))
  })

  it('renames, unless another table has the name', async () => {
    const { files, open } = fakeBrowser()
    const [one, two] = [open(), open()]
    const a = await add(one, files, 'a')
    await add(one, files, 'b')
    await two.tables.load()
    expect(two.tables.nameProblem(a.id, 'B')).toMatch(/Another local table/)
    expect(two.tables.nameProblem(a.id, 'A')).toBeNull()
    await expect(one.tables.rename(a.id, ' B ')).rejects.toMatchObject({ tag: 'NameError' })
    await one.tables.rename(a.id, ' Sales "2024" 🦆 ')
    await vi.waitFor(() => expect(namesIn(two)).toEqual(['b', 'Sales "2024" 🦆']))
    expect(two.tables.find(a.id)?.fileId).toBe(a.fileId)
  })

  it('removes with an undo, and keeps the file until that ends', async () => {
    const { files, open } = fakeBrowser()
    const [one, two] = [open(), open()]
    const { id, fileId } = await add(one, files)
    await two.tables.load()
    await one.tables.remove(id)
    await vi.waitFor(() => expect(namesIn(two)).toEqual([]))
    // Meanwhile another window opens, and sweeps.
    await open().tables.load()
    await Promise.resolve()
    expect(files.stored.has(fileId)).toBe(true)
    one.toasts[0]?.action?.run()
    one.toasts[0]?.onGone?.()
    await vi.waitFor(() => expect(namesIn(two)).toEqual(['orders']))
    expect(files.stored.has(fileId)).toBe(true)

    await two.tables.remove(id)
    two.toasts[0]?.onGone?.()
    await vi.waitFor(() => expect(files.stored.has(fileId)).toBe(false))
    expect(files.locked.size).toBe(0)
    await vi.waitFor(() => expect(namesIn(one)).toEqual([]))
  })

  it('restores under another name if the table’s own was taken', async () => {
    const { files, open } = fakeBrowser()
    const one = open()
    const { id } = await add(one, files)
    await one.tables.remove(id)
    await add(one, files)
    one.toasts[0]?.action?.run()
    await vi.waitFor(() => expect(namesIn(one)).toEqual(['orders', 'orders_2']))
  })

  it('replaces only the tables of a file that’s dropped again, even if others are added meanwhile', async () => {
    const { files, open } = fakeBrowser()
    const one = open()
    const { id } = await drop(one, 'sales.parquet', () => Promise.resolve(true))
    const looks = deferred<boolean>()
    const asked = vi.fn(() => looks.promise)
    const again = drop(one, 'sales.parquet', asked)
    await vi.waitFor(() => expect(asked).toHaveBeenCalled())
    const other = await add(one, files, 'a')
    looks.resolve(true)
    expect((await again).id).toBe(id)
    expect(one.tables.snapshot().map((table) => table.id)).toEqual([other.id, id])
  })

  it('provides a table’s rows as a database file with its name', async () => {
    const { files, open } = fakeBrowser()
    const one = open()
    const { id } = await add(one, files)
    expect((await one.tables.publication(id)).name).toBe('orders.duckdb')
    files.stored.clear()
    await expect(one.tables.publication(id)).rejects.toThrow('gone')
  })
})
