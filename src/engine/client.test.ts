import 'fake-indexeddb/auto'
import { afterEach, expect, it, vi } from 'vitest'
import { defaultOptions } from '../tables/plan.ts'
import { createEngineClient } from './client.ts'
import { OUTPUT_FOLDER } from './storage/file-names.ts'
import type { FromWorker, ToWorker } from './channel/messages.ts'
import { FakeWorker } from './channel/testing.ts'

/** A private file system that stores only the names of folders and files. */
class FakeFolder {
  readonly folders = new Map<string, FakeFolder>()
  readonly files = new Set<string>()
  /** How many more attempts to remove a file fail, as if an ending worker held it. */
  held = 0
  getDirectoryHandle(name: string, { create = false } = {}): Promise<FakeFolder> {
    if (create && !this.folders.has(name)) this.folders.set(name, new FakeFolder())
    const found = this.folders.get(name)
    return found ? Promise.resolve(found) : Promise.reject(new DOMException(name, 'NotFoundError'))
  }
  removeEntry(name: string): Promise<void> {
    const folder = this.folders.get(name)
    if (folder && folder.files.size > 0) return Promise.reject(new DOMException(name, 'InvalidModificationError'))
    if (this.files.has(name) && this.held-- > 0)
      return Promise.reject(new DOMException(name, 'NoModificationAllowedError'))
    this.folders.delete(name)
    this.files.delete(name)
    return Promise.resolve()
  }
  async *keys(): AsyncGenerator<string> {
    yield* this.files
  }
}

afterEach(() => vi.unstubAllGlobals())

const plan = { format: 'arrow', settings: { kind: 'arrow', layout: 'file' }, tables: [] } as const
const request = { jobId: 'job', plan, target: 'csv', options: defaultOptions('csv') } as const

it.each([0, 3])('removes all outputs of a conversion whose worker died, after %i failed attempts', async (held) => {
  const root = new FakeFolder()
  const outputs = await root.getDirectoryHandle(OUTPUT_FOLDER, { create: true })
  class DyingWorker extends EventTarget {
    postMessage({ type }: ToWorker): void {
      if (type !== 'call') return
      void outputs.getDirectoryHandle('job', { create: true }).then((folder) => {
        folder.files.add('whole').add('begun.part')
        folder.held = held
        this.dispatchEvent(new MessageEvent('message', { data: { type: 'ready' } }))
        this.dispatchEvent(new Event('error'))
      })
    }
    terminate(): void {}
  }
  vi.stubGlobal('Worker', DyingWorker)
  vi.stubGlobal('navigator', {
    storage: { getDirectory: () => Promise.resolve(root) },
    locks: { request: (_: string, run: () => Promise<unknown>) => run() },
  })
  const converting = createEngineClient().convert(new File(['x'], 'x.arrow'), request)
  await expect(converting).rejects.toMatchObject({ code: 'worker-lost' })
  expect(outputs.folders.size).toBe(held > 0 ? 1 : 0)
  await vi.waitFor(() => expect(outputs.folders.size).toBe(0))
})

it('without a private file system, keeps outputs after the page is left until they have no record', async () => {
  class Converting extends EventTarget {
    postMessage(message: ToWorker): void {
      if (message.type !== 'call') return
      const files = new Map(['job/a', 'job/b'].map((id) => [id, new File([id], id)]))
      const result = { outputs: [], rejectedCount: 0, rejected: [], rejectedFile: null, files }
      const data: FromWorker = { type: 'result', id: message.id, result }
      queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
    }
    terminate(): void {}
  }
  const locks = {
    request: (_: string, ...[options, run]: [object, (lock: object) => unknown]) =>
      typeof options === 'function' ? (options as () => unknown)() : run({}),
  }
  vi.stubGlobal('Worker', Converting)
  vi.stubGlobal('navigator', { storage: {}, locks })
  await createEngineClient().convert(new File(['x'], 'x.arrow'), request)
  const later = createEngineClient().outputs
  const output = (id: string): Promise<File> => later.file({ id, name: 'x.csv', mimeType: 'text/csv' })
  expect(await (await output('job/a')).text()).toBe('job/a')
  await later.sweep(new Set(['job/b']))
  await expect(output('job/a')).rejects.toMatchObject({ code: 'file-changed' })
  expect(await output('job/b')).toMatchObject({ name: 'x.csv', type: 'text/csv', size: 5 })
  await later.remove('job/b')
  await expect(output('job/b')).rejects.toMatchObject({ code: 'file-changed' })
})

it('warms up until the first inspection, which gets that worker, but not while a call runs', async () => {
  const workers: FakeWorker[] = []
  class Watched extends FakeWorker {
    constructor() {
      super()
      workers.push(this)
    }
  }
  vi.stubGlobal('Worker', Watched)
  const client = createEngineClient()
  client.warm()
  client.warm()
  const inspecting = client.inspect(new File(['a'], 'a.csv'), {})
  await Promise.resolve()
  client.warm()
  expect(workers.map(({ asked }) => asked)).toEqual([['warmUp', 'abort', 'inspect']])
  workers[0].answer({ inspection: {}, previews: [] })
  await inspecting
  client.warm()
  expect(workers).toHaveLength(1)
})
