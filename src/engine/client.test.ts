import { afterEach, expect, it, vi } from 'vitest'
import { defaultOptions } from '../tables/plan.ts'
import { createEngineClient } from './client.ts'
import { OUTPUT_FOLDER } from './output-names.ts'

/** A private file system of folders and the names in them. */
class FakeFolder {
  readonly folders = new Map<string, FakeFolder>()
  readonly files = new Set<string>()
  getDirectoryHandle(name: string, { create = false } = {}): Promise<FakeFolder> {
    if (create && !this.folders.has(name)) this.folders.set(name, new FakeFolder())
    const found = this.folders.get(name)
    return found ? Promise.resolve(found) : Promise.reject(new DOMException(name, 'NotFoundError'))
  }
  removeEntry(name: string): Promise<void> {
    const folder = this.folders.get(name)
    if (folder && folder.files.size > 0) return Promise.reject(new DOMException(name, 'InvalidModificationError'))
    this.folders.delete(name)
    this.files.delete(name)
    return Promise.resolve()
  }
  async *keys(): AsyncGenerator<string> {
    yield* this.files
  }
}

afterEach(() => vi.unstubAllGlobals())

it('leaves nothing of a conversion whose worker died, not even the outputs that were whole', async () => {
  const root = new FakeFolder()
  const outputs = await root.getDirectoryHandle(OUTPUT_FOLDER, { create: true })
  class DyingWorker extends EventTarget {
    postMessage(): void {
      void outputs.getDirectoryHandle('job', { create: true }).then(({ files }) => {
        files.add('whole').add('begun.part')
        this.dispatchEvent(new Event('error'))
      })
    }
    terminate(): void {}
  }
  vi.stubGlobal('FileSystemFileHandle', vi.fn())
  vi.stubGlobal('Worker', DyingWorker)
  vi.stubGlobal('navigator', {
    storage: { getDirectory: () => Promise.resolve(root) },
    locks: { request: (_: string, run: () => Promise<unknown>) => run() },
  })
  const plan = { format: 'arrow', settings: { kind: 'arrow', layout: 'file' }, tables: [] } as const
  const request = { jobId: 'job', plan, target: 'csv', options: defaultOptions('csv') } as const
  const converting = createEngineClient().convert(new File(['x'], 'x.arrow'), request)
  await expect(converting).rejects.toMatchObject({ code: 'worker-lost' })
  expect(outputs.folders.size).toBe(0)
})
