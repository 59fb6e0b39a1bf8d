import { afterEach, expect, test, vi } from 'vitest'
import type { LocalTableName, Session } from '../../session/session.ts'
import { prepareDatasets } from './prepare.ts'

afterEach(() => void vi.unstubAllGlobals())

const ORDERS: LocalTableName = { datasetId: 'd', workspace: 'ws', dataset: 'Shop', table: 'orders', fileId: 'f' }

/** Whether the engine is started. @param tables null where the service is elsewhere */
async function starts(tables: readonly LocalTableName[] | null, saveData = false): Promise<boolean> {
  vi.stubGlobal('navigator', { connection: { saveData } })
  const local = tables && { tables: (id: string) => Promise.resolve(id === 'w' ? tables : []) }
  const start = vi.fn<() => void>()
  await prepareDatasets({ workspaceId: 'w', local } as unknown as Session, start)
  return start.mock.calls.length > 0
}

test('the engine is started where it’s in this page and a dataset can be opened', async () => {
  expect(await starts([ORDERS])).toBe(true)
  expect(await starts([])).toBe(false)
  expect(await starts(null)).toBe(false)
  await expect(prepareDatasets(null)).resolves.toBeUndefined()
})

test('on a device that saves data it isn’t', async () => {
  expect(await starts([ORDERS], true)).toBe(false)
})
