import type { CsvSettings } from '../../../../tables/plan.ts'
import { VARCHAR } from '../../../../tables/types.ts'
import { csvReader } from '../reader.ts'
import { readAll } from '../testing.ts'
import type { Table } from './sources.ts'
import { QUIET } from '../../../testing/quiet.ts'

/* How much of a file is read as it was meant, with nothing set by hand. Measurements and tests only. */

/** What the reader makes of a file: the names first, if it finds a header; every value as text. */
export interface Loaded {
  readonly header: boolean
  readonly rows: Table
  readonly rejected: number
  readonly settings: CsvSettings
  readonly doubts: readonly string[]
}

export async function load(content: string | Uint8Array, name = 'table.csv'): Promise<Loaded> {
  const file = new File([content as Uint8Array<ArrayBuffer>], name)
  const inspection = await csvReader.inspect(file, {}, QUIET)
  const settings = inspection.settings as CsvSettings
  const [table] = inspection.tables
  const read = await readAll(
    file,
    inspection,
    table.columns.map(() => VARCHAR),
  )
  const rows = read.rows.map((row) => row.map((cell) => cell ?? ''))
  return {
    header: settings.header,
    rows: settings.header ? [table.columns.map((column) => column.name), ...rows] : rows,
    rejected: read.rejected.length,
    settings,
    doubts: inspection.notes.filter(({ doubt }) => doubt).map(({ code }) => code),
  }
}

function common(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const each of a) counts.set(each, (counts.get(each) ?? 0) + 1)
  let size = 0
  for (const each of b) {
    const left = counts.get(each) ?? 0
    if (left > 0) size++
    counts.set(each, left - 1)
  }
  return size
}

/** Precision, recall and their harmonic mean, added up. */
function measures(meant: readonly string[], found: readonly string[]): number {
  if (meant.length === 0) return 3
  const size = common(meant, found)
  if (size === 0) return 0
  const [precision, recall] = [size / meant.length, size / found.length]
  return precision + recall + (2 * precision * recall) / (precision + recall)
}

/** The benchmark's ten measures of one file, added up: 10 is the best. The first row counts as the header. */
export function pollockScore(meant: Table, found: Table): number {
  const lower = (rows: Table): string[][] => rows.map((row) => row.map((cell) => cell.toLowerCase()))
  const [names, ...rows] = lower(meant)
  const [foundNames = [], ...foundRows] = lower(found)
  const joined = (each: readonly string[][]): string[] => each.map((row) => row.join(''))
  return (
    1 +
    measures(names, foundNames) +
    measures(joined(rows), joined(foundRows)) +
    measures([names, ...rows].flat(), [foundNames, ...foundRows].flat())
  )
}

/** What part of a table's cells are found in their row and place; rows are aligned by their order. */
export function cellsRight(meant: Table, found: Table): number {
  let right = 0
  let at = 0
  for (const row of meant) {
    const same = found.findIndex((other, i) => i >= at && i < at + 8 && other.join('\u0000') === row.join('\u0000'))
    const other = same < 0 ? found[at] : found[same]
    if (other) right += row.filter((cell, i) => cell === other[i]).length
    at = same < 0 ? at + 1 : same + 1
  }
  const size = Math.max(meant.flat().length, found.flat().length)
  return size === 0 ? 1 : right / size
}
