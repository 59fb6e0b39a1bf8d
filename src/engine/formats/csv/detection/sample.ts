import type { CsvSettings } from '../../../../tables/plan.ts'
import { CellMemory } from '../../../kernel/cell-memory.ts'
import type { Dialect } from './dialect-bytes.ts'
import { CsvRows } from '../rows.ts'
import { splitLoosely } from '../stray-quotes.ts'
import { FINE, PLAIN } from '../tokenizer.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** How lines are split into cells. */
export type Form = Pick<
  CsvSettings,
  'delimiter' | 'quote' | 'escape' | 'layout' | 'columnStarts' | 'mergeDelimiters' | 'trim'
>

/** One record of the sample, read one way. */
export interface SampleRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly quoted: readonly boolean[]
  readonly broken: boolean
  readonly blank: boolean
  readonly raw: string
}

/** A sample is tried in many ways, one after another. */
let memory: CellMemory | null = null

/** The first records of a sample, read one way. */
export function readRows(
  sample: Uint8Array,
  form: Form & Pick<CsvSettings, 'comment' | 'skipLines'> & Partial<Pick<CsvSettings, 'lastLine' | 'leaveOut'>>,
  most: number,
): SampleRow[] {
  const settings: CsvSettings = {
    ...form,
    kind: 'csv',
    compression: null,
    encoding: 'utf-8',
    header: false,
    nullStrings: [],
    shortRows: 'reject',
  }
  const { lastLine = Number.POSITIVE_INFINITY, leaveOut = [] } = form
  const reader = new CsvRows(settings, { cells: (memory ??= new CellMemory()) })
  const { tokenizer } = reader
  tokenizer.push(sample)
  tokenizer.end()
  const rows: SampleRow[] = []
  while (rows.length < most && reader.next()) {
    for (let record = 0; record < tokenizer.records && rows.length < most; record++) {
      const line = tokenizer.lines[record]
      if (line > lastLine || leaveOut.includes(line)) continue
      const row = rowOf(reader, record)
      if (row) rows.push(row)
    }
  }
  return rows
}

/** A record as a row; null where it's none. */
export function rowOf(reader: CsvRows, record: number): SampleRow | null {
  const { tokenizer } = reader
  if (reader.isNoRow(record)) return null
  const broken = tokenizer.problems[record] !== FINE
  const raw = reader.raw(record)
  if (broken) return brokenRow(raw, tokenizer.lines[record], reader.dialect)
  const cells: string[] = []
  const quoted: boolean[] = []
  for (let field = tokenizer.firstFields[record]; field < tokenizer.firstFields[record + 1]; field++) {
    cells.push(reader.text(field))
    quoted.push(tokenizer.kinds[field] !== PLAIN)
  }
  return {
    line: tokenizer.lines[record],
    cells,
    quoted,
    broken,
    blank: tokenizer.recordStarts[record] === tokenizer.recordEnds[record],
    raw,
  }
}

/** A row with quotes in the wrong place: its cells are as they were likely meant. */
function brokenRow(raw: string, line: number, dialect: Dialect): SampleRow {
  const bytes = encoder.encode(raw)
  const fields = splitLoosely(bytes, 0, bytes.length, dialect)
  return {
    line,
    cells: fields.map(({ start, end }) => decoder.decode(bytes.subarray(start, end))),
    quoted: fields.map(({ kind }) => kind !== PLAIN),
    broken: true,
    blank: false,
    raw,
  }
}

/** How many cells a row has up to its last one that isn't empty. */
export function filledWidth({ cells, quoted }: SampleRow): number {
  let width = cells.length
  while (width > 1 && cells[width - 1] === '' && !quoted[width - 1]) width--
  return width
}

/** The rows of a table within a sample: from the first to the last that have its width. */
export interface Block {
  readonly width: number
  readonly from: number
  readonly to: number
  /** Rows in it that have the width. */
  readonly fit: number
  /** Rows in it, blank ones left out. */
  readonly size: number
}

/** The width that most rows have, weighed by how much is split, and where these rows are. */
export function blockOf(rows: readonly SampleRow[]): Block {
  const widths = new Map<number, number>()
  for (const row of rows) {
    if (!row.blank) widths.set(row.cells.length, (widths.get(row.cells.length) ?? 0) + 1)
  }
  let width = 1
  let weight = 0
  for (const [each, size] of widths) {
    const own = (size * (each - 1)) / each
    if (own > weight || (own === weight && each > width)) [width, weight] = [each, own]
  }
  const fits = (row: SampleRow): boolean => !row.blank && row.cells.length === width
  const from = Math.max(0, rows.findIndex(fits))
  const to = rows.findLastIndex(fits) + 1
  const block = rows.slice(from, to).filter((row) => !row.blank)
  return { width, from, to, fit: block.filter(fits).length, size: block.length }
}
