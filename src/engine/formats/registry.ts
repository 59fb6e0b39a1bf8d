import { formatInfo, type FormatId } from '../../contract/formats.ts'
import { EngineError } from '../errors.ts'
import type { FormatReader, FormatWriter } from './types.ts'

/* Formats load when they're first needed: a CSV file doesn't wait for the Parquet library. */

const READERS: Readonly<Record<FormatId, () => Promise<FormatReader>>> = {
  csv: async () => (await import('./csv/index.ts')).csvReader,
  tsv: async () => (await import('./csv/index.ts')).tsvReader,
  json: async () => (await import('./json/index.ts')).jsonReader,
  xlsx: async () => (await import('./xlsx/index.ts')).xlsxReader,
  parquet: async () => (await import('./parquet/index.ts')).parquetReader,
  arrow: async () => (await import('./arrow/index.ts')).arrowReader,
  duckdb: async () => (await import('./duckdb/index.ts')).duckdbReader,
}

const WRITERS: Readonly<Partial<Record<FormatId, () => Promise<FormatWriter>>>> = {
  csv: async () => (await import('./csv/index.ts')).csvWriter,
  tsv: async () => (await import('./csv/index.ts')).tsvWriter,
  json: async () => (await import('./json/index.ts')).jsonWriter,
  xlsx: async () => (await import('./xlsx/index.ts')).xlsxWriter,
  parquet: async () => (await import('./parquet/index.ts')).parquetWriter,
  arrow: async () => (await import('./arrow/index.ts')).arrowWriter,
}

export function readerOf(format: FormatId): Promise<FormatReader> {
  return READERS[format]()
}

/** Rejects with an `EngineError` when the format isn't one that's written. */
export async function writerOf(format: FormatId): Promise<FormatWriter> {
  const load = WRITERS[format]
  if (load) return load()
  throw new EngineError('unwritable', `${formatInfo(format).displayName} is a format that is only read.`, {
    remedy: 'Choose another format.',
  })
}
