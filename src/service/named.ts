import type { Records } from './ports.ts'

/* What records refer to; everything else can be swept. */

/** Ids of objects' bytes. */
export async function namedBlobs(records: Records): Promise<ReadonlySet<string>> {
  const objects = await records.read(['objects'], (transaction) => transaction.all('objects'))
  return new Set(objects.flatMap(({ blobId }) => blobId ?? []))
}

/** Ids of tables' files. */
export async function namedFiles(records: Records): Promise<ReadonlySet<string>> {
  const datasets = await records.read(['datasets'], (transaction) => transaction.all('datasets'))
  return new Set(datasets.flatMap(({ tables }) => tables.map(({ fileId }) => fileId)))
}
