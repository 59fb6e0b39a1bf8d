import { refused } from '../gate/refusals.ts'
import type { DroppedFile } from '../session-types.ts'

/* Functions that read files. */

/** By their names, the kinds of files that they read. */
export const READERS: Readonly<Record<string, string>> = {
  parquet_scan: 'parquet',
  read_csv: 'csv',
  read_csv_auto: 'csv',
  read_json: 'json',
  read_json_auto: 'json',
  read_ndjson: 'json',
  read_ndjson_auto: 'json',
  read_parquet: 'parquet',
  read_xlsx: 'xlsx',
}
/** Functions of a file's bytes, which nothing here keeps. */
export const OF_BYTES: ReadonlySet<string> = new Set([
  'parquet_bloom_probe',
  'parquet_file_metadata',
  'parquet_kv_metadata',
  'parquet_metadata',
  'parquet_schema',
  'read_blob',
  'read_json_objects',
  'read_json_objects_auto',
  'read_ndjson_objects',
  'read_text',
  'sniff_csv',
])
export const FILE_FUNCTIONS: readonly string[] = ['glob', ...Object.keys(READERS)]

/** Fails for a function of `OF_BYTES`. */
export function noBytes(name: string): never {
  throw refused(
    `${name}() isn’t there: of a file that was dropped, statements see its table.`,
    "Read it as a table, as in FROM 'file.csv'. DESCRIBE and SUMMARIZE tell of its columns.",
  )
}

/** Fails where a function reads files of another kind. */
export function assertKind(name: string, files: readonly DroppedFile[]): void {
  for (const file of files) {
    const kind = file.read?.kind
    if (kind === undefined || kind === READERS[name]) continue
    const reader = Object.keys(READERS).find((each) => each.startsWith('read_') && READERS[each] === kind)
    throw refused(
      `${name} doesn’t read ${file.path}.`,
      `Write ${reader ? `${reader}(…)` : `FROM '${file.path}'`} instead.`,
    )
  }
}
