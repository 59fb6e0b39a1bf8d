export { hasNul, sumCells, sumQuoted, sumTexts } from './cells'
export { csvEnd, setCsv, writeCsv } from './csv'
export { readRecords, recordLines, recordsEnd, setDialect } from './csv-records'
export { usePowers } from './doubles'
export { linesEnd, linesRead, readLines } from './json-lines'
export { isUtf8 } from './utf8'

/** Where the memory is free. */
export function freeFrom(): usize {
  return __heap_base
}
