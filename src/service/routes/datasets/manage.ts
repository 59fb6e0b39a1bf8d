import type { Handler, Deps } from '../../call.ts'
import { ServiceError } from '../../failures.ts'
import { success, successOf } from '../../http.ts'
import type { DatasetRecord } from '../../ports.ts'
import { canRead, readable, writable } from '../access.ts'
import { changeView, detailsView, listView } from '../../views.ts'
import { addTables } from './add.ts'
import { change } from './change.ts'
import { yieldToEvents } from '../../../lib/yielding.ts'

const MANY = 100

/** Cached response of the last list, and whom it's for. */
interface Answer {
  readonly to: string
  readonly data: string
}

/** `GET /workspaces/{workspaceId}/datasets`: the datasets that the key may read, newest first. */
export function listDatasets({ ports }: Deps): Handler<'listDatasets'> {
  const written = { short: new WeakMap<DatasetRecord, string>(), tables: new WeakMap<DatasetRecord, string>() }
  const answers = { short: new WeakMap<object, Answer>(), tables: new WeakMap<object, Answer>() }
  return async ({ context, principal, params, query, now }) => {
    const workspaceId = params.workspaceId.toLowerCase()
    const [workspace, all] = await ports.records.read(['workspaces', 'datasets'], (transaction) =>
      Promise.all([transaction.get('workspaces', workspaceId), transaction.by('datasets', 'workspaceId', workspaceId)]),
    )
    if (!workspace) throw new ServiceError('NOT_FOUND', 'There is no workspace with this id.')
    const form = query.expand ?? 'short'
    // Everything that the response depends on.
    const to = [principal.workspace.id, ...principal.key.scopes].join(' ')
    const last = answers[form].get(all)
    if (last?.to === to) return successOf(context, now, last.data)
    // If the service runs in a page, split the work on many datasets into several tasks.
    const rest = query.expand === 'tables' && all.length > MANY ? yieldToEvents : () => undefined
    await rest()
    const shown = all.filter((dataset) => canRead(principal, dataset)).sort(newestFirst)
    const known = written[form]
    const entries = shown.map((dataset) => {
      const before = known.get(dataset)
      if (before !== undefined) return before
      const entry = JSON.stringify(listView(dataset, query.expand === 'tables'))
      known.set(dataset, entry)
      return entry
    })
    await rest()
    const data = `{"datasets":[${entries.join()}],"count":${entries.length}}`
    answers[form].set(all, { to, data })
    return successOf(context, now, data)
  }
}

/** For equal times, sorts by id, which begins with the time of its creation. */
const newestFirst = (a: DatasetRecord, b: DatasetRecord): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)

/** `GET /datasets/{datasetId}` */
export function getDataset({ ports }: Deps): Handler<'getDataset'> {
  return async ({ context, principal, params, now }) => {
    const dataset = await ports.records.read(['datasets'], (transaction) =>
      transaction.get('datasets', params.datasetId),
    )
    return success(context, now, { dataset: detailsView(readable(principal, dataset)) })
  }
}

/** `PATCH /datasets/{datasetId}`: changes only what the body contains. */
export function updateDataset(deps: Deps): Handler<'updateDataset'> {
  const { ports } = deps
  return async (call) => {
    const { context, principal, body, now } = call
    const { updated, ...added } =
      body.add_tables.length > 0 ? await addTables(deps, call) : { updated: await change(ports, call) }
    const dataset = canRead(principal, updated) ? detailsView(updated) : changeView(updated)
    return success(context, now, { dataset, ...added })
  }
}

/**
 * `DELETE /datasets/{datasetId}`. The record is removed first: if interrupted, that leaves files for the sweep, and no
 * damaged dataset.
 */
export function deleteDataset({ ports }: Deps): Handler<'deleteDataset'> {
  return async ({ context, principal, params, now }) => {
    const { id, tables } = await ports.records.write(['datasets'], async (transaction) => {
      const dataset = writable(principal, await transaction.get('datasets', params.datasetId))
      await transaction.remove('datasets', dataset.id)
      return dataset
    })
    for (const { fileId } of tables) {
      try {
        await ports.tables.remove(fileId)
      } catch (error) {
        ports.log(`${context.get('requestId')} a deleted dataset's file stays for the sweep`, error)
      }
    }
    return success(context, now, { id, deleted: true })
  }
}
