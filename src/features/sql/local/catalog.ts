import type { DatasetSummary } from '../../../api/client.ts'
import type { DroppedFile, SessionTables } from '../../../engine/client.ts'
import { asError } from '../../../lib/errors.ts'
import { Store } from '../../../lib/store.ts'
import type { LocalTableName, Session } from '../../../session/session.ts'
import { namesOf, quoteReference, sameName, type Schema, type SchemaTable } from '../../../lib/duckdb-sql/index.ts'
import type { LocalSource, LocalTableRecord } from '../types.ts'
import { keptTables } from './kept.ts'

interface CatalogState {
  readonly status: 'loading' | 'ready' | 'failed'
  /** Why the datasets can't be listed. */
  readonly error: Error | null
  /** Without temporary tables. */
  readonly schema: Schema
}

interface CatalogDependencies {
  /** The current session, and a subscription to later ones. */
  readonly session: () => Promise<Session>
  readonly onSession: (listener: () => void) => () => void
  /** Subscribes to changes of datasets, in this window or another. */
  readonly onDatasets: (listener: () => void) => () => void
  readonly local: LocalTablesSource
}

/** Tables of dropped files. */
interface LocalTablesSource {
  readonly snapshot: () => readonly LocalTableRecord[]
  readonly subscribe: (listener: () => void) => () => void
  /** Resolves once they have been read. */
  load(): Promise<void>
}

interface Published {
  readonly workspaces: Schema['workspaces']
  readonly named: readonly LocalTableName[]
}

const NOTHING: Published = { workspaces: [], named: [] }

/** The tables that statements can use now: the session's datasets and the local tables. */
export class Catalog extends Store<CatalogState> {
  private readonly deps: CatalogDependencies
  private published = NOTHING
  private tables: SessionTables = { published: [], local: [] }
  private loading: Promise<void> | null = null
  private again = false
  private workspaceId: string | null = null

  constructor(deps: CatalogDependencies) {
    super({ status: 'loading', error: null, schema: schemaOf(NOTHING, []) })
    this.deps = deps
    deps.onDatasets(() => void this.refresh())
    deps.onSession(() => void this.refresh())
    deps.local.subscribe(() => this.combine())
  }

  /** The tables for a SQL session. Local tables only if datasets can't be listed. */
  async sessionTables(): Promise<SessionTables> {
    if (this.state.status === 'loading') void this.refresh()
    // Read once more if something changed meanwhile.
    while (this.loading) await this.loading
    return this.tables
  }

  /**
   * Whether a name may be a table of a remote service: one that it lists, or one that it doesn't list for this API key.
   */
  mayBeElsewhere(written: string): boolean {
    const [workspace, dataset, table, ...rest] = namesOf(written) ?? []
    if (workspace === undefined || dataset === undefined || table === undefined || rest.length > 0) return false
    const known = this.state.schema.workspaces.find(({ name }) => sameName(name, workspace))
    const named = known?.datasets.find(({ name }) => sameName(name, dataset))
    return !known || (named?.tables.some(({ name }) => sameName(name, table)) ?? false)
  }

  /** Reads the datasets again. If something changes meanwhile, reads once more. */
  refresh(): Promise<void> {
    if (this.loading) {
      this.again = true
      return this.loading
    }
    this.loading = this.load().finally(() => {
      this.loading = null
      if (!this.again) return
      this.again = false
      void this.refresh()
    })
    return this.loading
  }

  private async load(): Promise<void> {
    await this.deps.local.load().catch(() => undefined)
    try {
      const session = await this.deps.session()
      if (this.workspaceId !== session.workspaceId) this.published = NOTHING
      this.workspaceId = session.workspaceId
      const [datasets, named] = await Promise.all([
        session.api.listDatasets({ tables: true }),
        session.local?.tables(session.workspaceId) ?? [],
      ])
      this.published = publishedOf(session, datasets, named)
      this.state = { ...this.state, status: 'ready', error: null }
    } catch (error) {
      this.state = { ...this.state, status: 'failed', error: asError(error) }
    }
    this.combine()
  }

  private combine(): void {
    const records = this.deps.local.snapshot()
    const local = records.filter(({ kept }) => !kept)
    this.tables = {
      published: this.published.named,
      local: local.map(({ name, fileId, source, columns, onDisk, sample, database }) => ({
        name,
        fileId,
        // The file's name stands for all of its rows, so not for a sample.
        ...(sample ? {} : { file: fileOf(source, columns) }),
        ...(onDisk ? { onDisk } : {}),
        ...(database ? { database } : {}),
      })),
      kept: keptTables(records),
    }
    this.merge({ schema: schemaOf(this.published, records) })
  }
}

/** The file that a table was made from, which statements may use by name. */
function fileOf({ name, path = name, table, read }: LocalSource, columns: LocalTableRecord['columns']): DroppedFile {
  return { path, table, columns, read: read ?? null }
}

/** Datasets by workspace, the session's own first. Only datasets that the service lists for this API key have files. */
function publishedOf(
  session: Session,
  datasets: readonly DatasetSummary[],
  named: readonly LocalTableName[],
): Published {
  const slugs = new Map(named.map(({ datasetId, workspace }) => [datasetId, workspace]))
  const workspaceOf = ({ id, workspaceId }: DatasetSummary): string =>
    workspaceId === session.workspaceId && session.slug !== '' ? session.slug : (slugs.get(id) ?? workspaceId)
  const byWorkspace = new Map<string, DatasetSummary[]>()
  for (const dataset of datasets) {
    const workspace = workspaceOf(dataset)
    byWorkspace.set(workspace, [...(byWorkspace.get(workspace) ?? []), dataset])
  }
  const listed = new Set(datasets.map(({ id }) => id))
  const order = (a: string, b: string): number =>
    Number(b === session.slug) - Number(a === session.slug) || a.localeCompare(b)
  return {
    named: named.filter(({ datasetId }) => listed.has(datasetId)),
    workspaces: [...byWorkspace.keys()].sort(order).map((workspace) => ({
      name: workspace,
      datasets: (byWorkspace.get(workspace) ?? [])
        .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
        .map(({ id, name, tables }) => ({
          id,
          name,
          tables: (tables ?? []).map((table): SchemaTable => ({
            name: table.name,
            rowCount: table.rowCount,
            columns: table.schema,
            reference: quoteReference([workspace, name, table.name]),
          })),
        })),
    })),
  }
}

function schemaOf({ workspaces }: Published, records: readonly LocalTableRecord[]): Schema {
  return {
    workspaces,
    kept: records
      .filter(({ kept }) => kept)
      .map(({ id, name, rowCount, columns }) => ({
        id,
        name,
        rowCount,
        columns,
        reference: quoteReference(['my', name]),
      })),
    local: records
      .filter(({ kept }) => !kept)
      .map(({ id, name, source, rowCount, columns }) => ({
        id,
        file: fileOf(source, columns).path,
        name,
        rowCount,
        columns,
        reference: quoteReference(['local', name]),
      })),
    temporary: [],
  }
}
