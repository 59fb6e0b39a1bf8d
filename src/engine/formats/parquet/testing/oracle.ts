import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordBatch } from 'apache-arrow'
import type { WriteOptions } from '../../../../tables/plan.ts'
import type { TableFingerprint } from '../../../../tables/receipt.ts'
import { parseType, type Column } from '../../../../tables/types.ts'
import { Fingerprinter } from '../../../convert/fingerprint/fingerprint.ts'
import { batchFromColumns } from '../../../arrow/batch.ts'
import { MemorySink } from '../../../../lib/sink.ts'
import type { EngineContext, FormatReader, FormatWriter, ReadRequest } from '../../types.ts'
import { nativeRows } from '../../../testing/oracle.ts'
import { QUIET } from '../../../testing/quiet.ts'

/* For tests: compares with native DuckDB. */

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-'))

export function tempPath(extension: string): string {
  return join(folder, `${randomUUID()}.${extension}`)
}

/** Writes a query's result to a Parquet file with native DuckDB. */
export async function duckParquet(query: string, options = ''): Promise<{ path: string; file: File }> {
  const path = tempPath('parquet')
  await nativeRows(`COPY (${query}) TO '${path}' (FORMAT parquet${options === '' ? '' : `, ${options}`})`)
  return { path, file: fileAt(path) }
}

export function fileAt(path: string): File {
  return new File([readFileSync(path)], path.slice(path.lastIndexOf('/') + 1))
}

export async function saveFile(file: File): Promise<string> {
  const path = tempPath(file.name.slice(file.name.lastIndexOf('.') + 1))
  writeFileSync(path, new Uint8Array(await file.arrayBuffer()))
  return path
}

export interface ReadTable {
  readonly columns: readonly Column[]
  readonly nulls: readonly number[]
  readonly batches: readonly RecordBatch[]
  readonly rows: number
  readonly fingerprint: TableFingerprint
}

/** Inspects a file, and reads every column with the detected types. */
export async function readAll(reader: FormatReader, file: File, own: EngineContext = QUIET): Promise<ReadTable> {
  const inspection = await reader.inspect(file, {}, own)
  const [table] = inspection.tables
  const columns = table.columns.map(({ name, type }) => ({ name, type: parseType(type) }))
  const request: ReadRequest = {
    settings: inspection.settings,
    table: null,
    columns: table.columns.map(({ index, source }, i) => ({ index, source, type: columns[i].type })),
  }
  const batches: RecordBatch[] = []
  const fingerprinter = new Fingerprinter(columns)
  for await (const { batch } of reader.read(file, request, own)) {
    batches.push(batch)
    fingerprinter.add(batch)
  }
  return {
    columns,
    nulls: table.columns.map(({ nulls }) => nulls),
    batches,
    rows: table.rows,
    fingerprint: fingerprinter.finish(),
  }
}

/** Adapts and writes a table like the pipeline. */
export async function writeAll(
  writer: FormatWriter,
  columns: readonly Column[],
  batches: readonly RecordBatch[],
  options: WriteOptions,
  own: EngineContext = QUIET,
): Promise<{ file: File; columns: Column[] }> {
  const sink = new MemorySink()
  const adaptations = columns.map((column) => writer.adapt(column, options))
  const adapted = columns.map((column, i) => ({ ...column, type: adaptations[i]?.type ?? column.type }))
  writer.check(adapted, options)
  const open = writer.open(sink, options, own)
  await open.begin({ name: 'table', columns: adapted })
  for (const batch of batches) {
    const data = batch.data.children.map(async (child, i) => (await adaptations[i]?.convert?.(child))?.data ?? child)
    await open.write(batchFromColumns(await Promise.all(data), batch.numRows))
  }
  await open.finish()
  return { file: sink.file(`table.${options.kind}`), columns: adapted }
}
