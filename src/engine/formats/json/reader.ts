import type { FormatReader } from '../types.ts'
import { read } from './read.ts'

/* What inspects a file loads when it's needed: a conversion only reads. */

export const jsonReader: FormatReader = {
  format: 'json',
  convertsTypes: true,
  inspect: async (...request) => (await import('./inspect.ts')).inspect(...request),
  inspectRest: async (...rest) => (await import('./second-half.ts')).inspectRest(...rest),
  read,
}
