import { formatCount } from '../../../ui/format.ts'
import { BACKSLASH, BRACKET, BRACKET_END, COMMA, LF, QUOTE } from '../../../lib/ascii.ts'
import { foldName } from '../../../lib/names.ts'
import { proposeName } from '../../../tables/names.ts'
import { onlyReads } from '../results/text.ts'
import type { EngineClient } from '../../../engine/client.ts'
import type { ImportPlan } from '../../../tables/plan.ts'
import type { LocalSource, LocalTableRecord } from '../types.ts'
import type { LocalFiles, LocalTables } from './tables.ts'
import { planFrom } from '../../../tables/edits.ts'

/* Makes a table of the first rows of a file while all of it is being loaded. */

const MOST_ROWS = 1000
/** The rows of a text come from these bytes. A smaller file loads fast enough without a sample. */
const MOST_BYTES = 1024 * 1024
const LINES = /\.(?:csv|tsv|tab|psv|txt|jsonl|ndjson)$/i
const JSON_TEXT = /\.(?:json|geojson)$/i
const JSON_LINES = /\.(?:jsonl|ndjson)$/i
const WORKBOOK = /\.xls[xm]$/i
const [BRACE, BRACE_END] = [0x7b, 0x7d]

/** Whether a file's first rows can be read alone: large text files and workbooks. */
export const canSample = ({ name, size }: File): boolean =>
  size > MOST_BYTES && [LINES, JSON_TEXT, WORKBOOK].some((form) => form.test(name))

/** A file with the first rows of a larger text, each of them whole; null if their ends can't be found safely. */
export async function firstRows(file: File): Promise<File | null> {
  const bytes = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())
  // In UTF-16, any byte may be part of a character.
  if (bytes.subarray(0, 1000).includes(0)) return null
  const parts = JSON_TEXT.test(file.name) ? wholeItems(bytes) : wholeLines(bytes, !JSON_LINES.test(file.name))
  return parts && new File(parts, file.name)
}

type Bytes = Uint8Array<ArrayBuffer>

function wholeLines(bytes: Bytes, quoting: boolean): Bytes[] | null {
  let open = false
  let end = 0
  let lines = 0
  for (let i = 0; i < bytes.length && lines <= MOST_ROWS; i++) {
    if (bytes[i] === QUOTE && quoting) open = !open
    if (bytes[i] !== LF || open) continue
    end = i + 1
    lines++
  }
  return end === 0 ? null : [bytes.subarray(0, end)]
}

/**
 * A JSON text's beginning up to the last whole item of the outermost list that is open there, or else of the outermost
 * object, and what closes it; of several values one after another, the whole ones.
 */
function wholeItems(bytes: Bytes): Bytes[] | null {
  /** What closes the open lists and objects. */
  const open: number[] = []
  /** By depth: where the last whole item ended. */
  const ends: (number | undefined)[] = []
  let inText = false
  let values = 0
  let items = 0
  for (let i = 0; i < bytes.length && items < MOST_ROWS; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) inText = !inText
    else if (inText) i += byte === BACKSLASH ? 1 : 0
    else if (byte === BRACKET || byte === BRACE) {
      if (!open.includes(BRACKET_END)) items = 0
      open.push(byte === BRACKET ? BRACKET_END : BRACE_END)
      ends[open.length] = undefined
    } else if (byte === BRACKET_END || byte === BRACE_END) {
      open.pop()
      if (open.length === 0) values = i + 1
    } else if (byte === COMMA) {
      ends[open.length] = i
      if (open.indexOf(BRACKET_END) === open.length - 1) items++
    }
  }
  if (values > 0) return [bytes.subarray(0, values)]
  const depth = Math.max(open.indexOf(BRACKET_END), 0) + 1
  const end = ends[depth]
  return end === undefined ? null : [bytes.subarray(0, end), Uint8Array.from(open.slice(0, depth).toReversed())]
}

interface SampleDeps {
  readonly engine: Pick<EngineClient, 'inspect'>
  readonly files: Pick<LocalFiles, 'ingest'>
  readonly tables: Pick<LocalTables, 'create'>
}

/**
 * Makes a table of a file's first rows, without rejected rows.
 * @param sourceOf the source to record for the table
 * @throws {EngineError | Error} if they can't be read
 */
export async function makeSample(
  file: File,
  sourceOf: (plan: ImportPlan) => LocalSource,
  { engine, files, tables }: SampleDeps,
  signal: AbortSignal,
): Promise<LocalTableRecord> {
  const isBook = WORKBOOK.test(file.name)
  const first = isBook ? file : await firstRows(file)
  const given = isBook ? { mostRows: MOST_ROWS } : {}
  const inspection = first && (await engine.inspect(first, given, { signal })).inspection
  const plan = inspection && planFrom(inspection)
  const table = plan ? plan.tables.findIndex(({ include }) => include) : -1
  if (!first || !plan || table < 0) throw new Error('Where its first rows end isn’t known before all of it is read.')
  const planned = { format: plan.format, planned: { plan, table }, withoutRejected: true, firstRows: isBook }
  return tables.create(
    `${proposeName(file.name)}_first_rows`,
    sourceOf(plan),
    (creationId) => files.ingest(first, { creationId, ...planned }, { signal }),
    { sample: true },
  )
}

/**
 * Notes about a tab's statements whose rows come from a sample: those that use a sample, and all statements after one
 * that created something from it.
 * @param tables all local tables
 */
export function sampleNotes(tables: () => readonly LocalTableRecord[]): (statement: string) => string[] {
  const used = new Map<string, LocalTableRecord>()
  return (statement) => {
    const folded = foldName(statement)
    const about = tables().filter(({ name, sample }) => sample && folded.includes(foldName(name)))
    const before = [...used.values()].filter(({ id }) => about.every((each) => each.id !== id))
    if (!onlyReads(statement)) for (const each of about) used.set(each.id, each)
    return [
      ...about.map((each) => `Of a sample: ${wordsOf(each)}.`),
      ...before.map((each) => `This tab has created something from a sample: ${wordsOf(each)}.`),
    ]
  }
}

const wordsOf = ({ name, rowCount, source }: LocalTableRecord): string =>
  `local.${name} has only the first ${formatCount(rowCount ?? 0)} rows of ${source.name}`
