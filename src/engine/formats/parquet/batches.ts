import { RecordBatchReader, type RecordBatch, type Schema } from 'apache-arrow'
import type { ParquetFile, RecordBatch as WasmBatch } from 'parquet-wasm/esm'
import { EngineError } from '../../errors.ts'
import { BATCH_BYTES, BATCH_ROWS, readBatches } from '../../arrow/batch.ts'
import type { Footer } from './footer.ts'
import type { Leaf } from './schema.ts'
import { guarded, guardedSync, loadParquet } from './wasm.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/** A selection of the file's leaves by path, as the library requires. */
interface Projection {
  /** Undefined: all leaves. */
  readonly paths: readonly string[] | undefined
  /** The columns of a batch, in order. These may be too many, since the library also matches prefixes of a path. */
  readonly columns: readonly number[]
}

export function project(leaves: readonly Leaf[], paths: readonly string[]): Projection {
  const wanted = new Set(paths)
  const chosen = leaves.filter(({ path }) => hasPrefix(path, wanted))
  const columns = [...new Set(chosen.map(({ column }) => column))]
  return { paths: chosen.length === leaves.length ? undefined : [...wanted], columns }
}

/** Whether the path, or a prefix of it that ends before a dot, is wanted. */
function hasPrefix(path: string, wanted: ReadonlySet<string>): boolean {
  for (let end = path.indexOf('.'); end >= 0; end = path.indexOf('.', end + 1)) {
    if (wanted.has(path.slice(0, end))) return true
  }
  return wanted.has(path)
}

/** Opens a file in the library; the caller must free it. */
export async function openInLibrary(file: Blob): Promise<ParquetFile> {
  const { ParquetFile } = await loadParquet()
  return guarded('the footer', () => ParquetFile.fromFile(file))
}

export function arrowSchema(file: ParquetFile): Schema {
  const bytes = guardedSync('the footer', () => file.schema().intoIPCStream())
  const reader = RecordBatchReader.from(bytes)
  reader.open()
  return reader.schema
}

interface GroupBatch {
  readonly batch: RecordBatch
  readonly group: number
  /** Rows of this row group so far, including this batch. */
  readonly rows: number
}

/**
 * Reads the row groups one after another, in batches. Memory holds the compressed bytes of one row group's chosen
 * columns, and the values of one batch.
 * @param parts the row groups to read, by default all
 * @throws {EngineError} `corrupt-file` that names the row group
 */
export async function* readGroups(
  file: ParquetFile,
  footer: Footer,
  projection: Projection,
  signal: AbortSignal,
  { limit = Infinity, parts }: { readonly limit?: number; readonly parts?: ReadonlySet<number> } = {},
): AsyncGenerator<GroupBatch, void, undefined> {
  let left = limit
  for (const [group, { rows: total }] of footer.rowGroups.entries()) {
    if (left <= 0) return
    if (total === 0 || parts?.has(group) === false) continue
    const place = placeOf(footer, group)
    const options = {
      rowGroups: [group],
      batchSize: batchSize(footer, group, left),
      concurrency: 1,
      ...(projection.paths ? { columns: [...projection.paths] } : {}),
    }
    const stream = await guarded(place, () => file.stream(options) as Promise<ReadableStream<WasmBatch>>)
    const reader = stream.getReader()
    let rows = 0
    try {
      while (left > 0) {
        const { done, value } = await guarded(place, () => reader.read())
        if (done) break
        const batch = fromLibrary(value, place)
        if (batch.numCols !== projection.columns.length) throw new EngineError('internal', 'Columns were lost.')
        rows += batch.numRows
        left -= batch.numRows
        yield { batch, group, rows }
        await checkpoint(signal)
      }
    } finally {
      reader.cancel().catch(() => undefined)
    }
    if (left > 0 && rows !== total) {
      throw new EngineError('corrupt-file', `A row group has ${rows} rows, but the footer counts ${total}.`, { place })
    }
  }
}

function fromLibrary(batch: WasmBatch, place: string): RecordBatch {
  const bytes = guardedSync(place, () => batch.intoIPCStream())
  const [first, ...more] = readBatches(bytes)
  if (!first || more.length > 0) throw new EngineError('internal', 'The Parquet library returned no batch.')
  return first
}

export function placeOf(footer: Footer, group: number): string {
  return `row group ${group + 1} of ${footer.rowGroups.length}`
}

/** Rows per batch, limited so that wide rows don't make it huge. */
function batchSize(footer: Footer, group: number, limit: number): number {
  const { rows, columns } = footer.rowGroups[group]
  const bytes = columns.reduce((sum, chunk) => sum + Math.max(chunk.uncompressed, chunk.unencoded), 0)
  const fitting = Math.floor((BATCH_BYTES * rows) / Math.max(1, bytes))
  return Math.max(1, Math.min(BATCH_ROWS, rows, limit, fitting))
}
