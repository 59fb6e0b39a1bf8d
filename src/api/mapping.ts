import type * as wire from '../contract/schemas.ts'
import type {
  CreatedDataset,
  DatasetChange,
  DatasetDetails,
  DatasetSummary,
  DatasetTable,
  NewDataset,
  UploadTarget,
} from './client.ts'

/* The only place that translates between the service's words and the app's. */

function toTable(table: wire.Table): DatasetTable {
  return {
    name: table.name,
    description: table.description,
    rowCount: table.row_count,
    byteSize: table.byte_size,
    schema: table.schema,
  }
}

export function toSummary(dataset: wire.Dataset): DatasetSummary {
  return {
    id: dataset.id,
    name: dataset.name,
    workspaceId: dataset.workspace_id,
    visibility: dataset.visibility,
    createdAt: new Date(dataset.created_at),
    tags: dataset.tags,
    tables: dataset.tables?.map(toTable) ?? null,
  }
}

export function toDetails(dataset: wire.DatasetDetails): DatasetDetails {
  return {
    ...toSummary(dataset),
    description: dataset.description,
    updatedAt: new Date(dataset.updated_at),
    tables: dataset.tables.map(toTable),
  }
}

export function toCreated({
  dataset,
  tables,
}: Pick<wire.CreateDatasetData, 'tables'> & {
  readonly dataset: Pick<wire.CreateDatasetData['dataset'], 'id' | 'name'>
}): CreatedDataset {
  return {
    id: dataset.id,
    name: dataset.name,
    tables: tables.map((table) => ({
      name: table.table_name,
      rows: table.rows_ingested,
      schema: table.schema,
      error: table.status === 'success' ? null : (table.error ?? NO_REASON),
    })),
  }
}

/**
 * The answer to a request to create a dataset, made from the dataset found afterwards. The answer that said why tables
 * are missing is lost.
 */
export function toMade({ id, name, tables }: DatasetDetails, asked: NewDataset['tables']): CreatedDataset {
  const made = new Map(tables.map((table) => [table.name, table]))
  return {
    id,
    name,
    tables: asked.map((table) => {
      const { rowCount: rows = 0, schema = [] } = made.get(table.name) ?? {}
      return { name: table.name, rows, schema, error: made.has(table.name) ? null : NO_REASON }
    }),
  }
}

const NO_REASON = { code: 'INVALID_REQUEST', message: 'The service didn’t say why.' } as const

export function toUploadTarget(url: wire.SignedUrl): UploadTarget {
  return { filename: url.filename, signedUrl: url.signed_url, expiresAt: new Date(url.expires_at) }
}

export function fromNewDataset(dataset: NewDataset, workspaceId: string): wire.CreateDatasetRequest {
  return {
    workspace_id: workspaceId,
    dataset_name: dataset.name,
    description: dataset.description,
    visibility: dataset.visibility,
    tags: [...dataset.tags],
    tables: dataset.tables.map(fromTable),
  }
}

export const fromTable = ({
  name,
  signedUrl,
  description,
}: NewDataset['tables'][number]): wire.CreateDatasetRequest['tables'][number] => ({
  table_name: name,
  signed_url: signedUrl,
  description,
})

/** Contains only what changes, since missing fields keep their values. */
export function fromChange(change: DatasetChange): wire.UpdateDatasetRequest {
  return {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.description === undefined ? {} : { short_description: change.description }),
    ...(change.visibility === undefined ? {} : { visibility: change.visibility }),
    ...(change.tags === undefined ? {} : { tags: [...change.tags] }),
  }
}
