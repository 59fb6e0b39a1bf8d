import { shortened } from '../../../../lib/text.ts'
import { plural } from '../../../../lib/counts.ts'
import type { Proposal } from '../../../../tables/plan.ts'
import { recordsProposal } from './records.ts'
import type { Form } from './sample.ts'

const SHOWN = 80
/** A section's name, what the line is, and the first name or value. */
const SECTION_CELLS = 3

/** Whether a line begins with the name of its section and the word that it has the names of columns. */
export const isSectionHeader = ([section = '', kind = '', ...names]: readonly string[]): boolean =>
  /^header$/i.test(kind.trim()) && section.trim() !== '' && names.some((name) => name.trim() !== '')
/** Eurostat's first line: keys separated by commas, then a backslash and the name of the columns beside them. */
const KEYS = /^([\w.-]+(?:,[\w.-]+)*)\\[\w.-]+$/
/** A value with its flags. */
const FLAGGED = /\t(:|-?[\d.]+) +([a-z]+) *(?=\t|\r?\n|$)/
/**
 * Beginnings of lines between titles and values that describe a series, in files of Britain's Office for National
 * Statistics (ONS).
 */
const SERIES = ['Title', 'CDID']
/** The same in files of Germany's central bank, below a line with the series' keys. */
const BUNDESBANK = /^(?:Einheit|Stand vom|unit|last update)$/i
const YEAR = /^\d{4}\b/
/** Lines to look at; there are seven or eight such lines. */
const MOST_LINES = 20

/**
 * Eurostat's TSV: `freq,unit,geo\TIME_PERIOD` above `A,PC,AT`, and values with flags (`123.4 b`).
 * @returns a proposal to split keys and flags into columns; null if the text isn't of this form
 */
export function keysProposal(text: string, { delimiter, layout = 'delimited' }: Form): Proposal | null {
  if (delimiter !== '\t' || layout !== 'delimited') return null
  const keys = KEYS.exec(text.split(/\t|\r?\n/, 1)[0] ?? '')?.[1]?.split(',')
  if (!keys) return null
  const rows = text.split(/\r?\n/).filter((line, i) => i > 0 && line.trim() !== '')
  if (rows.length === 0) return null
  if (rows.some((line) => line.split('\t', 1)[0]?.split(',').length !== keys.length)) return null
  const flagged = FLAGGED.exec(text)
  const flags = flagged ? `, and flags beside values (“${flagged[1]} ${flagged[2]}”)` : ''
  return {
    code: 'keys-and-flags',
    label: 'Apply: split keys and flags into columns',
    message: `The first column has ${plural(keys.length, 'key')} (${shortened(keys.join(', '), SHOWN)})${flags}, as Eurostat writes them. Each key would be a column, flags a column after each value’s, and “:” null.`,
    change: {
      kind: 'reading',
      settings: { kind: 'csv', layout: 'eurostat', delimiter, header: true, nullStrings: ['', ':'] },
    },
  }
}

/**
 * Time series of Britain's Office for National Statistics: a line of titles, lines that describe each series, and
 * values by year, quarter and month. Those of the Deutsche Bundesbank begin with the keys of the series.
 * @returns a proposal to leave out the lines between titles and values; null if there are none
 */
function seriesProposal(text: string, { delimiter, quote }: Form): Proposal | null {
  const lines = text.split(/\r?\n/, MOST_LINES)
  const keys = lines.map((line) => line.split(delimiter, 1)[0]?.replaceAll(quote ?? '', '') ?? '')
  const values = keys.findIndex((key) => YEAR.test(key))
  const about = keys.slice(1, Math.max(1, values))
  const isKnown = keys[0] === '' ? about.some((key) => BUNDESBANK.test(key)) : SERIES.every((key, i) => keys[i] === key)
  if (values < 0 || !isKnown) return null
  const leaveOut = Array.from({ length: values - 1 }, (_, i) => i + 2)
  return {
    code: 'series-lines',
    label: `Apply: leave out ${plural(leaveOut.length, 'line')} about the series`,
    message: `Lines 2 to ${values} describe the series (${shortened(about.filter(Boolean).join(', '), SHOWN)}). Their values are below.`,
    count: leaveOut.length,
    change: { kind: 'reading', settings: { kind: 'csv', header: true, leaveOut } },
  }
}

