import type { ColumnChunk, Footer } from './footer.ts'
import { ThriftError, ThriftReader } from './thrift.ts'

/*
 * What some writers say of their column chunks isn't so, and the library takes it at its word, where others read the
 * pages: 0 for a dictionary that isn't there; sizes that leave out the dictionary's header (parquet-mr before 1.2.9) or
 * weren't filled in.
 */

/** What a chunk's metadata should have said. */
export interface MendedChunk {
  readonly dropsDictionary: boolean
  readonly compressed: number
}

/** A page's header with the statistics that some writers put there; those of long texts are longer. */
const HEADER_BYTES = 4096
const LONG_HEADER_BYTES = 16 * 1024 * 1024

/** Room that writers leave between chunks on purpose, to align them, isn't looked at; a page header is shorter. */
const MOST_LEFT_OUT = 100

/** The chunks whose metadata has to be shown otherwise than it is. */
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

/** Where its first page is: a dictionary stands before the others, and no page at the file's very beginning. */
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

/** How many bytes the pages with so many values take; null when it isn't known. */
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
  /** With its header. */
  readonly size: number
  /** Rows or values that it adds; a dictionary adds none. */
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
      // A data page, of either version: its first field counts its values.
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
