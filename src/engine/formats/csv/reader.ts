import type { FormatReader } from '../types.ts'
import { readCsv } from './read.ts'

/* What inspects a file, and shows its lines, loads when it's needed: a conversion only reads. */

function makeReader(format: 'csv' | 'tsv'): FormatReader {
  return {
    format,
    convertsTypes: true,
    inspect: async (file, given, context) => (await import('./inspect.ts')).inspectCsv(file, format, given, context),
    inspectRest: async (...rest) => (await import('./pass.ts')).inspectRest(...rest),
    read: readCsv,
    source: async (...request) => (await import('./source.ts')).sourceOfCsv(...request),
  }
}

export const csvReader: FormatReader = makeReader('csv')
export const tsvReader: FormatReader = makeReader('tsv')