/** Qualtrics has each column's id in the third row, as JSON with doubled quotes. */
const IMPORT_ID = /^"?\{\s*"?"ImportId"?"\s*:/m

/**
 * Answers exported from Qualtrics, with three header rows: names, questions, and column ids.
 * @returns a proposal to leave out the latter two; null if the text isn't of this form
 */
function questionsProposal(text: string, { delimiter, layout = 'delimited' }: Form): Proposal | null {
  const found = layout === 'delimited' && text.includes('ImportId') ? IMPORT_ID.exec(text) : null
  if (!found) return null
  const line = text.slice(0, found.index).split('\n').length
  const [names = '', questions = ''] = text.split(/\r?\n/, 2)
  const isAbove = line > 2 && names.split(delimiter, 1)[0] !== '' && !IMPORT_ID.test(questions)
  if (!isAbove || line > MOST_LINES) return null
  return {
    code: 'question-rows',
    label: 'Apply: leave out the rows of questions and ids',
    message: `Lines 2 and ${line} have the questions and ids of the columns (${shortened(questions, SHOWN)}), as Qualtrics writes them: the answers are below.`,
    count: 2,
    change: { kind: 'reading', settings: { kind: 'csv', header: true, leaveOut: [2, line] } },
  }
}

const RESPONDENT = /^respondent[ _]id$/i
const RESPONSE = /^(?:open-ended )?response$/i

/**
 * Answers exported from SurveyMonkey, with two header rows: questions, and answers that have a column each.
 * @returns a proposal to read both rows as the header; null if the text isn't of this form
 */
function answersProposal(text: string, { delimiter, quote, layout = 'delimited' }: Form): Proposal | null {
  if (layout !== 'delimited') return null
  const [names = [], answers = []] = text
    .split(/\r?\n/, 2)
    .map((line) => line.split(delimiter).map((cell) => cell.replaceAll(quote ?? '', '').trim()))
  const isBelow = answers[0] === '' && answers.some((answer) => RESPONSE.test(answer))
  if (!RESPONDENT.test(names[0] ?? '') || !isBelow) return null
  const shown = answers.filter((answer) => answer !== '').join(', ')
  return {
    code: 'answer-row',
    label: 'Apply: two rows are the header',
    message: `Line 2 says which answer to a question a column has (${shortened(shown, SHOWN)}), as SurveyMonkey writes it. Names would be question and answer together.`,
    change: { kind: 'reading', settings: { kind: 'csv', header: true, headerRows: 2 } },
  }
}

/**
 * Lines that begin with a section's name and what they are, as Interactive Brokers writes statements.
 * @returns a proposal to read each section as a table; null if the text isn't of this form
 */
function sectionsProposal(text: string, { delimiter, quote, layout = 'delimited' }: Form): Proposal | null {
  if (layout !== 'delimited') return null
  const cellsOf = (line: string): string[] =>
    line.split(delimiter, SECTION_CELLS).map((cell) => cell.replaceAll(quote ?? '', ''))
  const [first, second] = text.split(/\r?\n/, 2).map(cellsOf)
  if (!first || !isSectionHeader(first) || second?.[0] !== first[0]) return null
  const lines = text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [cellsOf(line)]))
  const names = new Set(lines.filter(isSectionHeader).map(([name]) => name))
  if (names.size < 2 || !lines.every(([name]) => names.has(name))) return null
  const shown = shortened([...names].join(', '), SHOWN)
  return {
    code: 'sections',
    label: 'Apply: read each section as a table',
    message: `Each line begins with the name of its section (${shown}), as in statements of Interactive Brokers: the sections have columns of their own.`,
    ambiguous: true,
    change: { kind: 'reading', settings: { kind: 'csv', blocks: true } },
  }
}

/** Proposals for lines that describe columns, or say what they are. */
export const linesProposals = (text: string, form: Form): (Proposal | null)[] => [
  recordsProposal(text, form),
  sectionsProposal(text, form),
  seriesProposal(text, form),
  questionsProposal(text, form),
  answersProposal(text, form),
]
