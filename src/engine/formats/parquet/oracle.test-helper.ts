import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { RecordBatch } from 'apache-arrow'
import { parseType } from '../../../tables/types.ts'
import type { EngineContext, FormatReader, ReadRequest } from '../types.ts'

/* For tests: native DuckDB as the other program. */

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-'))
let connection: Promise<DuckDBConnection> | undefined

function connect(): Promise<DuckDBConnection> {
  connection ??= DuckDBInstance.create(':memory:').then((instance) => instance.connect())
  return connection
}

export async function sql(text: string): Promise<unknown[][]> {
  const reader = await (await connect()).runAndReadAll(text)
  return reader.getRowsJson()
}

export function tempPath(extension: string): string {
  return join(folder, `${randomUUID()}.${extension}`)
}

/** Rows of a query as a Parquet file made by native DuckDB. */
export async function duckParquet(query: string, options = ''): Promise<{ path: string; file: File }> {
  const path = tempPath('parquet')
  await sql(`COPY (${query}) TO '${path}' (FORMAT parquet${options === '' ? '' : `, ${options}`})`)
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

export const context: EngineContext = { signal: new AbortController().signal, progress: () => undefined }

/** Inspects a file and reads every column in the types found. */
export async function readAll(
  reader: FormatReader,
  file: File,
  own: EngineContext = context,
): Promise<{ names: string[]; types: string[]; nulls: number[]; batches: RecordBatch[]; rows: number }> {
  const inspection = await reader.inspect(file, {}, own)
  const [table] = inspection.tables
  const request: ReadRequest = {
    settings: inspection.settings,
    table: null,
    columns: table.columns.map(({ index, source, type }) => ({ index, source, type: parseType(type) })),
  }
  const batches: RecordBatch[] = []
  let rows = 0
  for await (const { batch } of reader.read(file, request, own)) {
    batches.push(batch)
    rows += batch.numRows
  }
  return {
    names: table.columns.map(({ name }) => name),
    types: table.columns.map(({ type }) => type),
    nulls: table.columns.map(({ nulls }) => nulls),
    batches,
    rows,
  }
}
