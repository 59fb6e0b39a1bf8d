import { formatCount } from '../../../ui/format.ts'
import { foldName } from '../../../tables/table-names.ts'
import { onlyReads } from '../results/text.ts'
import type { LocalTableRecord } from '../types.ts'

/* The first rows of a file that takes long to load, as a table of its own meanwhile. */

const MOST_ROWS = 1000
/** Of these the rows are taken, and a file that is no larger is loaded at once anyway. */
const MOST_BYTES = 1024 * 1024
const LINES = /\.(?:csv|tsv|tab|psv|txt|jsonl|ndjson)$/i
const JSON_LINES = /\.(?:jsonl|ndjson)$/i
const [NEW_LINE, QUOTE] = [10, 34]

/** Whether a file's first rows can be told before all of it is read: those of texts whose rows are lines. */
export const canSample = ({ name, size }: File): boolean => size > MOST_BYTES && LINES.test(name)

/** A file of the first rows of a larger one, whole lines; null where it can't be told where they end. */
export async function firstRows(file: File): Promise<File | null> {
  const bytes = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())
  // Characters of two bytes may hold any byte.
  if (bytes.subarray(0, 1000).includes(0)) return null
  const quoting = !JSON_LINES.test(file.name)
  let open = false
  let end = 0
  let lines = 0
  for (let i = 0; i < bytes.length && lines <= MOST_ROWS; i++) {
    if (bytes[i] === QUOTE && quoting) open = !open
    if (bytes[i] !== NEW_LINE || open) continue
    end = i + 1
    lines++
  }
  return end === 0 ? null : new File([bytes.subarray(0, end)], file.name)
}

/**
 * Says of a tab's statements that their rows are of a sample: those that name one, and all that follow one that made
 * something of it.
 * @param tables all local ones
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
      ...before.map((each) => `This tab has made something of a sample: ${wordsOf(each)}.`),
    ]
  }
}

const wordsOf = ({ name, rowCount, source }: LocalTableRecord): string =>
  `local.${name} has only the first ${formatCount(rowCount)} rows of ${source.name}`
