import type { CsvSettings } from '../../../../tables/plan.ts'
import { isNamesLine, isRule } from '../line-tokenizer.ts'
import type { Form } from './sample.ts'
import { separatorIn } from './structure.ts'

/* The ways in which a text may be split. `dialect.ts` scores them. */

/** Maximum number of lines to look at. */
const MOST = 300
const WIDEST = 1000
/** Maximum number of lines above columns of fixed width, to the blank one that ends them. */
const MAX_TITLES = 6
/** Delimiter of each layout. */
const USUAL_DELIMITERS = { frame: '|', fixed: ' ', eurostat: '\t' } as const
export const DELIMITERS = [',', ';', '\t', '|', ':', ' ', '^', '~', '\u001f', '\u0001', '¦', '§', '¬']
/** Characters that may form a delimiter in pairs, if they don't occur alone. */
const DOUBLED = ['|', ';', ':', ',', '~', '^', '\t', '#', '*', '@']
const encoder = new TextEncoder()

const testing =
  (test: typeof isRule) =>
  (line: string): boolean => {
    const bytes = encoder.encode(line)
    return test(bytes, 0, bytes.length)
  }
const ruled = testing(isRule)
const names = testing(isNamesLine)

/** A drawn table with the names in its border, if the text begins with one. */
export function namedForm(text: string, { delimiter, layout }: Partial<CsvSettings>): Form | null {
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1)
  if (delimiter !== undefined || layout !== undefined || !names(first)) return null
  return { delimiter: '│', quote: null, escape: null, layout: 'frame' }
}

/** Tables drawn with lines: between cells (`|`), or below the names of columns of fixed width. */
export function drawnForms(text: string): Form[] {
  const lines = text.split(/\r\n|[\r\n]/, MOST)
  const rule = lines.findIndex((line) => ruled(line) || names(line))
  if (rule < 0) return []
  const plain = { quote: null, escape: null } as const
  const forms: Form[] = ['|', '│', '║']
    .filter((mark) => lines.filter((line) => !ruled(line) && (line.includes(mark) || names(line))).length >= 2)
    .map((delimiter) => ({ ...plain, delimiter, layout: 'frame' }))
  const starts = [...lines[rule].matchAll(/(?<=^|\s)[-=]+(?=\s|$)/g)].map(({ index }) => index)
  if (starts.length > 1) forms.push({ ...plain, delimiter: ' ', layout: 'fixed', columnStarts: starts })
  return forms
}

/**
 * Columns of fixed width: each begins where all lines have a blank before.
 * @param splitsWords whether words below no name are columns, too, unless they are to the right of all names
 */
export function fixedForms(text: string, splitsWords = false): Form[] {
  const all = text
    .trimEnd()
    .split(/\r\n|[\r\n]/, MOST)
    .map((line) => line.trimEnd())
  // Titles aren't aligned with the columns.
  const above = all.slice(0, all.slice(0, MAX_TITLES).lastIndexOf('') + 1)
  const mayBeRows = above.some((line) => line.trim().includes('  '))
  const [first = '', second = ''] = all.slice(above.length)
  const isTitle = !first.includes('  ') && second.includes('  ')
  return [...(mayBeRows ? [0] : []), above.length, ...(isTitle ? [above.length + 1] : [])]
    .flatMap((from) => {
      const below = all.slice(from)
      const lines = below.filter((line) => line !== '')
      // Remarks below a blank line aren't aligned with the columns either.
      const end = below.indexOf('')
      return [...startsBelow(lines, splitsWords), ...(end > 2 ? startsBelow(below.slice(0, end), splitsWords) : [])]
    })
    .filter(({ length }) => length > 1)
    .map((columnStarts) => ({ delimiter: ' ', quote: null, escape: null, layout: 'fixed', columnStarts }))
}

/** Where columns may begin in lines, of which the first may have names. */
function startsBelow(lines: readonly string[], splitsWords: boolean): number[][] {
  const [first = '', ...others] = lines
  const hasNames = !splitsWords && !/\d/.test(first)
  // Words with single blanks between them, below no name of their own, are one value: a command, or “Exited (0)”.
  const isPart = (start: number, end: number | undefined): boolean =>
    start > 0 &&
    first.slice(start, hasNames ? end : undefined).trim() === '' &&
    lines.some((line) => (line[start - 2] ?? ' ') !== ' ')
  // Where all lines below have ended, a word after a single blank belongs to the name before: “Mounted on”.
  const isName = (start: number): boolean =>
    (first[start - 2] ?? ' ') !== ' ' && others.every((line) => line.length <= start)
  const starts = columnStartsIn(lines).filter((start, i, all) => !isPart(start, all[i + 1]) && !isName(start))
  const below = columnStartsIn(ruled(others[0] ?? '') ? others.slice(1) : others)
  // Names with single blanks between them aren't aligned with their columns.
  const words = first.trim().split(' ')
  const hasWords = words.length === below.length && !words.includes('')
  return [starts, hasWords ? below : []]
}

