import { FIELDS_BEGIN, fieldsLineIn } from './dialect-bytes.ts'
import { ARFF_NULLS, arffIn } from './arff.ts'
import { escapesProposal } from './escapes.ts'
import { DELIMITERS, drawnForms, fixedForms, givenForms, likelyForms, namedForm } from './forms.ts'
import { judgeFirstRow } from './header.ts'
import { keysProposal, linesProposals } from './statistics.ts'
import { type Form, blockOf, readRows, Sample, type Block, type SampleForm, type SampleRow } from './sample.ts'
import type { CsvSettings, Proposal } from '../../../../tables/plan.ts'
import { cellKind, forgetCells, MOMENT, NUMBER, OTHER } from '../../layout/cells.ts'
import { separatorIn, structureOf, structureOfLog, type Structure } from './structure.ts'

/**
 * Columns of fixed width, if the lines, split at blanks, have one name too few. Values such as `2024-01-31 10:15`
 * contain a blank, and the names would otherwise belong to the columns to their left.
 * @param split other ways to split the lines
 */
function placedReadings(sample: Sample, split: readonly Reading[], given: Partial<CsvSettings>): Reading[] {
  const best = split.reduce((a, b) => (b.score > a.score ? b : a))
  const [header, ...others] = best.rows
  const isShort = others.length > 1 && others.every(({ cells }) => cells.length > header.cells.length)
  if (!best.form.delimiter.startsWith(' ') || !best.form.mergeDelimiters || !isShort) return []
  if (isBelowGroups(best.rows, others[0].cells.length)) return []
  return fixedForms(sample.text, true).flatMap((form) => {
    const { columnStarts: starts = [] } = form
    const lines = best.rows.map(({ raw }) => raw)
    const isPart = (start: number, end?: number): boolean =>
      start > 0 && lines[0].slice(start, end).trim() === '' && lines.some((line) => (line[start - 2] ?? ' ') !== ' ')
    const columnStarts = starts.filter((start, i) => !isPart(start, starts[i + 1]))
    const reading = read(sample, { ...form, columnStarts }, given)
    const isNamed = reading.rows[0].cells.length === columnStarts.length && isTable(reading.rows)
    return isNamed && columnStarts.length < starts.length ? [{ ...reading, score: best.score * WIDE }] : []
  })
}

type Dialect = Form & Structure['settings'] & Pick<CsvSettings, 'strayQuotes'>

/** How a text is split, as detected. */
export interface DialectFinding extends Omit<Structure, 'settings'> {
  readonly dialect: Dialect
  /** Whether nothing splits it regularly, so that it's read as one column. */
  readonly isOneColumn: boolean
  /** The delimiter that a first line such as `sep=;` tells Excel to use; null if there's no such line. */
  readonly separator: string | null
  /** Other ways to split it, the likeliest first. */
  readonly others: readonly Form[]
  /** Another way that is nearly as likely, and gives another table. */
  readonly rival: Form | null
  /** Proposals to read backslashes as escapes, and to read files of statistical offices as intended. */
  readonly proposals: readonly Proposal[]
  /** Whether a drawn table has row numbers outside its frame. */
  readonly isNumbered: boolean
  /** Column names declared above the rows of an ARFF file, and how it writes null. */
  readonly attributes?: { readonly names: readonly string[]; readonly nullStrings: readonly string[] }
}

/** A row as ClickHouse draws it. */
const NUMBERED = /^ *\d+\. │.*│$/

/** These occur in times, links and sentences, too. */
const WEAK_DELIMITERS = new Set([':', ' ', '  '])
/** Rows used to score a reading, and to look for the header and comments of the best one. */
const SCORED_RECORDS = 200
const MAX_RECORDS = 2000
/** Ways to split that score this close to the best aren't ruled out. */
const NEAR = 0.9
/** Score of a cell in a row with a misplaced quote. */
const LOOSE = 0.6
/** Factor in favor of a two-character delimiter that is in nearly every line. */
const PAIRED = 1.3
/** Factor against single blanks as delimiters if columns are separated by two or more. */
const WIDE = 1.5
/** Factor in favor of a drawn table. */
const DRAWN = 2.5
/** This many rows with misplaced quotes are how the file is written; fewer are mistakes in it. */
const HABIT = 3

