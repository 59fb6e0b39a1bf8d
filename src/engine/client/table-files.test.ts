import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { creationLock } from '../storage/table-names.ts'
import { TableFiles } from './table-files.ts'

/** As much of a private file system as tables need. */
class FakeFile {
  readonly kind = 'file'
  bytes: BlobPart[] = []
  name: string
  parent: FakeFolder
  constructor(name: string, parent: FakeFolder) {
    this.name = name
    this.parent = parent
  }
  getFile(): Promise<File> {
    return Promise.resolve(new File(this.bytes, this.name))
  }
  createWritable(): Promise<WritableStream<Uint8Array<ArrayBuffer>>> {
    const written: BlobPart[] = []
    return Promise.resolve(
      new WritableStream<Uint8Array<ArrayBuffer>>({
        write: (chunk) => {
          if (this.parent.full) throw new DOMException('full', 'QuotaExceededError')
          written.push(chunk)
        },
        close: () => {
          this.bytes = written
        },
      }),
    )
  }
  move(folder: FakeFolder, name: string): Promise<void> {
    this.parent.entries.delete(this.name)
    this.name = name
    this.parent = folder
    folder.entries.set(name, this)
    return Promise.resolve()
  }
}

class FakeFolder {
  readonly entries = new Map<string, FakeFolder | FakeFile>()
  full = false
  private entry<T>(name: string, create: boolean | undefined, make: () => T & (FakeFolder | FakeFile)): Promise<T> {
    const found = this.entries.get(name) as (T & (FakeFolder | FakeFile)) | undefined
    if (!found && !create) return Promise.reject(new DOMException('none', 'NotFoundError'))
    const entry = found ?? make()
    this.entries.set(name, entry)
    return Promise.resolve(entry)
  }
  getDirectoryHandle(name: string, { create }: { create?: boolean } = {}): Promise<FakeFolder> {
    return this.entry(name, create, () => new FakeFolder())
  }
  getFileHandle(name: string, { create }: { create?: boolean } = {}): Promise<FakeFile> {
    return this.entry(name, create, () => new FakeFile(name, this))
  }
  removeEntry(name: string): Promise<void> {
    const found = this.entries.get(name)
    if (!found) return Promise.reject(new DOMException('none', 'NotFoundError'))
    if (found instanceof FakeFolder && found.entries.size > 0) {
      return Promise.reject(new DOMException('not empty', 'InvalidModificationError'))
    }
    this.entries.delete(name)
    return Promise.resolve()
  }
  async *keys(): AsyncGenerator<string> {
    for (const name of Array.from(this.entries.keys())) yield name
    await Promise.resolve()
  }
  /** All files below, by their paths. */
  paths(): string[] {
    return Array.from(this.entries, ([name, entry]) =>
      entry instanceof FakeFolder ? entry.paths().map((rest) => `${name}/${rest}`) : [name],
    ).flat()
  }
}

let root: FakeFolder
let held: Set<string>

beforeEach(() => {
  root = new FakeFolder()
  held = new Set()
  vi.stubGlobal('FileSystemFileHandle', FakeFile)
  vi.stubGlobal('navigator', {
    storage: { getDirectory: () => Promise.resolve(root) },
    locks: {
      request: (name: string, _: unknown, work: (lock: object | null) => Promise<unknown>) =>
        work(held.has(name) ? null : {}),
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

const NEVER = new AbortController().signal
const put = async (files: TableFiles, id: string): Promise<void> => files.put(id, new Blob([id]), NEVER)

describe('TableFiles', () => {
  it('keeps files, gives them back, and removes them with their folder', async () => {
    const files = new TableFiles()
    await put(files, 'c1/t1')
    await put(files, 'c1/t2')
    expect(await (await files.find('c1/t1'))?.text()).toBe('c1/t1')
    expect(await files.find('c1/t3')).toBeNull()
    expect(await files.find('c2/t1')).toBeNull()
    await files.remove('c1/t1')
    expect(root.paths()).toEqual(['tables/c1/t2.db'])
    await files.remove('c1/t1')
    await files.remove('c1/t2')
    expect((root.entries.get('tables') as FakeFolder).entries.size).toBe(0)
  })

  it.each(['../x/t', 'c1/../t', 'c1', 'c1/t/u', 'c1/', '/t'])('takes no id like %s', async (id) => {
    await expect(put(new TableFiles(), id)).rejects.toMatchObject({ code: 'internal' })
    expect(root.paths()).toEqual([])
  })

  it('leaves nothing of a file for which there’s no space', async () => {
    const files = new TableFiles()
    await put(files, 'c1/t1')
    const folder = (root.entries.get('tables') as FakeFolder).entries.get('c1') as FakeFolder
    folder.full = true
    await expect(put(files, 'c1/t2')).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(root.paths()).toEqual(['tables/c1/t1.db'])
  })

  it('sweeps what no record names, half-written files too, but nothing that is being made', async () => {
    const files = new TableFiles()
    for (const id of ['c1/t1', 'c1/t2', 'c2/t3', 'c3/t4']) await put(files, id)
    const tables = root.entries.get('tables') as FakeFolder
    await (await tables.getDirectoryHandle('c1')).getFileHandle('t5.db.part', { create: true })
    held.add(creationLock('c3', files.folder))
    await files.sweep(() => Promise.resolve(new Set(['c1/t2'])))
    expect(root.paths()).toEqual(['tables/c1/t2.db', 'tables/c3/t4.db'])
    expect([...tables.entries.keys()]).toEqual(['c1', 'c3'])
  })

  it('asks what to keep only behind each creation’s lock', async () => {
    const files = new TableFiles()
    await put(files, 'c1/t1')
    await put(files, 'c2/t2')
    const kept = new Set<string>()
    // Each is recorded while the one before is looked at.
    const answers = ['c1/t1', 'c2/t2']
    await files.sweep(() => Promise.resolve(kept.add(answers.shift() ?? '')))
    expect(root.paths()).toEqual(['tables/c1/t1.db', 'tables/c2/t2.db'])
  })

  it.each([
    ['has no private file system', {}],
    ['gives the page none', { getDirectory: () => Promise.reject(new DOMException('private', 'SecurityError')) }],
  ])('keeps files beyond the page where the browser %s', async (_, storage) => {
    vi.stubGlobal('navigator', { locks: navigator.locks, storage })
    const folder = `tables-${crypto.randomUUID()}`
    const files = new TableFiles(folder)
    for (const id of ['c1/t1', 'c1/t2', 'c2/t3', 'c3/t4']) await put(files, id)
    const later = new TableFiles(folder)
    expect(await (await later.find('c1/t1'))?.text()).toBe('c1/t1')
    expect(await later.find('c1/t9')).toBeNull()
    held.add(creationLock('c3', folder))
    await later.sweep(() => Promise.resolve(new Set(['c1/t1'])))
    const left = await Promise.all(['c1/t1', 'c1/t2', 'c2/t3', 'c3/t4'].map((id) => later.find(id)))
    expect(left.map((file) => file?.name)).toEqual(['t1.db', undefined, undefined, 't4.db'])
    await later.remove('c1/t1')
    expect(await later.find('c1/t1')).toBeNull()
    expect(root.paths()).toEqual([])
  })
})
