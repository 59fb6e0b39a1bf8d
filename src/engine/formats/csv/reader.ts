import type { FormatReader } from '../types.ts'
import { inspectCsv } from './inspect.ts'
import { readCsv } from './read.ts'
import { inspectRest } from './pass.ts'
import { sourceOfCsv } from './source.ts'

function makeReader(format: 'csv' | 'tsv'): FormatReader {
  return {
    format,
    convertsTypes: true,
    inspect: (file, given, context) => inspectCsv(file, format, given, context),
    inspectRest,
    read: readCsv,
    source: sourceOfCsv,
  }
}

export const csvReader: FormatReader = makeReader('csv')
export const tsvReader: FormatReader = makeReader('tsv')