interface Reading {
  readonly form: Form
  readonly rows: readonly SampleRow[]
  readonly score: number
}

/**
 * Detects how a text is split from a sample of whole lines. Reads it in every likely way, and chooses the one that
 * gives the most regular table with the most plausible cells (after van den Burg et al., "Wrangling messy CSV files by
 * detecting row and type patterns", 2019). Given settings are kept.
 */
export function detectDialect(bytes: Uint8Array, format: 'csv' | 'tsv', given: Partial<CsvSettings>): DialectFinding {
  const sample = new Sample(bytes)
  forgetCells()
  const { text } = sample
  const isUnset = LOG_SETTINGS.every((name) => given[name] === undefined)
  const log = isUnset ? (dialectOfLog(sample, given) ?? dialectOfArff(text)) : null
  if (log) return log
  const usual = format === 'tsv' ? '\t' : ','
  const readings: Reading[] = []
  const consider = (form: Form, favour = 1): Reading => {
    const reading = read(sample, form, given)
    // A line of dashes below names says nothing if the rows don't keep to its gaps.
    const own = form.layout === undefined || isTable(reading.rows) ? favour : 1
    const score = reading.score * (form.delimiter === usual ? 1.1 : 1) * own
    readings.push({ ...reading, score })
    return reading
  }
  const named = namedForm(text, given)
  for (const form of named ? [named] : (givenForms(text, given) ?? likelyForms(text, given))) {
    const { rows } = consider(form, favourOf(form))
    // Conclude that quotes are text only from many rows that break on them.
    const broken = rows.filter((row) => row.broken).length
    if (form.quote !== null && given.quote === undefined && broken >= 5 && broken * 10 > rows.length)
      consider({ ...form, quote: null, escape: null })
  }
  const isOpen = !named && given.delimiter === undefined && given.layout === undefined
  if (isOpen) {
    for (const form of drawnForms(text)) consider(form, DRAWN)
    const split = readings.filter(({ rows, score }) => score > 0 && isTable(rows))
    if (split.length === 0) for (const form of fixedForms(text)) consider(form)
    else readings.push(...placedReadings(sample, split, given))
  }
  const { quote = '"', escape = quote, delimiter = usual } = given
  if (readings.length === 0) readings.push({ ...read(sample, { delimiter, quote, escape }, given), score: 0 })
  readings.sort((a, b) => b.score - a.score)
  const [best] = readings
  const isOneColumn = isOpen && !(best.score > 0 && isTable(best.rows))
  const form = isOneColumn ? undividing(sample, usual, given) : best.form
  const all = readRows(sample, asGiven(form, given), MAX_RECORDS)
  const others = readings.filter((reading) => reading.score > 0 && reading.form !== form)
  const rival = others.find((other) => !isSameTable(other.rows, best.rows))
  const { settings, ...structure } = structureOf(all, form, given)
  const strays = all.filter((row) => row.broken && row.cells.length === settings.width).length
  const strayQuotes = given.strayQuotes ?? (strays >= HABIT ? 'text' : 'reject')
  return {
    dialect: { ...(isOneColumn ? form : trimmed(form, all, given)), ...settings, strayQuotes },
    ...structure,
    isOneColumn,
    separator: given.skipLines === undefined ? separatorIn(text) : null,
    others: others.map((other) => other.form),
    rival: !isOneColumn && rival && rival.score >= best.score * NEAR ? rival.form : null,
    proposals: proposalsFor(sample, form, given),
    isNumbered: form.layout === 'frame' && all.some(({ raw }) => NUMBERED.test(raw)),
  }
}

/** If any of these is set by the person, lines that name fields are ignored. */
const LOG_SETTINGS = ['delimiter', 'layout', 'comment', 'skipLines', 'header', 'width'] as const

/** The finding if the file itself says how it's split. */
const KNOWN = {
  headerIsSure: true,
  groupNames: null,
  otherTable: null,
  isOneColumn: false,
  separator: null,
  others: [],
  rival: null,
  proposals: [],
  isNumbered: false,
} as const

