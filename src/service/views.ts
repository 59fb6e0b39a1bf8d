import type { ApiKey, CreateDatasetData, Dataset, DatasetDetails, Table, Workspace } from '../contract/schemas.ts'
import type { DatasetRecord, KeyRecord, TableRecord, WorkspaceRecord } from './ports.ts'

/* Datasets, workspaces and keys in the form of responses. */

const instant = (time: number): string => new Date(time).toISOString()

/** In the response to its creation. */
export function createdView(dataset: DatasetRecord): CreateDatasetData['dataset'] {
  return {
    id: dataset.id,
    name: dataset.name,
    workspace_id: dataset.workspaceId,
    visibility: dataset.visibility,
    created_at: instant(dataset.createdAt),
  }
}

/** In lists. */
export function listView(dataset: DatasetRecord, withTables: boolean): Dataset {
  const entry = { ...createdView(dataset), tags: [...dataset.tags] }
  return withTables ? { ...entry, tables: dataset.tables.map(tableView) } : entry
}

export function detailsView(dataset: DatasetRecord): DatasetDetails {
  return {
    ...createdView(dataset),
    tags: [...dataset.tags],
    description: dataset.description,
    updated_at: instant(dataset.updatedAt),
    tables: dataset.tables.map(tableView),
  }
}

/** For keys that may change the dataset but not read it. */
export function changeView({ id, updatedAt }: DatasetRecord): { readonly id: string; readonly updated_at: string } {
  return { id, updated_at: instant(updatedAt) }
}

function tableView(table: TableRecord): Table {
  return {
    name: table.name,
    description: table.description,
    row_count: table.rowCount,
    byte_size: table.byteSize,
    schema: table.schema.map(({ name, type }) => ({ name, type })),
  }
}

export function viewWorkspace({ id, name, slug, plan, createdAt }: WorkspaceRecord): Workspace {
  return { id, name, slug, plan, created_at: instant(createdAt) }
}

/** Doesn't include the key itself, which isn't stored. */
export function viewKey(key: KeyRecord): ApiKey {
  const { id, name, scopes, last4 } = key
  return {
    id,
    name,
    scopes: [...scopes],
    last4,
    created_at: instant(key.createdAt),
    last_used_at: nullable(key.lastUsedAt),
    expires_at: nullable(key.expiresAt),
    revoked_at: nullable(key.revokedAt),
  }
}

function nullable(milliseconds: number | null): string | null {
  return milliseconds === null ? null : instant(milliseconds)
}
