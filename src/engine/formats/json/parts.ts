import { movedBehind } from '../../../tables/plan.ts'
import { JsonRows } from '../../kernel/json-rows.ts'
import type { PartReading } from '../types.ts'
import { openParts } from './open.ts'
import { jsonSettings, Reading } from './read.ts'

const LF = 0x0a
const SPACE = 0x20
/** So many parts that were of another form in the main are enough: the next ones will be, too. */
const MOST_MISSES = 3

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
    const inObjects = (settings.rows === undefined || settings.rows === 'objects') && !settings.keys
    const fastPath = inObjects && request.limit === undefined ? JsonRows.of(request.columns, request.checksums) : null
    let misses = 0
    return async function* readPart({ index, bytes }) {
      let rest = bytes
      const before = { rows: 0, lines: 0, found: [] as readonly boolean[] }
      /** What the file has of the columns, once all is known of this part. */
      const namesOf = (names: readonly string[] = []): readonly string[] =>
        request.columns.map(({ source, optional = false }, i) =>
          before.found[i] || optional || names[i] === source ? source : '',
        )
      if (fastPath && misses < MOST_MISSES) {
        fastPath.load(bytes)
        for (let from = -1; !fastPath.done && fastPath.read > from;) {
          from = fastPath.read
          const batch = fastPath.next()
          if (batch.numRows === 0) continue
          before.found = fastPath.found
          const told = fastPath.done || fastPath.found.every(Boolean)
          yield {
            batch,
            rejected: [],
            bytes: fastPath.read,
            ...(told ? { names: namesOf() } : {}),
            ...(request.checksums ? { checksums: fastPath.takeSums() } : {}),
          }
        }
        if (fastPath.done) return
        rest = bytes.subarray(fastPath.read)
        before.rows = fastPath.rows
        before.lines = fastPath.lines
        if (rest.length > bytes.length / 2) misses++
      }
      open.load(rest)
      if (index === 0) await open.begin()
      for await (const { names, ...read } of reading.run()) {
        const rejected = read.rejected.map((row) => movedBehind(row, before.rows, before.lines))
        yield {
          ...read,
          rejected,
          bytes: bytes.length - rest.length + read.bytes,
          ...(names ? { names: namesOf(names) } : {}),
        }
      }
    }
  },
}
