import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openFile } from './files.ts'

it.each([2 ** 32, 2 ** 32 + 12_345, 5 * 2 ** 30])('a file of %i bytes is opened whole or refused', async (size) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-files-'))
  try {
    const file = path.join(folder, 'large.csv')
    // A sparse file, which takes no space on the disk.
    const handle = await open(file, 'w')
    await handle.truncate(size)
    await handle.close()
    const opened = await openFile(file).catch((error: unknown) => error)
    if (opened instanceof File) expect(opened.size).toBe(size)
    else expect(opened).toMatchObject({ code: 'too-large', message: expect.stringContaining('“large.csv” is') })
  } finally {
    await rm(folder, { recursive: true })
  }
})