/** Positions where columns begin: after a blank in all lines. A value may begin further right in its column. */
function columnStartsIn(texts: readonly string[]): number[] {
  if (texts.length < 3) return []
  if (texts.filter((line) => line.trimStart().includes('  ')).length * 2 < texts.length) return []
  const lines = texts.map((line) => Array.from(line.slice(0, WIDEST)))
  const length = Math.max(...lines.map((line) => line.length))
  const starts: number[] = []
  let isGap = true
  for (let at = 0; at < length; at++) {
    const blank = lines.every((line) => (line[at] ?? ' ') === ' ')
    if (!blank && isGap) starts.push(at)
    isGap = blank
  }
  return starts.length < 2 ? [] : starts.with(0, 0)
}

/** Ways to split lines that are drawn or of fixed width, if the person chose such a layout; else null. */
export function givenForms(text: string, { layout, delimiter, columnStarts }: Partial<CsvSettings>): Form[] | null {
  if (layout === undefined || layout === 'delimited' || layout === 'records') return null
  const usual = { delimiter: delimiter ?? USUAL_DELIMITERS[layout], quote: null, escape: null, layout }
  if (delimiter !== undefined || columnStarts !== undefined) return [{ ...usual, columnStarts }]
  const forms = [...drawnForms(text), ...fixedForms(text)].filter((form) => form.layout === layout)
  return forms.length > 0 ? forms : [usual]
}

/** Whether a line has a character twice in a row, other than at its end, where spreadsheets pad titles. */
function isDoubled(line: string, mark: string): boolean {
  const at = line.indexOf(mark + mark)
  if (at < 0) return false
  for (let i = at; i < line.length; i++) if (line[i] !== mark) return true
  return false
}

/** Ways to split a text with delimiters and quotes that occur in it, or that the person chose. */
export function likelyForms(text: string, given: Partial<CsvSettings>): Form[] {
  const pairs = DOUBLED.filter((each) => text.includes(each + each))
  const lines = pairs.length > 0 ? text.split(/[\r\n]+/).filter((line) => line !== '') : []
  const doubled = pairs.filter((each) => lines.filter((line) => isDoubled(line, each)).length * 5 >= lines.length * 4)
  // A character that occurs only in pairs is no delimiter by itself.
  const paired = doubled.filter((each) => (text.split(each + each).length - 1) * 2 === text.split(each).length - 1)
  const single = DELIMITERS.filter((each) => text.includes(each) && !paired.includes(each))
  const hint = separatorIn(text)
  // Ignore a declared delimiter that is in no row.
  const isUsed = hint !== null && hint !== '' && text.slice(text.search(/[\r\n]|$/)).includes(hint)
  const wanted = given.delimiter ?? (isUsed ? hint : undefined)
  const delimiters = wanted === undefined ? [...single, ...doubled.map((each) => each + each)] : [wanted]
  const quotes = given.quote === undefined ? likelyQuotes(text) : [given.quote]
  const marks = quotes.map((quote) => ({ quote, escapes: likelyEscapes(text, quote, given) }))
  const forms: Form[] = []
  for (const delimiter of delimiters) {
    for (const { quote, escapes } of marks) {
      if (quote === delimiter) continue
      for (const escape of escapes) {
        const { mergeDelimiters, layout, columnStarts } = given
        forms.push({
          delimiter,
          quote,
          escape,
          ...(mergeDelimiters ? { mergeDelimiters } : {}),
          ...(layout ? { layout, columnStarts } : {}),
        })
      }
    }
  }
  if (wanted !== undefined) return forms
  for (const blanks of [' ', '  ', '\t']) {
    if (text.includes(blanks + blanks[0]))
      forms.push({ delimiter: blanks, quote: '"', escape: '"', mergeDelimiters: true })
  }
  return forms
}

function likelyQuotes(text: string): string[] {
  // An apostrophe is a quote only if fields begin and end with it.
  const single = text.match(/(^|[,;\t| ])'[^\r\n]*?'(?=[,;\t| \r\n]|$)/gm)?.length ?? 0
  return single > 1 ? ['"', "'"] : ['"']
}

function likelyEscapes(text: string, quote: string | null, given: Partial<CsvSettings>): (string | null)[] {
  if (given.escape !== undefined) return [given.escape]
  if (quote === null) return [null]
  return text.includes(`\\${quote}`) ? [quote, '\\'] : [quote]
}
