import type { PartReading } from '../types.ts'
import { openParts } from './open.ts'
import { jsonSettings, Reading } from './read.ts'

const LF = 0x0a
const SPACE = 0x20

/** NDJSON in parts: a line end is never within a row. */
export const lineParts: PartReading = {
  cutter: (settings) => {
    const inLines = settings.kind === 'json' && settings.layout === 'lines'
    if (!inLines || settings.compression !== null || settings.encoding !== 'utf-8') return null
    let headed = settings.rows !== 'arrays' || settings.header !== true
    return (bytes, near) => {
      // The header is in the first part, however many blank lines come before it.
      const header = headed ? 0 : bytes.findIndex((byte) => byte > SPACE)
      if (header < 0) return -1
      headed = true
      return bytes.indexOf(LF, Math.max(near, header)) + 1 || -1
    }
  },

  open: (request, context) => {
    const settings = jsonSettings(request)
    const open = openParts(settings, context)
    const reading = new Reading(open, settings, request)
    return async function* readPart({ index, bytes }) {
      open.load(bytes)
      if (index === 0) await open.begin()
      yield* reading.run()
    }
  },
}
