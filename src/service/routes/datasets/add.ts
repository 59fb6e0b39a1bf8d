import type { Issue } from '../../../contract/errors.ts'
import { MAX_TABLES } from '../../../contract/limits.ts'
import type { TableResult } from '../../../contract/schemas.ts'
import { foldName } from '../../../lib/names.ts'
import { ulid } from '../../../lib/ulid.ts'
import type { Call, Deps } from '../../call.ts'
import { ServiceError } from '../../failures.ts'
import type { DatasetRecord, TableRecord } from '../../ports.ts'
import { writable } from '../access.ts'
import { invalidRequest } from '../refusals.ts'
import { change } from './change.ts'
import { consume } from '../object-records.ts'
import { load, loadedOf, refusedTables, report } from './load.ts'
import { findSources, type Source } from './sources.ts'

type AddTables = Call<'updateDataset'>

/**
 * The part of `PATCH /datasets/{datasetId}` that loads uploads as new tables or as rows of existing tables: all or
 * nothing, together with the body's other changes. A table with added rows becomes a new file; the old one is left to
 * the sweep, since statements may still be reading it. An upload can be added only once, so that a retry doesn't
 * duplicate rows.
 */
export async function addTables(
  deps: Deps,
  call: AddTables,
): Promise<{ readonly updated: DatasetRecord; readonly tables: TableResult[] }> {
  const { ports } = deps
  const { principal, params, body, now } = call
  const dataset = writable(
    principal,
    await ports.records.read(['datasets'], (transaction) => transaction.get('datasets', params.datasetId)),
  )
  const sources = await sourcesFor(dataset, deps, call)
  const { made, outcomes } = await load(
    ports,
    call,
    { creationId: ulid(now), datasetId: dataset.id, sources },
    async (all) => {
      const loaded = loadedOf(all)
      if (loaded.length < all.length) {
        throw refusedTables(
          `${body.add_tables.length === 1 ? 'The table did not load' : 'Not all tables loaded'}, so nothing was added.`,
          all,
        )
      }
      return change(
        ports,
        call,
        async (transaction, { tables }) => {
          for (const { source } of loaded) {
            if (!(await consume(transaction, source.object, ports.clock.now()))) throw wasUsed(source)
          }
          return withAdded(tables, loaded)
        },
        ['datasets', 'objects'],
      )
    },
  )
  return { updated: made, tables: report(outcomes).tables }
}

/** The uploads to load, with the tables that they're added to. @throws {ServiceError} 400 and 409 */
async function sourcesFor(dataset: DatasetRecord, deps: Deps, { body }: AddTables): Promise<Source[]> {
  const found = await findSources(deps, dataset.workspaceId, 'add_tables', body.add_tables)
  const issues: Issue[] = [...found.issues]
  const tableOf = tableFinder(dataset.tables)
  const taken = body.add_tables.find(({ table_name, append }) => !append && tableOf(table_name))
  for (const [i, { table_name, append }] of body.add_tables.entries()) {
    if (append && !tableOf(table_name)) {
      issues.push({ path: `add_tables[${i}].table_name`, message: 'must be a table of the dataset, to add rows to' })
    }
  }
  const added = body.add_tables.filter(({ append }) => !append).length
  if (dataset.tables.length + added > MAX_TABLES) {
    issues.push({ path: 'add_tables', message: `must leave the dataset with at most ${MAX_TABLES} tables` })
  }
  if (issues.length > 0) throw invalidRequest(issues)
  const used = found.sources.find(({ object }) => object.consumedAt !== null)
  if (used) throw wasUsed(used)
  if (taken) throw nameTaken(taken.table_name)
  const appended = new Set(body.add_tables.filter(({ append }) => append).map(({ table_name }) => table_name))
  return found.sources.map((source) => {
    const onto = appended.has(source.name) ? tableOf(source.name) : undefined
    return onto ? { ...source, onto } : source
  })
}

function tableFinder(tables: readonly TableRecord[]): (name: string) => TableRecord | undefined {
  const byName = new Map(tables.map((table) => [foldName(table.name), table]))
  return (name) => byName.get(foldName(name))
}

/** The tables with the additions. @throws {ServiceError} 409 if they changed during loading */
function withAdded(
  tables: readonly TableRecord[],
  loaded: readonly { readonly source: Source; readonly table: TableRecord }[],
): TableRecord[] {
  const tableOf = tableFinder(tables)
  const replaced = new Map<TableRecord, TableRecord>()
  const added: TableRecord[] = []
  for (const { source, table } of loaded) {
    const { name, onto } = source
    const there = tableOf(name)
    if (!onto) {
      if (there) throw nameTaken(name)
      added.push(table)
      continue
    }
    if (there?.fileId !== onto.fileId) {
      throw new ServiceError(
        'CONFLICT',
        `The table “${onto.name}” was changed while the file was loading, so nothing was added. Try again.`,
      )
    }
    const { name: called, description } = there
    replaced.set(there, { ...table, name: called, description: table.description || description })
  }
  return [...tables.map((table) => replaced.get(table) ?? table), ...added]
}

const nameTaken = (name: string): ServiceError =>
  new ServiceError(
    'CONFLICT',
    `The dataset has a table named “${name}”. Choose another name, or add the rows to it with “append”.`,
  )

const wasUsed = ({ name }: Source): ServiceError =>
  new ServiceError(
    'CONFLICT',
    `The upload for “${name}” was used already, so nothing was added. Where it’s to be added once more, upload it again.`,
    { details: { reason: 'upload_used' } },
  )
