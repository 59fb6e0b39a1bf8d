import { formatBytes } from '../../../lib/bytes.ts'
import { formatCount, plural } from '../../../lib/counts.ts'
import { shortened } from '../../../lib/text.ts'
import type { CsvSettings, Inspection, Note } from '../../../tables/plan.ts'
import { EngineError } from '../../errors.ts'
import { openText } from '../../io/text-stream.ts'
import { FirstKeys, RecordCollector, type KeyedRecord } from './detection/records.ts'

/** How rows of records are written in memory. Quoted values are never null, and keys that a record lacks are. */
export const AS_ROWS = {
  delimiter: ',',
  quote: '"',
  escape: '"',
  comment: null,
  skipLines: 0,
  header: true,
  encoding: 'utf-8',
  compression: null,
  shortRows: 'reject',
} as const satisfies Partial<CsvSettings>

/** The most that is written in memory. */
const MAX_BYTES = 256 * 1024 * 1024
const PIECE = 1024 * 1024
const SHOWN = 80

type Opening = Pick<CsvSettings, 'encoding' | 'compression'>

/** A file of `Key: value` records as rows, with what should be said of it. */
interface RecordRows {
  readonly file: File
  readonly notes: readonly Note[]
}

const known = new WeakMap<Blob, Map<string, Promise<RecordRows>>>()

/** Leaves out proposals that would change lines as if they were rows. */
export function withRecordsOnly(inspection: Inspection): Inspection {
  const tables = inspection.tables.map(({ proposals = [], columns, ...table }) => ({
    ...table,
    proposals: proposals.filter(({ code }) => code === 'records'),
    columns: columns.map((column) => ({ ...column, proposals: [] })),
  }))
  return { ...inspection, tables }
}

/** Reads a file of records as rows, in memory; once for inspection, preview and conversion. */
export async function recordsAsRows(file: Blob, opening: Opening, signal: AbortSignal): Promise<RecordRows> {
  const ofFile = known.get(file) ?? new Map<string, Promise<RecordRows>>()
  known.set(file, ofFile)
  const { encoding } = opening
  // An earlier call may have been cancelled.
  const rows = await ofFile.get(encoding)?.catch(() => null)
  if (rows) return rows
  const reading = readRecords(file, opening, signal)
  ofFile.set(encoding, reading)
  return reading
}

/** The rows, and the settings to read them with. */
export async function openedRecords(
  file: Blob,
  settings: CsvSettings,
  signal: AbortSignal,
): Promise<[Blob, CsvSettings]> {
  const rows = await recordsAsRows(file, settings, signal)
  return [rows.file, { ...settings, ...AS_ROWS }]
}

async function readRecords(file: Blob, opening: Opening, signal: AbortSignal): Promise<RecordRows> {
  const firsts = new FirstKeys()
  await eachLine(file, opening, signal, (line) => firsts.add(line))
  const first = firsts.find()
  if (first === null) {
    throw new EngineError('invalid-plan', 'No line has a key and a value, such as “Name: Anna”.', {
      remedy: 'Choose another layout.',
    })
  }
  const names = new Set<string>()
  await eachRecord(file, opening, signal, first, (record) => {
    for (const key of record.keys()) names.add(key)
  })
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const blobs: Blob[] = []
  let held = `${[...names].map(quoted).join(',')}\n`
  let size = 0
  const keep = (): void => {
    const blob = new Blob([held])
    blobs.push(blob)
    held = ''
    if ((size += blob.size) > MAX_BYTES) {
      throw new EngineError('too-large', `The records have over ${formatBytes(MAX_BYTES)}.`, {
        remedy: 'Have the program that made the file write it as CSV.',
      })
    }
  }
  const { tally } = await eachRecord(file, opening, signal, first, (record) => {
    held += `${[...names]
      .map((name) => record.get(name)?.join('\n'))
      .map((text) => (text === undefined ? '' : quoted(text)))
      .join(',')}\n`
    if (held.length > PIECE) keep()
  })
  keep()
  return { file: new File(blobs, 'records.csv'), notes: notesOf(tally, names.size) }
}

async function eachRecord(
  file: Blob,
  opening: Opening,
  signal: AbortSignal,
  first: string,
  take: (record: KeyedRecord) => void,
): Promise<RecordCollector> {
  const collector = new RecordCollector(first, take)
  await eachLine(file, opening, signal, (line) => collector.add(line))
  collector.end()
  return collector
}

async function eachLine(
  file: Blob,
  opening: Opening,
  signal: AbortSignal,
  take: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  const split = (text: string): string[] => (rest + text).split(/\r*\n|\r(?!\r*\n|$)/)
  try {
    for await (const piece of openText(file, { ...opening, signal })) {
      const lines = split(decoder.decode(piece, { stream: true }))
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
    }
    for (const line of split(decoder.decode())) take(line.replace(/\r$/, ''))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new EngineError('not-text', 'Some bytes aren’t UTF-8.', { remedy: 'Choose the file’s encoding.' })
  }
}

function notesOf(tally: RecordCollector['tally'], keys: number): Note[] {
  const { records, outside, outsideLine, outsideText, continued, repeated, repeatedKey, decoded } = tally
  const about = [
    `Lines with a key and a value are read as ${plural(records, 'row')} of ${plural(keys, 'column')}.`,
    ...(outside > 0
      ? [
          `${plural(outside, 'line')} outside of records ${outside === 1 ? 'is' : 'are'} not read, the first is line ${formatCount(outsideLine)}, “${shortened(outsideText, SHOWN)}”.`,
        ]
      : []),
    ...(continued > 0 ? [`${plural(continued, 'line')} went on with the value above.`] : []),
    ...(repeated > 0
      ? [
          `${plural(repeated, 'value')} of a key that the record had already, such as “${repeatedKey}”, ${repeated === 1 ? 'is' : 'are'} put below the first in one cell.`,
        ]
      : []),
    ...(decoded > 0 ? [`${plural(decoded, 'value')} in Base64 ${decoded === 1 ? 'is' : 'are'} decoded.`] : []),
  ]
  return about.map((message) => ({ code: 'records', message }))
}
