import type { Rewritten, ValueFormat } from '../../../tables/plan.ts'
import { printType, type ColumnType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { makeColumnBuilder } from '../builder.ts'
import type { Findings, TypeFound } from './findings.ts'
import * as kinds from './kinds.ts'

const encoder = new TextEncoder()

/** What becomes of a column's texts when they're values of a type: as text, and as JSON where that is another form. */
export function rewritten(
  findings: Findings,
  { type, format, rewrites }: TypeFound,
): { readonly text: Rewritten; readonly json: Rewritten } {
  const inJson = (to: string): string => to.replace(' ', 'T').replace(/\+00$/, 'Z')
  if (rewrites) {
    const text = told(rewrites.count, rewrites.from, type, format, (to) => to)
    if (printType(type) !== 'TIMESTAMP') return { text, json: text }
    const { count, from } = rewrites.json ?? rewrites
    return { text, json: told(count, from, type, format, inJson) }
  }
  const [count, from] = othersOf(findings, type)
  const text = told(count, from, type, format, (to) => to)
  const { json } = findings.forms
  const kind = [kinds.TIMESTAMP, kinds.ZONED].find((each) => json.counts[each] > 0)
  if (type.kind !== 'scalar' || !type.name.startsWith('TIMESTAMP')) return { text, json: text }
  return { text, json: kind ? told(json.counts[kind], json.texts[kind], type, format, inJson) : { count: 0 } }
}

function othersOf({ counts, firstTexts, numbers, forms }: Findings, type: ColumnType): [count: number, first: string] {
  const { text, bare, bareText, least, leastText } = forms
  const first = (...of: number[]): string => of.map((kind) => text.texts[kind]).find(Boolean) ?? ''
  const total = (...of: number[]): number => kinds.sum(text.counts, ...of)
  if (type.kind === 'decimal') {
    const short = counts[kinds.INTEGER] + counts[kinds.DECIMAL] - numbers.atMaxScale
    const shown = least < type.scale ? leastText : bareText || firstTexts[kinds.INTEGER]
    return [short + (bare[type.scale] ?? 0), shown]
  }
  const name = printType(type)
  if (name === 'DOUBLE') {
    const whole = counts[kinds.INTEGER] + counts[kinds.MINUS_ZERO]
    const shown = first(kinds.DECIMAL, kinds.EXPONENT, kinds.SPECIAL)
    const count = whole + total(kinds.DECIMAL, kinds.EXPONENT, kinds.SPECIAL)
    return [count, shown || firstTexts[kinds.INTEGER] || firstTexts[kinds.MINUS_ZERO]]
  }
  const own = OWN_KIND.get(name)
  return own === undefined ? [0, ''] : [text.counts[own], text.texts[own]]
}

const OWN_KIND: ReadonlyMap<string, number> = new Map([
  ['BOOLEAN', kinds.BOOLEAN],
  ['TIME', kinds.TIME],
  ['TIMESTAMP', kinds.TIMESTAMP],
  ['TIMESTAMP_NS', kinds.TIMESTAMP],
  ['TIMESTAMP WITH TIME ZONE', kinds.ZONED],
])

/** What becomes of values of which one is `from`. */
export function told(
  count: number,
  from: string,
  type: ColumnType,
  format: ValueFormat | undefined,
  form: (text: string) => string,
): Rewritten {
  if (count === 0) return { count }
  const bytes = encoder.encode(from)
  const builder = makeColumnBuilder(type, format)
  // A long value, of which only the beginning is known, may be none.
  if (!builder.appendText(bytes, 0, bytes.length)) return { count }
  const to = cellToString(type, builder.finish(), 0)
  return to === null ? { count } : { count, example: { from, to: form(to) } }
}
