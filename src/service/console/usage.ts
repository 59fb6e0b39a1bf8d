import { ENDPOINT_LIMITS } from '../../contract/limits.ts'
import type { UsageWindow } from '../../contract/schemas.ts'
import { success } from '../http.ts'
import { endOf, newestFirst } from '../keys.ts'
import { remainingOf, usedOf, windowsOf } from '../middleware/windows.ts'
import type { Ports, WindowState } from '../ports.ts'
import type { ConsoleHandler } from '../call.ts'
import { findWorkspace } from './workspaces.ts'

/** Reports how much of their rate limits the workspace's keys have used, and how much it stores. */
export function usageHandler({ records }: Ports): ConsoleHandler<'usage'> {
  return async ({ context, params: { workspaceId }, now }) => {
    const stores = ['workspaces', 'keys', 'counters', 'datasets', 'objects'] as const
    const usage = await records.read(stores, async (transaction) => {
      const { plan } = await findWorkspace(transaction, workspaceId)
      const windows = windowsOf(plan, Object.keys(ENDPOINT_LIMITS), now)
      const all = await transaction.by('keys', 'workspaceId', workspaceId)
      const keys = all.filter((key) => !endOf(key, now)).sort(newestFirst)
      const used = await Promise.all(keys.map(({ id }) => usedOf(transaction, id, windows)))
      const datasets = await transaction.by('datasets', 'workspaceId', workspaceId)
      const objectBytes = await transaction.objectBytes(workspaceId)
      const tables = datasets.flatMap((dataset) => dataset.tables)
      return {
        keys: keys.map(({ id, name }, index) => ({ id, name, windows: (used[index] ?? []).map(viewWindow) })),
        storage: {
          used_bytes: tables.reduce((bytes, { byteSize }) => bytes + byteSize, objectBytes),
          dataset_count: datasets.length,
          table_count: tables.length,
        },
      }
    })
    return success(context, now, usage)
  }
}

function viewWindow(state: WindowState): UsageWindow {
  const { endpoint, name, limit, end } = state
  return { endpoint, window: name, limit, remaining: remainingOf(state), reset: end }
}
