import { afterEach, expect, it, vi } from 'vitest'
import { FileSystemOutputs } from './file-outputs.ts'

afterEach(() => vi.unstubAllGlobals())

it('names the full disk, also when not even a file can be begun', async () => {
  const getDirectory = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'))
  vi.stubGlobal('navigator', { storage: { getDirectory } })
  await expect(new FileSystemOutputs().create('job')).rejects.toMatchObject({ code: 'out-of-space' })
})
