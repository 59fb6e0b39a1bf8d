import { concatBytes } from '../../../../lib/bytes.ts'
import type { CsvSettings, Note, Proposal } from '../../../../tables/plan.ts'
import { EngineError } from '../../../errors.ts'
import { detectEncoding, looksBinary, type FoundEncoding } from '../../../io/encoding.ts'
import { compressionOf } from '../../../io/compression.ts'
import { readBytes } from '../../../io/read-bytes.ts'
import { openTranscoder } from '../../../io/text-stream.ts'
import { hasMark } from '../../../io/utf8.ts'
import { detectDialect } from './dialect.ts'
import { dialectNotes, dialectProposals } from '../notes.ts'
import type { Form } from './sample.ts'
import { readSample } from '../../../io/sample.ts'

const SAMPLE = 256 * 1024

export interface Detected {
  readonly settings: CsvSettings
  readonly encoding: FoundEncoding
  /** Whether the encoding is settled, whatever the rest of the file contains. */
  readonly certain: boolean
  readonly notes: readonly Note[]
  readonly proposals: readonly Proposal[]
  /** Names of the columns, if lines above the table give them and there's no header. */
  readonly names?: readonly string[]
  /** Other ways to split the text, the likeliest first. */
  readonly others: readonly Form[]
  /** Whether no second table follows, whose rows don't count. */
  readonly isOneTable: boolean
}

/**
 * Completes the settings for a file from its first bytes. If these don't determine the encoding, all bytes are used.
 * @param known the encoding, if already detected
 * @throws {EngineError} `empty-file`, or `not-text` if it isn't text
 */
export async function detectSettings(
  file: File,
  format: 'csv' | 'tsv',
  given: Partial<CsvSettings>,
  signal: AbortSignal,
  known?: FoundEncoding,
): Promise<Detected> {
  const head = await readBytes(file, 0, 8)
  const compression = given.compression === undefined ? compressionOf(head) : given.compression
  const sample = await readSample(file, { compression, size: SAMPLE, signal })
  if (sample.length === 0) {
    throw new EngineError('empty-file', `“${file.name}” is empty.`, {
      remedy: 'Check that the export or download that made it was finished.',
    })
  }
  if (given.encoding === undefined && looksBinary(sample)) {
    throw new EngineError('not-text', `“${file.name}” isn’t text, despite its name.`, {
      remedy: 'Open it in the program that made it and export it as CSV or Excel (.xlsx).',
    })
  }
  const likely = known ?? (await detectEncoding(file, sample, { compression, signal }))
  // The person's choice is no guess.
  const encoding = given.encoding === undefined ? likely : { ...likely, doubt: false }
  const label = given.encoding ?? likely.candidates[0].encoding
  const text = await sampleText(sample, label)
  if (sample.length < SAMPLE && text.every((byte) => byte === 10 || byte === 13 || byte === 32)) {
    throw new EngineError('empty-file', `“${file.name}” has nothing but blank lines.`, {
      remedy: 'Check that the export or download that made it was finished.',
    })
  }
  const found = detectDialect(sample.length === SAMPLE ? cutAtLine(text) : text, format, given)
  const notes: Note[] = []
  if (hasMark(sample)) {
    notes.push({
      code: 'byte-order-mark',
      message: 'The file begins with a byte order mark, which is not part of its text.',
    })
  }
  notes.push(...dialectNotes(found, given))
  const settings: CsvSettings = {
    kind: 'csv',
    compression,
    encoding: label,
    ...found.dialect,
    nullStrings: given.nullStrings ?? found.attributes?.nullStrings ?? [''],
    shortRows: given.shortRows ?? (found.otherTable === null ? 'pad-data' : 'reject'),
    longRows: given.longRows ?? 'reject',
    ...(given.numbers ? { numbers: given.numbers } : {}),
    ...(given.blankRows ? { blankRows: given.blankRows } : {}),
    ...(given.repeatedHeaders ? { repeatedHeaders: given.repeatedHeaders } : {}),
    ...(given.skipLast ? { skipLast: given.skipLast } : {}),
    ...(given.lastLine === undefined ? {} : { lastLine: given.lastLine }),
    ...(given.leaveOut && given.leaveOut.length > 0 ? { leaveOut: given.leaveOut } : {}),
    ...(given.leaveOutSubtotals ? { leaveOutSubtotals: true } : {}),
  }
  const certain = given.encoding !== undefined || encoding.weighed || label !== 'utf-8'
  const proposals = dialectProposals(found, notes)
  return {
    settings,
    encoding,
    certain,
    notes,
    proposals,
    ...(found.attributes ? { names: found.attributes.names } : {}),
    others: found.others,
    isOneTable: found.otherTable === null,
  }
}

/** A sample as UTF-8. If the file goes on, an incomplete character at its end is dropped. */
async function sampleText(sample: Uint8Array, encoding: string): Promise<Uint8Array> {
  const transcoder = await openTranscoder(encoding)
  const text = transcoder.push(sample)
  if (sample.length === SAMPLE) return text
  return concatBytes([text, transcoder.end()])
}

/** A sample without its last line, which may be incomplete, unless that is the only one. */
function cutAtLine(text: Uint8Array): Uint8Array {
  let end = text.length
  while (end > 0 && text[end - 1] !== 10 && text[end - 1] !== 13) end--
  return end > 0 ? text.subarray(0, end) : text
}
