import { quoteText } from '../../../../lib/duckdb-sql/names.ts'
import type { Edit } from '../../parameters.ts'
import { foldIdentifier, type Statement, type Token } from '../../statement.ts'
import type { TimeZone } from './zone.ts'
import { argumentsOf, closerOf } from '../operands.ts'

const endOf = ({ start, text }: Token): number => start + text.length
const span = (first: Token, last: Token, text: string): Edit => ({ from: first.start, to: endOf(last), text })

/** The text that a literal stands for; null where it's none, or one in which something stands for something else. */
function literalOf(token: Token | undefined): string | null {
  const inner = token?.kind === 'string' ? /^'((?:[^']|'')*)'$/.exec(token.text)?.[1] : undefined
  return inner?.replaceAll("''", "'") ?? null
}

/**
 * What a statement has to be changed in because the engine chooses types by what is written: a format with `%Z` makes a time
 * with a zone, a list of parts a row of them, and `range` a table.
 * @param session the session's zone; null where it can't be set
 */
export function zoneEdits({ tokens, text }: Statement, session: TimeZone | null): Edit[] {
  if (!/%Z|date_?part|current_setting|interval|to_[a-z]/i.test(text)) return []
  return tokens
    .flatMap((token, at) => {
      if (token.kind === 'string' || token.kind === 'operator') return []
      const name = foldIdentifier(token.text)
      if (tokens[at + 1]?.text !== '(') return []
      if (name === 'strptime' || name === 'try_strptime') return formatEdits(tokens, at)
      if (name === 'range' || name === 'generate_series') return seriesEdits(tokens, at)
      if (name === 'current_setting') return session ? settingEdits(tokens, at) : []
      return name === 'date_part' || name === 'datepart' ? listEdits(tokens, at, session?.isUtc ?? true) : []
    })
    .toSorted((a, b) => a.from - b.from)
}

/** A format whose last word is `%Z`, which is all that's read of it. */
const NAME_LAST = /^((?:[^%]|%[^zZ])*?)\s*%Z\s*$/

function formatEdits(tokens: readonly Token[], at: number): Edit[] {
  const close = closerOf(tokens, at + 1)
  const format = tokens[close - 1]
  if (format.text === ']') return formatListEdits(tokens, at, close)
  const before = NAME_LAST.exec(literalOf(format) ?? '')?.[1]
  if (before === undefined || tokens[close - 2]?.text !== ',' || tokens[at - 1]?.text === '.') return []
  const name = foldIdentifier(tokens[at].text)
  return [span(tokens[at], tokens[at], `__zone_${name}`), span(format, format, `${quoteText(before)}, ${format.text}`)]
}

/** A list of formats, of which one has `%Z`: they're tried in their order, and the time has a zone whichever fits. */
function formatListEdits(tokens: readonly Token[], at: number, close: number): Edit[] {
  const [text, list, ...others] = argumentsOf(tokens, at + 1)
  if (!text || !list || others.length > 0 || tokens[list.first].text !== '[' || tokens[at - 1]?.text === '.') return []
  const formats = argumentsOf(tokens, list.first).map(({ first, last }) =>
    first === last ? literalOf(tokens[first]) : null,
  )
  const isStrict = foldIdentifier(tokens[at].text) === 'strptime'
  const readers = formats.map((format, i): string | null => {
    const tried = isStrict && i === formats.length - 1 ? 'strptime' : 'try_strptime'
    const before = NAME_LAST.exec(format ?? '')?.[1]
    if (before !== undefined) return `__zone_${tried}(__text, ${quoteText(before)}, '')`
    return format === null || /%z/i.test(format) ? null : `${tried}(__text::VARCHAR, ${quoteText(format)})::TIMESTAMPTZ`
  })
  if (readers.includes(null) || !formats.some((format) => format?.includes('%Z'))) return []
  const end = tokens[close].start
  return [
    span(tokens[at], tokens[at], isStrict ? '__zone_formats' : '__zone_try_formats'),
    { from: end, to: end, text: `, lambda __text: coalesce(${readers.join(', ')})` },
  ]
}

