import { NEVER } from '../../lib/abort.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Disk } from '../../lib/testing/disk.ts'
import { creationLock } from '../storage/file-names.ts'
import { FilesInUse, whenUnused } from './files-in-use.ts'
import { TableFiles } from './table-files.ts'

const disk = new Disk()
const paths = (): string[] => [...disk.files.keys()]

beforeEach(() => {
  disk.erase()
  vi.stubGlobal('navigator', disk.navigator())
})
afterEach(() => vi.unstubAllGlobals())

/** The folders of creations. */
const folders = async (): Promise<string[]> =>
  Array.from((await disk.root.getDirectoryHandle('tables')).entriesByName.keys())

const put = async (files: TableFiles, id: string): Promise<void> => files.put(id, new Blob([id]), NEVER)

describe('TableFiles', () => {
  it('stores files, finds them, and removes them with their folder', async () => {
    const files = new TableFiles()
    await put(files, 'c1/t1')
    await put(files, 'c1/t2')
    expect(await (await files.find('c1/t1'))?.text()).toBe('c1/t1')
    expect(await files.find('c1/t3')).toBeNull()
    expect(await files.find('c2/t1')).toBeNull()
    await files.remove('c1/t1')
    expect(paths()).toEqual(['tables/c1/t2.db'])
    await files.remove('c1/t1')
    await files.remove('c1/t2')
    expect(await folders()).toEqual([])
  })

  it.each(['../x/t', 'c1/../t', 'c1', 'c1/t/u', 'c1/', '/t'])('refuses ids like %s', async (id) => {
    await expect(put(new TableFiles(), id)).rejects.toMatchObject({ code: 'internal' })
    expect(paths()).toEqual([])
  })

  it('leaves nothing behind if there’s no space for a file', async () => {
    const files = new TableFiles()
    await put(files, 'c1/t1')
    disk.getFull({ name: '', manner: 'throws', passing: false, room: disk.used })
    await expect(put(files, 'c1/t2')).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(paths()).toEqual(['tables/c1/t1.db'])
  })

  it('neither sweeps nor removes a file while a session reads it', async () => {
    const files = new TableFiles()
    for (const id of ['c1/t1', 'c2/t2']) await put(files, id)
    const [one, two] = [new FilesInUse(files.folder), new FilesInUse(files.folder)]
    for (const reader of [one, two, one]) await reader.hold('c1/t1')
    await one.hold('c2/t2')
    let removed = false
    const removing = whenUnused('c1/t1', files.folder, () => files.remove('c1/t1')).then(() => (removed = true))
    await files.sweep(() => Promise.resolve(new Set()))
    expect(paths()).toEqual(['tables/c1/t1.db', 'tables/c2/t2.db'])
    one.keep(new Set(['c2/t2']))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(removed).toBe(false)
    two.keep(new Set())
    await removing
    expect(paths()).toEqual(['tables/c2/t2.db'])
    one.keep(new Set())
    await files.sweep(() => Promise.resolve(new Set()))
    expect(paths()).toEqual([])
  })

  it('sweeps files without a record, including half-written ones, but not those being created', async () => {
    const files = new TableFiles()
    for (const id of ['c1/t1', 'c1/t2', 'c2/t3', 'c3/t4']) await put(files, id)
    const tables = await disk.root.getDirectoryHandle('tables')
    await (await tables.getDirectoryHandle('c1')).getFileHandle('t5.db.part', { create: true })
    await navigator.locks.request(creationLock('c3', files.folder), () =>
      files.sweep(() => Promise.resolve(new Set(['c1/t2']))),
    )
    expect(paths()).toEqual(['tables/c1/t2.db', 'tables/c3/t4.db'])
    expect(await folders()).toEqual(['c1', 'c3'])
  })

  it('asks what to keep only while it holds each creation’s lock', async () => {
    const files = new TableFiles()
    await put(files, 'c1/t1')
    await put(files, 'c2/t2')
    const kept = new Set<string>()
    // Each is recorded while the one before it is swept.
    const answers = ['c1/t1', 'c2/t2']
    await files.sweep(() => Promise.resolve(kept.add(answers.shift() ?? '')))
    expect(paths()).toEqual(['tables/c1/t1.db', 'tables/c2/t2.db'])
  })

  it.each([
    ['has no private file system', {}],
    ['gives the page none', { getDirectory: () => Promise.reject(new DOMException('private', 'SecurityError')) }],
  ])('keeps files after the page is left if the browser %s', async (_, storage) => {
    vi.stubGlobal('navigator', { locks: navigator.locks, storage })
    const folder = `tables-${crypto.randomUUID()}`
    const files = new TableFiles(folder)
    for (const id of ['c1/t1', 'c1/t2', 'c2/t3', 'c3/t4']) await put(files, id)
    const later = new TableFiles(folder)
    expect(await (await later.find('c1/t1'))?.text()).toBe('c1/t1')
    expect(await later.find('c1/t9')).toBeNull()
    await navigator.locks.request(creationLock('c3', folder), () =>
      later.sweep(() => Promise.resolve(new Set(['c1/t1']))),
    )
    const left = await Promise.all(['c1/t1', 'c1/t2', 'c2/t3', 'c3/t4'].map((id) => later.find(id)))
    expect(left.map((file) => file?.name)).toEqual(['t1.db', undefined, undefined, 't4.db'])
    await later.remove('c1/t1')
    expect(await later.find('c1/t1')).toBeNull()
    expect(paths()).toEqual([])
  })
})
