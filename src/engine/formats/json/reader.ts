import type { FormatReader } from '../types.ts'
import { inspect } from './inspect.ts'
import { read } from './read.ts'
import { inspectRest } from './second-half.ts'

export const jsonReader: FormatReader = {
  format: 'json',
  convertsTypes: true,
  inspect,
  inspectRest,
  read,
}
