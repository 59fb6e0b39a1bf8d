import type { ColumnChunk, Footer } from './footer.ts'
import { ThriftError, ThriftReader } from './thrift.ts'

/*
 * Some writers store wrong metadata of column chunks, which the library trusts, while other readers go by the pages: 0
 * for the offset of a missing dictionary; sizes that omit the dictionary's header (parquet-mr before 1.2.9) or were
 * never set.
 */

/** Corrections to a chunk's metadata. */
export interface MendedChunk {
  readonly dropsDictionary: boolean
  readonly compressed: number
}

/** Usual size of a page header with statistics; those with long texts take more. */
const HEADER_BYTES = 4096
const LONG_HEADER_BYTES = 16 * 1024 * 1024

/** Padding between chunks for alignment is ignored; a page header is shorter. */
const MOST_LEFT_OUT = 100

/** Finds the chunks whose metadata has to be corrected. */
export async function mendChunks(file: Blob, footer: Footer): Promise<Map<ColumnChunk, MendedChunk>> {
  const mended = new Map<ColumnChunk, MendedChunk>()
  const chunks = footer.rowGroups.flatMap((group) => group.columns)
  const starts = Float64Array.from([...chunks.map(startOf), footer.start]).toSorted()
  for (const chunk of chunks) {
    if (chunk.encrypted || chunk.values === 0) continue
    const start = startOf(chunk)
    const next = starts[firstAbove(starts, start)] ?? footer.start
    const left = next - start - chunk.compressed
    const dropsDictionary = chunk.dictionaryStart !== undefined && start !== chunk.dictionaryStart
    const suspect = chunk.compressed <= 0 || (start !== chunk.dataStart && left > 0 && left <= MOST_LEFT_OUT)
    const size = suspect ? await sizeOfPages(file, start, next, chunk.values) : null
    const compressed = size ?? chunk.compressed
    if (dropsDictionary || compressed !== chunk.compressed) mended.set(chunk, { dropsDictionary, compressed })
  }
  return mended
}

/** Start of the first page. A dictionary precedes the others, and no page is at the very beginning of the file. */
function startOf({ dataStart, dictionaryStart }: ColumnChunk): number {
  return dictionaryStart !== undefined && dictionaryStart >= 4 && dictionaryStart < dataStart
    ? dictionaryStart
    : dataStart
}

function firstAbove(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle] > value) high = middle
    else low = middle + 1
  }
  return low
}

/** Size in bytes of the pages with the given number of values; null if unknown. */
async function sizeOfPages(file: Blob, start: number, end: number, values: number): Promise<number | null> {
  let at = start
  for (let seen = 0; seen < values;) {
    const page = await pageAt(file, at, end)
    if (!page || at + page.size > end) return null
    seen += page.values
    at += page.size
  }
  return at - start
}

interface Page {
  /** Including its header. */
  readonly size: number
  /** Number of rows or values in it; 0 for a dictionary. */
  readonly values: number
}

async function pageAt(file: Blob, at: number, end: number): Promise<Page | null> {
  for (const length of [HEADER_BYTES, LONG_HEADER_BYTES]) {
    const reader = new ThriftReader(new Uint8Array(await file.slice(at, Math.min(end, at + length)).arrayBuffer()))
    try {
      return readPageHeader(reader)
    } catch (error) {
      if (!(error instanceof ThriftError)) throw error
    }
  }
  return null
}

/** @throws {ThriftError} */
function readPageHeader(reader: ThriftReader): Page {
  let packed = -1
  let values = 0
  reader.struct(({ id, type }) => {
    if (id === 3) packed = reader.int(type)
    else if (id === 5 || id === 8) {
      // In data pages of either version, the first field is the number of values.
      reader.struct((field) => {
        if (field.id !== 1) return false
        values = reader.int(field.type)
        return true
      })
    } else return false
    return true
  })
  if (packed < 0 || values < 0) reader.fail('no page')
  return { size: reader.at + packed, values }
}