/**
 * A list of parts gives a row of them, whose types the engine alone can tell: of what the zone's clocks show. Of these that isn't
 * so: they're asked for one by one.
 */
const OF_INSTANTS = /^(?:epoch|timezone)/i

function listEdits(tokens: readonly Token[], at: number, isUtc: boolean): Edit[] {
  const [list, time, ...others] = argumentsOf(tokens, at + 1)
  if (!list || !time || others.length > 0 || tokens[list.first].text !== '[') return []
  const parts = tokens.slice(list.first, list.last + 1).flatMap((token) => literalOf(token) ?? [])
  const end = endOf(tokens[time.last])
  if (!isUtc && parts.some((part) => OF_INSTANTS.test(part))) {
    const fields = parts.map((part) => `${quoteText(part)}: date_part(${quoteText(part)}, __time)`)
    return [
      span(tokens[at], tokens[at], '__date_parts'),
      { from: end, to: end, text: `, lambda __time: CASE WHEN __time IS NOT NULL THEN {${fields.join(', ')}} END` },
    ]
  }
  const { start } = tokens[time.first]
  return [
    { from: start, to: start, text: '__clock(' },
    { from: end, to: end, text: ')' },
  ]
}

/** `FROM range(time, time, interval)`: see `seriesTable` in `macros.ts`. */
function seriesEdits(tokens: readonly Token[], at: number): Edit[] {
  const [first, last, step, ...others] = argumentsOf(tokens, at + 1)
  if (!first || !last || !step || others.length > 0 || tokens[at - 1]?.text === '.' || !isInFrom(tokens, at)) return []
  const isInterval = tokens
    .slice(step.first, step.last + 1)
    .some(({ kind, text }) => kind !== 'string' && /^(?:interval|to_[a-z]+)$/i.test(text))
  if (!isInterval) return []
  const hasColumns = tokens.slice(first.first, step.last + 1).some((_, i) => isColumn(tokens, first.first + i))
  const name = foldIdentifier(tokens[at].text)
  const close = closerOf(tokens, at + 1)
  const after = tokens[close + 1]
  const isNamed = after?.kind === 'identifier' || /^as$/i.test(after?.text ?? '')
  const own = span(tokens[at], tokens[at], hasColumns ? `__${name}_of_columns` : `__${name}`)
  return isNamed ? [own] : [own, { from: endOf(tokens[close]), to: endOf(tokens[close]), text: ` AS ${name}` }]
}

/** Whether a call stands where a table does. */
function isInFrom(tokens: readonly Token[], at: number): boolean {
  for (let i = at - 1, depth = 0; i >= 0; i--) {
    const { kind, text } = tokens[i]
    if (kind === 'string') continue
    if (')]}'.includes(text)) depth++
    else if ('([{'.includes(text) && depth-- === 0) return false
    else if (depth === 0 && kind === 'keyword') {
      if (/^(?:from|join|lateral)$/i.test(text)) return true
      if (/^(?:select|where|by|having|on|using|values|qualify|set|limit)$/i.test(text)) return false
    }
  }
  return false
}

function isColumn(tokens: readonly Token[], at: number): boolean {
  const { kind } = tokens[at]
  const after = tokens[at + 1]
  return kind === 'identifier' && after?.text !== '(' && after?.kind !== 'string' && tokens[at - 1]?.text !== '::'
}

/** Settings that our own functions tell: without ICU, the engine has no zone, and its path has a schema of ours. */
const TOLD: Readonly<Record<string, string>> = { timezone: '__current_zone', search_path: '__current_path' }

function settingEdits(tokens: readonly Token[], at: number): Edit[] {
  const setting = literalOf(tokens[at + 2])?.toLowerCase() ?? ''
  const own = Object.hasOwn(TOLD, setting) && tokens[at + 3]?.text === ')' ? TOLD[setting] : undefined
  return own && tokens[at - 1]?.text !== '.' ? [span(tokens[at], tokens[at], own)] : []
}
