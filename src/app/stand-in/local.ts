import { EngineError, type TableStore } from '../../engine/client.ts'
import {
  createBackup,
  eraseEverything,
  inspectBackup,
  restoreBackup,
  type BackupDeps,
  type EraseTarget,
  type RestoreDeps,
} from '../../service/backup/index.ts'
import { foldName } from '../../lib/names.ts'
import type { LocalData } from '../../session/session.ts'

/** What only a service in this browser can do: provide its files, back up everything, erase everything. */
export function createLocalData(
  deps: BackupDeps & RestoreDeps,
  { store, erase }: { readonly store: TableStore; readonly erase: EraseTarget },
): LocalData {
  return {
    hasAnswered: store.hasAnswered,
    backup: (options) => createBackup(deps, options),
    inspectBackup: (file, options) => inspectBackup(file, deps.extras, options),
    restore: (file, options) => restoreBackup(deps, file, options),
    erase: () => eraseEverything(erase),
    async tableFile(datasetId, name) {
      const dataset = await deps.records.read(['datasets'], (transaction) => transaction.get('datasets', datasetId))
      const table = dataset?.tables.find((each) => foldName(each.name) === foldName(name))
      if (!table) return null
      try {
        return await store.file(table.fileId)
      } catch (error) {
        if (error instanceof EngineError && error.code === 'file-changed') return null
        throw error
      }
    },
    async tables(workspaceId) {
      const [workspaces, own, open] = await deps.records.read(['workspaces', 'datasets'], async (transaction) => [
        await transaction.all('workspaces'),
        await transaction.by('datasets', 'workspaceId', workspaceId),
        await transaction.by('datasets', 'visibility', 'public'),
      ])
      const slugs = new Map(workspaces.map(({ id, slug }) => [id, slug]))
      const datasets = new Map([...own, ...open].map((dataset) => [dataset.id, dataset]))
      return Array.from(datasets.values()).flatMap((dataset) => {
        const workspace = slugs.get(dataset.workspaceId)
        if (workspace === undefined) return []
        return dataset.tables.map(({ name, fileId }) => ({
          datasetId: dataset.id,
          workspace,
          dataset: dataset.name,
          table: name,
          fileId,
        }))
      })
    },
  }
}
