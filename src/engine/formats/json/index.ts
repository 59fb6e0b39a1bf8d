import type { FormatReader } from '../types.ts'
import { inspect } from './inspect.ts'
import { read } from './read.ts'

export { jsonWriter } from './write.ts'

export const jsonReader: FormatReader = { format: 'json', inspect, read, convertsTypes: true }