/** How a log is split that names its fields in a line; null if there's no such line, or its rows don't match it. */
function dialectOfLog(sample: Sample, given: Partial<CsvSettings>): DialectFinding | null {
  const line = fieldsLineIn(sample.text)
  if (line === undefined) return null
  // Zeek doesn't quote values.
  const quote = line.startsWith(`${FIELDS_BEGIN}\t`) ? null : '"'
  for (const delimiter of ['\t', ',', ' ']) {
    const form = { delimiter, quote, escape: quote }
    const structure = structureOfLog(readRows(sample, asGiven(form, { comment: '#' }), MAX_RECORDS), form)
    if (!structure) continue
    const { settings, ...found } = structure
    const dialect = { ...form, ...settings, strayQuotes: 'reject' } as const
    return { ...KNOWN, dialect, ...found, proposals: proposalsFor(sample, form, given) }
  }
  return null
}

/** How an ARFF file is split; null if it isn't one. */
function dialectOfArff(text: string): DialectFinding | null {
  const found = arffIn(text)
  return found && { ...KNOWN, dialect: found.settings, attributes: { names: found.names, nullStrings: ARFF_NULLS } }
}

/** Settings made by the person aren't proposed. */
function proposalsFor(
  { text }: Sample,
  form: Form,
  { escape, leaveOut, headerRows }: Partial<CsvSettings>,
): Proposal[] {
  const escapes = escape === undefined ? escapesProposal(text, form) : null
  const lines = leaveOut || headerRows !== undefined ? [] : linesProposals(text, form)
  return [escapes, keysProposal(text, form), ...lines].flatMap((each) => each ?? [])
}

const favourOf = ({ delimiter, mergeDelimiters }: Form): number =>
  delimiter.length === 1 ? 1 : mergeDelimiters ? WIDE : PAIRED

/** A form with the person's settings for lines. */
function asGiven(form: Form, { comment = null, skipLines = 0, lastLine, leaveOut }: Partial<CsvSettings>): SampleForm {
  return { ...form, comment, skipLines, lastLine, leaveOut }
}

/** Reads the first rows of the sample in one way, and scores it. */
function read(sample: Sample, form: Form, given: Partial<CsvSettings>): Reading {
  const rows = readRows(sample, asGiven(form, given), SCORED_RECORDS)
  const isWeak = form.layout === undefined && (WEAK_DELIMITERS.has(form.delimiter) || form.mergeDelimiters === true)
  return { form, rows, score: isWeak && !splitsEveryRow(rows, form.delimiter) ? 0 : scoreOf(rows, form) }
}

/** A delimiter that splits nothing, for a text of one column. */
function undividing(sample: Sample, usual: string, given: Partial<CsvSettings>): Form {
  const { quote = '"', escape = quote } = given
  const readings = [usual, ...DELIMITERS].map((delimiter) => read(sample, { delimiter, quote, escape }, given))
  const whole = readings.find(({ rows }) => rows.every(({ cells, broken }) => broken || cells.length === 1))
  return (whole ?? readings[0]).form
}

/** Whether blanks around fields belong to the delimiter. */
function trimmed(form: Form, rows: readonly SampleRow[], given: Partial<CsvSettings>): Form {
  if (given.trim !== undefined) return { ...form, trim: given.trim }
  // If nothing is split, blanks belong to the values.
  if (form.layout !== undefined || form.delimiter === ' ' || rows.every((row) => row.cells.length < 2)) return form
  // An odd number of blanks between fields leaves one over.
  if (form.mergeDelimiters && form.delimiter === '  ') return { ...form, trim: true }
  let [cells, outer] = [0, 0]
  for (const row of rows.slice(0, SCORED_RECORDS)) {
    for (const [i, cell] of row.cells.entries()) {
      if (row.quoted[i] || cell.trim() === '') continue
      cells++
      if (cell.startsWith(' ') || cell.endsWith(' ')) outer++
    }
  }
  return outer * 5 >= cells * 2 && outer > 0 ? { ...form, trim: true } : form
}

/** Whether the names are in the second line, below fewer names of groups (vmstat) or a title. */
function isBelowGroups([first, ...others]: readonly SampleRow[], width: number): boolean {
  const isNarrow = width > 2 && first.cells.length < width - 1 && others[0]?.cells.length === width
  const names = isNarrow ? judgeFirstRow(others.map(({ cells }) => cells)) : null
  return names !== null && names.header && names.sure
}

