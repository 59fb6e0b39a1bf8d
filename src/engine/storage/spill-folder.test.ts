import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Disk } from '../../lib/testing/disk.ts'
import { createSpillFile, sweepSpill } from './spill-folder.ts'

const disk = new Disk()

beforeEach(() => {
  disk.erase()
  vi.stubGlobal('navigator', disk.navigator())
})
afterEach(() => vi.unstubAllGlobals())

it('removes the files of workers that are gone, and waits for none that lives', async () => {
  const { name } = await createSpillFile()
  const folder = await disk.root.getDirectoryHandle('spill')
  for (const gone of ['one', 'two']) await folder.getFileHandle(gone, { create: true })
  await sweepSpill()
  expect([...disk.files.keys()]).toEqual([`spill/${name}`])
})

it('has nothing to do where there are no such files, or no private file system', async () => {
  await sweepSpill({ waits: true })
  vi.stubGlobal('navigator', {})
  await sweepSpill()
  expect(disk.files.size).toBe(0)
})
