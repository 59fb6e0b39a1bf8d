export { bzip2At, bzip2Bits, bzip2Block, bzip2Check, bzip2Open, bzip2Write } from './bzip2'
export { beginCells, cellsSize, hasNul, markEmpty, markNulls, readCells, setEscapes, sumCells, sumTexts } from './cells'
export { csvEnd, setCsv, writeCsv } from './csv'
export { usePowers } from './doubles'
export { findDoubles, findPairs, findQuads, findTexts, findWords, foundAt } from './extremes'
export {
  addToRows,
  canonicalizeNans,
  beginRows,
  expandBits,
  finishRows,
  hashLists,
  hashNulls,
  hashPairs,
  hashQuads,
  hashTexts,
  hashWords,
  sumHashes,
} from './hash'
export { hashText, jsonEnd, jsonLine, keyHash, setJson, splitJson, sumRow } from './json'
export { skipCells, skippedAt } from './skip'
export { usePlaces } from './places'
export { hashBlocks } from './sha256'
export { setDialect, splitCrlf, splitEnd, splitFields, splitLines, splitRecords } from './split'
export { findInvalidUtf8, isUtf8 } from './utf8'
export { xxhAdd, xxhBegin, xxhEnd, zstdBegin, zstdBlock } from './zstd'

/** Address of the first free byte. */
export function freeFrom(): usize {
  return __heap_base
}