/** A time of day that splitting at colons would take apart. */
const CLOCK = /\b\d{1,2}:[0-5]\d:[0-5]\d\b/

/** Whether all rows have the same number of fields, which weak delimiters require; a header may have one less. */
function splitsEveryRow(all: readonly SampleRow[], delimiter: string): boolean {
  const filled = all.filter((row) => !row.blank && !row.raw.startsWith('#'))
  const { width } = blockOf(filled)
  const areGrouped = delimiter === ' ' && isBelowGroups(filled, width)
  // Both lines of names may be repeated, as on each page of a terminal.
  const again = areGrouped ? filled.slice(0, 2).map(({ raw }) => raw) : []
  const rows = areGrouped ? filled.filter(({ raw }, i) => i === 1 || !again.includes(raw)) : filled
  const [first, ...others] = rows
  if (!first || width < (delimiter === ':' ? 3 : 2)) return false
  if (others.some((row) => row.cells.length !== width) || Math.abs(first.cells.length * 2 - width * 2 + 1) > 1)
    return false
  if (others.length > 0 && others.every((row) => cellKind(row.raw, ',') === MOMENT)) return false
  if (delimiter === ':') return !rows.every(({ raw }) => CLOCK.test(raw))
  // Words with blanks between them are prose, even if each line has as many.
  const body = others.length > 0 ? others : [first]
  return first.cells.some((_, i) =>
    body.every((row) => row.quoted[i] || [NUMBER, MOMENT].includes(cellKind(row.cells[i] ?? '', ','))),
  )
}

/** How regular the rows are, times how plausible their cells are. */
function scoreOf(rows: readonly SampleRow[], { delimiter, layout }: Form): number {
  const plain = rows.filter((row) => !row.raw.startsWith('#'))
  const block = blockOf(plain)
  const filled = plain.filter((row) => !row.blank).length
  if (filled === 0) return 0
  const table = plain.slice(block.from, block.to)
  // Columns that are empty throughout come from splitting at half of a delimiter.
  const used = new Set<number>()
  for (const row of table) for (const [i, cell] of row.cells.entries()) if (cell !== '') used.add(i)
  let cells = 0
  let typed = 0
  for (const row of table) {
    if (row.blank) continue
    for (const [i, cell] of row.cells.entries()) {
      cells++
      if (used.has(i) && (row.quoted[i] || cellKind(cell, layout ? '' : delimiter) !== OTHER))
        typed += row.broken ? LOOSE : 1
    }
  }
  if (cells === 0) return 0
  const split = Math.max(block.width - 1, 0.001) / block.width
  return regularity(block) ** 2 * split * Math.sqrt(block.size / filled) * (typed / cells)
}

/** Whether two ways to split give the same cells, ignoring blanks around them. */
function isSameTable(a: readonly SampleRow[], b: readonly SampleRow[]): boolean {
  const textOf = (rows: readonly SampleRow[]): string =>
    rows.map(({ cells }) => cells.map((cell) => cell.trim()).join('\u0000')).join('\n')
  return textOf(a) === textOf(b)
}

/** Whether each row that is split has a neighbour of its width, as in sections below titles. */
function areSections(rows: readonly SampleRow[]): boolean {
  const widths = [0, ...rows.map(({ cells }) => cells.length), 0]
  return widths.every((width, i) => width < 2 || widths[i - 1] === width || widths[i + 1] === width)
}

const regularity = ({ fit, size }: Block): number => (size === 0 ? 0 : fit / size)

/**
 * Whether rows are split consistently, not by chance: most have the same width or, in a ragged file, there's a header
 * and most rows fit.
 */
function isTable(rows: readonly SampleRow[]): boolean {
  const block = blockOf(rows)
  if (block.width < 2) return false
  const filled = rows.filter((row) => !row.blank)
  if (block.fit * 2 > filled.length) return true
  if (block.fit >= 3 && regularity(block) >= 0.8 && block.size * 5 >= filled.length) return true
  const split = filled.filter((row) => row.cells.length > 1)
  if (split.length * 2 <= filled.length || (filled[0].cells.length < 2 && !areSections(filled))) return false
  // Prose has blanks after its commas.
  const inner = split.flatMap((row) => row.cells.slice(1))
  return inner.filter((cell) => cell.startsWith(' ')).length * 2 < inner.length
}
