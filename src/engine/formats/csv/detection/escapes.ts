import { shortened } from '../../../../lib/text.ts'
import type { Proposal } from '../../../../tables/plan.ts'
import { formatCount } from '../../../../lib/counts.ts'
import { escapedByte } from './dialect-bytes.ts'
import type { Form } from './sample.ts'

const SHOWN = 80
/** Null in databases' text files. */
const NULL_MARK = '\\N'

/**
 * Looks for backslash escapes as in text files of PostgreSQL's `COPY`, MySQL's `INTO OUTFILE` and ClickHouse's TSV,
 * which write line breaks, tabs and backslashes as `\n`, `\t` and `\\`, and quote nothing.
 * @returns a proposal to read them as escapes; null if there are none, or some that these programs don't write
 */
export function escapesProposal(text: string, { delimiter, quote, layout = 'delimited' }: Form): Proposal | null {
  if (layout !== 'delimited' || !text.includes('\\')) return null
  const escapes = [...text.matchAll(/\\([^])/g)].map(({ 0: escape, 1: next, index }) => ({ escape, next, index }))
  const beginsAt = (index: number): boolean =>
    index === 0 || text[index - 1] === '\n' || text.startsWith(delimiter, index - delimiter.length)
  const endsAt = (index: number): boolean =>
    index === text.length || '\r\n'.includes(text.charAt(index)) || text.startsWith(delimiter, index)
  const isNull = ({ escape, index }: (typeof escapes)[number]): boolean =>
    escape === NULL_MARK && beginsAt(index) && endsAt(index + 2)
  const inTexts = escapes.filter((each) => !isNull(each))
  const [first] = inTexts
  if (!first || inTexts.some(({ next }) => escapedByte(next.charCodeAt(0)) < 0)) return null
  const hasNulls = inTexts.length < escapes.length
  // Eurostat's name “geo\time” has none.
  if (!hasNulls && inTexts.every(({ index }) => index < text.indexOf('\n'))) return null
  if (!hasNulls && quote !== null && [`${delimiter}${quote}`, `\n${quote}`].some((begin) => text.includes(begin)))
    return null
  const before = text.slice(0, first.index)
  const start = Math.max(before.lastIndexOf('\n') + 1, before.lastIndexOf(delimiter) + delimiter.length)
  const [value] = text.slice(start).split(delimiter, 1)
  const line = before.split('\n').length
  // In a path (`C:\new`), all letters after backslashes may happen to be escapes.
  const isSure = hasNulls || inTexts.some(({ next }) => ['\n', "'", delimiter[0]].includes(next))
  return {
    code: 'backslash-escapes',
    label: 'Apply: read backslash escapes',
    message: `Backslashes look like escapes, as databases write them in text files: \\n for a line break, \\t for a tab, \\\\ for a backslash${hasNulls ? ', \\N for null' : ''}. The first is in line ${formatCount(line)}, “${shortened(value, SHOWN)}”.`,
    ...(isSure ? {} : { ambiguous: true }),
    change: {
      kind: 'reading',
      settings: { kind: 'csv', quote: null, escape: '\\', ...(hasNulls ? { nullStrings: [NULL_MARK] } : {}) },
    },
  }
}
