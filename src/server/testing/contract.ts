import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, onTestFinished, vi } from 'vitest'
import type { Records } from '../../service/ports.ts'

/* Puts the server's records and objects in the place of the browser's, for the service's own tests. */

vi.mock('../../service/stores/records-idb.ts', async () => {
  const { createRecords } = await import('../records/records.ts')
  const { emptyPglite } = await import('../records/testing.ts')
  /** How many the test that runs has opened. */
  let opened = 0
  const openRecords = () => {
    const which = opened++
    onTestFinished(() => {
      opened = 0
    })
    const opening = emptyPglite(which).then(createRecords)
    const read: Records['read'] = async (...request) => (await opening).read(...request)
    const write: Records['write'] = async (...request) => (await opening).write(...request)
    return { read, write, onChange: () => () => undefined, close: () => undefined }
  }
  return { openRecords }
})

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-contract-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

vi.mock('../../service/testing/objects.ts', async () => {
  const { createFileObjects } = await import('../objects/files.ts')
  const createMemoryObjects = () => createFileObjects({ folder: path.join(folder, crypto.randomUUID()), unnamedFor: 0 })
  return { createMemoryObjects }
})
