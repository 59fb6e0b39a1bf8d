import { formatInfo, type FormatId } from '../../contract/formats.ts'
import { EngineError } from '../errors.ts'
import type { FormatReader, FormatWriter } from './types.ts'

/* Formats are loaded on demand, so that a CSV file doesn't wait for the Parquet library. */

const READERS: Readonly<Record<FormatId, () => Promise<FormatReader>>> = {
  csv: async () => (await import('./csv/reader.ts')).csvReader,
  tsv: async () => (await import('./csv/reader.ts')).tsvReader,
  json: async () => (await import('./json/reader.ts')).jsonReader,
  xlsx: async () => (await import('./xlsx/reader.ts')).xlsxReader,
  xls: async () => (await import('./sheetjs/reader.ts')).xlsReader,
  xlsb: async () => (await import('./sheetjs/reader.ts')).xlsbReader,
  ods: async () => (await import('./ods/reader.ts')).odsReader,
  parquet: async () => (await import('./parquet/reader.ts')).parquetReader,
  arrow: async () => (await import('./arrow/reader.ts')).arrowReader,
  duckdb: async () => (await import('./duckdb/reader.ts')).duckdbReader,
  sqlite: async () => (await import('./sqlite/reader.ts')).sqliteReader,
}

/** Bytes that identify a format, in hexadecimal, with their offsets. Any one line is enough. */
const SIGNATURES: readonly (readonly [FormatId, ...(readonly [at: number, bytes: string])[]])[] = [
  ['parquet', [0, '50415231']],
  ['parquet', [0, '50415245']],
  ['arrow', [0, '4152524f5731']],
  ['arrow', [0, '46454131']],
  // An IPC stream begins with a continuation marker and the schema's length.
  ['arrow', [0, 'ffffffff'], [7, '00']],
  // ZIP: the entries determine the format.
  ['xlsx', [0, '504b0304']],
  ['xlsx', [0, '504b0506']],
  // The compound file of Office before 2007, also used for encrypted workbooks; and workbooks before Excel 95, which
  // aren't compound files.
  ['xls', [0, 'd0cf11e0']],
  ['xls', [0, '09000400']],
  ['xls', [0, '09020600']],
  ['xls', [0, '09040600']],
  ['xls', [0, '09080800']],
  ['duckdb', [8, '4455434b']],
  ['sqlite', [0, '53514c69746520666f726d6174203300']],
]

const WRITERS: Readonly<Partial<Record<FormatId, () => Promise<FormatWriter>>>> = {
  csv: async () => (await import('./csv/writer.ts')).csvWriter,
  tsv: async () => (await import('./csv/writer.ts')).tsvWriter,
  json: async () => (await import('./json/writer.ts')).jsonWriter,
  xlsx: async () => (await import('./xlsx/write/write.ts')).xlsxWriter,
  parquet: async () => (await import('./parquet/writer.ts')).parquetWriter,
  arrow: async () => (await import('./arrow/writer.ts')).arrowWriter,
}

export function readerOf(format: FormatId): Promise<FormatReader> {
  return READERS[format]()
}

/** Rejects with an `EngineError` if the format can't be written. */
export async function writerOf(format: FormatId): Promise<FormatWriter> {
  const load = WRITERS[format]
  if (load) return load()
  throw new EngineError('unwritable', `${formatInfo(format).displayName} is a format that is only read.`, {
    remedy: 'Choose another format.',
  })
}

/** The format identified by a file's first bytes; null if none is. Text formats have no signature. */
export function formatOfSignature(head: Uint8Array): FormatId | null {
  const found = SIGNATURES.find(([, ...pieces]) => pieces.every(([at, bytes]) => startsWith(head.subarray(at), bytes)))
  return found?.[0] ?? null
}

/** Whether the bytes begin with `magic`, given in hexadecimal. */
export function startsWith(bytes: Uint8Array, magic: string): boolean {
  for (let i = 0; i < magic.length; i += 2) {
    if (bytes[i / 2] !== Number.parseInt(magic.slice(i, i + 2), 16)) return false
  }
  return true
}
