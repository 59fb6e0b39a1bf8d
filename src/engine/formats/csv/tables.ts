import type { CsvPlace, CsvSettings, Note } from '../../../tables/plan.ts'
import { uniqueNames } from '../../../tables/names.ts'
import { plural } from '../../../lib/counts.ts'
import { isTyped, type SampleRow } from '../layout/cells.ts'
import { BlockScout, hasWords, type Part } from '../layout/blocks.ts'
import { findHeader } from '../layout/find-header.ts'
import { headerRowsFrom } from '../layout/header-rows.ts'
import { shownText } from '../layout/ends.ts'
import { isSectionHeader } from './detection/statistics.ts'
import { eachLine } from './source.ts'

/** A table of a file with several: its name, its place, and notes on text beside it. */
export interface PlacedTable {
  readonly name: string
  /** The text above it; may be empty. */
  readonly title: string
  readonly place: CsvPlace
  readonly notes: readonly Note[]
}

/** With more tables than this, the file is one table with blank lines. */
const MAX_TABLES = 50
const MAX_NAME = 60
/** Of so many remarks in a row, the names below are still among the first rows of their block. */
const MAX_REMARKS = 5

/**
 * Finds the tables of a file, which are separated by lines that are blank or have only delimiters.
 * @returns fewer than two if the file is one table
 */
export async function tablesIn(file: Blob, settings: CsvSettings, signal: AbortSignal): Promise<PlacedTable[]> {
  const scout = new BlockScout(false)
  const named = new NamedSections()
  let follows = false
  let remarks = 0
  await eachLine(file, settings, signal, ({ line, cells }) => {
    named.take(line, cells)
    const filled = cells.flatMap((text, column) => (text.trim() === '' ? [] : [column]))
    const isRemark = settings.comment !== null && filled.length === 1 && cells[0]?.startsWith(settings.comment)
    remarks = isRemark ? remarks + 1 : 0
    if (remarks > MAX_REMARKS) return
    const isBlank = filled.length === 0
    if (!isBlank) {
      scout.take({ number: line, follows, columns: filled, count: filled.length }, () => sampleRow(line, cells))
    }
    follows = !isBlank
  })
  if (named.tables.length > 0) return named.tables
  const parts = scout.parts(true)
  if (parts.length > MAX_TABLES) return []
  const names = uniqueNames(parts.map(({ title }, i) => title.slice(0, MAX_NAME) || `Table ${i + 1}`))
  return parts.map((part, i) => ({ name: names[i], title: part.title, place: placeOf(part), notes: notesBeside(part) }))
}

const sampleRow = (number: number, texts: readonly string[]): SampleRow => ({
  number,
  cells: texts.flatMap((text, column) =>
    text.trim() === '' ? [] : [{ column, kind: isTyped(text) ? 'number' : 'text', text } as const],
  ),
})

interface Section {
  readonly name: string
  /** Lines of its header and of its last row. */
  readonly from: number
  to: number
  readonly width: number
}

/** Maximum number of such sections; a year's statement of a broker has about forty. */
const MAX_SECTIONS = 200

/**
 * The tables of a file whose lines all begin with a section's name and what the line is (`Trades,Header,Symbol,…`,
 * `Trades,Data,AAPL,…`), as Interactive Brokers writes statements.
 */
class NamedSections {
  private readonly sections: Section[] = []
  private fits = true

  take(line: number, cells: readonly string[]): void {
    if (!this.fits || cells.every((cell) => cell.trim() === '')) return
    const last = this.sections.at(-1)
    if (isSectionHeader(cells)) {
      const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1
      this.sections.push({ name: cells[0].trim(), from: line, to: line, width })
    } else if (last?.name === cells[0].trim() && cells.length > 1) last.to = line
    else this.fits = false
  }

  get tables(): PlacedTable[] {
    const filled = this.sections.filter(({ from, to }) => to > from)
    if (!this.fits || filled.length < 2 || filled.length > MAX_SECTIONS) return []
    const names = uniqueNames(filled.map(({ name }) => name.slice(0, MAX_NAME)))
    return filled.map(({ from, to, width }, i) => ({
      name: names[i],
      title: names[i],
      place: { skipLines: from - 1, header: true, headerRows: 1, width, skipLast: 0, lastLine: to, leaveOut: [] },
      notes: [],
    }))
  }
}

/** The place is complete, so that no setting of the file as a single table remains. */
function placeOf({ sample, range }: Part): CsvPlace {
  const header = findHeader(sample) ?? 1
  return {
    skipLines: header - 1,
    header: true,
    headerRows: headerRowsFrom(sample, header),
    width: range.right + 1,
    skipLast: 0,
    lastLine: range.bottom,
    leaveOut: [],
  }
}

/** Notes on text outside all tables: titles above this one, and remarks after the last one. */
function notesBeside({ titles, footers }: Part): Note[] {
  const say = (code: string, texts: readonly string[], where: string): Note[] => {
    if (texts.length === 0) return []
    const first = texts.find(hasWords) ?? texts[0]
    const message = `${plural(texts.length, 'line')} ${where} ${texts.length === 1 ? 'is' : 'are'} not part of it: “${shownText(first)}”${texts.length > 1 ? ' and others' : ''}.`
    return [{ code, message, count: texts.length }]
  }
  return [...say('preamble', titles, 'above the table'), ...say('footers', footers, 'after the table')]
}
