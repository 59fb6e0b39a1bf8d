import type { FormatId } from '../../contract/formats.ts'
import type { FormatReader, FormatWriter } from './types.ts'

/* Formats load when they're first needed: a CSV file doesn't wait for the Parquet library. */

const READERS: Readonly<Record<FormatId, () => Promise<FormatReader>>> = {
  csv: async () => (await import('./csv/index.ts')).csvReader,
  tsv: async () => (await import('./csv/index.ts')).tsvReader,
  json: async () => (await import('./json/index.ts')).jsonReader,
  xlsx: async () => (await import('./xlsx/index.ts')).xlsxReader,
  parquet: async () => (await import('./parquet/index.ts')).parquetReader,
  arrow: async () => (await import('./arrow/index.ts')).arrowReader,
}

const WRITERS: Readonly<Record<FormatId, () => Promise<FormatWriter>>> = {
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

export function writerOf(format: FormatId): Promise<FormatWriter> {
  return WRITERS[format]()
}
