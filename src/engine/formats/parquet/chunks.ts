import type { ColumnChunk, Footer } from './footer.ts'

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
    const size = suspect ? await (await import('./pages.ts')).sizeOfPages(file, start, next, chunk.values) : null
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
