import { quoteText } from '../../../../lib/duckdb-sql/names.ts'
import type { Refusal } from '../../../storage/database.ts'
import type { Edit } from '../../parameters.ts'
import { foldIdentifier, type Statement, type Token } from '../../statement.ts'
import { argumentsOf, closerOf, endOfType, endOfValue, operandsOf, startOfValue } from '../operands.ts'
import { PARTS_OF_INSTANT, UNTYPED_NAMES, ZONED } from './macros.ts'
import { namesZone, withOffset } from './text.ts'

const insert = (at: number, text: string): Edit => ({ from: at, to: at, text })
const endOf = ({ start, text }: Token): number => start + text.length
const span = (first: Token, last: Token, text: string): Edit => ({ from: first.start, to: endOf(last), text })
const isWord = (token: Token | undefined, word: string): boolean =>
  token !== undefined && token.kind !== 'string' && token.text.toLowerCase() === word

/** The text that a literal stands for; null where it's none, or one in which something stands for something else. */
function literalOf(token: Token | undefined): string | null {
  const inner = token?.kind === 'string' ? /^'((?:[^']|'')*)'$/.exec(token.text)?.[1] : undefined
  return inner?.replaceAll("''", "'") ?? null
}

/**
 * What a statement has to be changed in before the engine sees it: casts of texts with the names of zones, which it
 * would refuse row by row, and formats with `%Z`, whose names it would pass over.
 * @throws {Error} for a zone that there isn't
 */
export function zoneEdits({ text, tokens }: Statement): Edit[] {
  if (!/timestamptz|time\s+zone|%Z/i.test(text)) return []
  return tokens
    .flatMap((_, i) => [...castEdits(tokens, i), ...formatEdits(tokens, i)])
    .toSorted((a, b) => a.from - b.from)
}

/** Where `TIMESTAMPTZ`, by either of its names, ends that begins at a token; -1 where it isn't that. */
function endOfZoned(tokens: readonly Token[], at: number): number {
  if (isWord(tokens[at], 'timestamptz')) return at
  const long = ['timestamp', 'with', 'time', 'zone'].every((word, i) => isWord(tokens[at + i], word))
  return long ? at + 3 : -1
}

function castEdits(tokens: readonly Token[], at: number): Edit[] {
  const end = endOfZoned(tokens, at)
  if (end < 0) return []
  const before = tokens[at - 1]
  const behind = tokens[end + 1]
  const typed = literalOf(behind)
  if (typed !== null) return namesZone(typed) ? [span(behind, behind, quoteText(withOffset(typed)))] : []
  if (before?.text === '::' && at > 1) {
    if (behind?.text === '[') return []
    return wrapped(tokens, startOfValue(tokens, at - 2), at - 2, at - 1, end, '__zone_cast')
  }
  if (!isWord(before, 'as') || behind?.text !== ')') return []
  const open = openOf(tokens, at - 1)
  const call = tokens[open - 1]
  if (!isWord(call, 'cast') && !isWord(call, 'try_cast')) return []
  const given = open + 1 === at - 2 ? literalOf(tokens[open + 1]) : null
  if (given !== null && namesZone(given) && isWord(call, 'cast'))
    return [span(tokens[open + 1], tokens[open + 1], quoteText(withOffset(given)))]
  const name = isWord(call, 'cast') ? '__zone_cast' : '__zone_try_cast'
  return [span(call, call, name), span(before, tokens[end], '')]
}

/** The parenthesis that a token stands in. */
function openOf(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let i = at; i >= 0; i--) {
    if (tokens[i].kind === 'string') continue
    if (tokens[i].text === ')') depth++
    else if (tokens[i].text === '(' && depth-- === 0) return i
  }
  return 0
}

/** `value::type` as a call; of a literal its text alone changes. */
function wrapped(
  tokens: readonly Token[],
  first: number,
  last: number,
  operator: number,
  end: number,
  name: string,
): Edit[] {
  const given = first === last ? literalOf(tokens[first]) : null
  if (given !== null && name === '__zone_cast')
    return namesZone(given) ? [span(tokens[first], tokens[first], quoteText(withOffset(given)))] : []
  return [insert(tokens[first].start, `${name}(`), span(tokens[operator], tokens[end], ')')]
}

/** A format whose last word is `%Z`, which is all that's read of it. */
const NAME_LAST = /^((?:[^%]|%[^zZ])*?)\s*%Z\s*$/

function formatEdits(tokens: readonly Token[], at: number): Edit[] {
  const name = foldIdentifier(tokens[at].text)
  if ((name !== 'strptime' && name !== 'try_strptime') || tokens[at + 1]?.text !== '(') return []
  const close = closerOf(tokens, at + 1)
  const format = tokens[close - 1]
  const before = NAME_LAST.exec(literalOf(format) ?? '')?.[1]
  if (before === undefined || tokens[close - 2]?.text !== ',' || tokens[at - 1]?.text === '.') return []
  return [span(tokens[at], tokens[at], `__zone_${name}`), span(format, format, quoteText(before))]
}

/** What the engine says where it lacks ICU. */
const WITHOUT_ICU = /required extension 'icu'/
const NO_MATCH = /^No function matches the given name and argument types '(.+?)\([^']*TIMESTAMP WITH TIME ZONE/
const SUMS = /^No function matches the given name and argument types '([+-])\(([^,']*), ([^,']*)\)'/
const ZONED_TYPE = 'TIMESTAMP WITH TIME ZONE'
const OWN_TYPE = /^(?:TIMESTAMP|DATE)$/
/** The engine knows no type of an aggregate, or of a column from outside a subquery, where it has to choose by it. */
const UNTYPED = /^Macro (?:__zone_(\w+)|timezone)\(\) (?:has multiple overloads|does not support)/
const CAST_TO_DATE = /^Unimplemented type for cast \(TIMESTAMP WITH TIME ZONE -> DATE\)/

/**
 * What a statement has to be changed in that the engine refused because it has a time with a zone: our functions in the
 * place of its own. Empty where that isn't why, or nothing can be done.
 * @param at where the engine saw it, in the statement's text; null where it doesn't tell
 */
export function zoneRepairs(statement: Statement, { message }: Refusal, at: number | null): Edit[] {
  const { tokens } = statement
  const token = at === null ? -1 : tokens.findIndex(({ start }) => start === at)
  const [, , left, right] = SUMS.exec(message) ?? []
  if (left === ZONED_TYPE || right === ZONED_TYPE) return token < 0 ? [] : sumEdits(tokens, token, left, right)
  if (CAST_TO_DATE.test(message)) return token < 0 ? [] : dateEdits(tokens, token)
  const untyped = UNTYPED.exec(message)
  if (untyped) return token < 0 ? [] : untypedEdits(tokens, token, untyped[1])
  return WITHOUT_ICU.test(message) || NO_MATCH.test(message) ? functionEdits(statement) : []
}

/** All that a statement can be changed in before it's known whether it has a time with a zone. */
export function zoneNames(statement: Statement): Edit[] {
  return functionEdits(statement)
}

/** `a + b` as a call, by the types that the engine told of both. */
function sumEdits(tokens: readonly Token[], at: number, left: string, right: string): Edit[] {
  const operands = operandsOf(tokens, at)
  const name = sumOf(tokens[at].text, left, right)
  if (!operands || name === null) return []
  const { first } = operands.left
  const { last } = operands.right
  const own = (type: string): readonly [string, string] => (OWN_TYPE.test(type) ? ['__zone_own(', ')'] : ['', ''])
  return [
    insert(tokens[first].start, `${name}(${own(left)[0]}`),
    span(tokens[at], tokens[at], `${own(left)[1]},${own(right)[0]}`),
    insert(endOf(tokens[last]), `${own(right)[1]})`),
  ]
}

function sumOf(operator: string, left: string, right: string): string | null {
  if (left === ZONED_TYPE && right === 'INTERVAL') return operator === '+' ? '__zone_plus' : '__zone_minus'
  if (operator === '+') return left === 'INTERVAL' && right === ZONED_TYPE ? '__zone_plus_to' : null
  const times = [left, right].every((type) => type === ZONED_TYPE || OWN_TYPE.test(type))
  return operator === '-' && times ? '__zone_between' : null
}

/** A call of one of our functions that chooses by types, as one of another that doesn't. */
function untypedEdits(tokens: readonly Token[], at: number, name = 'timezone'): Edit[] {
  if (!UNTYPED_NAMES.has(name)) return []
  if (/^at$/i.test(tokens[at].text)) return zoneCall(tokens, at)
  return /^(?:__zone_\w+|timezone)$/.test(foldIdentifier(tokens[at].text))
    ? [span(tokens[at], tokens[at], `__zoned_${name}`)]
    : []
}

/** `value AT TIME ZONE zone` as a call. */
function zoneCall(tokens: readonly Token[], at: number): Edit[] {
  const first = startOfValue(tokens, at - 1)
  const last = endOfValue(tokens, at + 3)
  return [
    insert(tokens[first].start, '__zoned_timezone_of('),
    span(tokens[at], tokens[at + 2], ','),
    insert(endOf(tokens[last]), ')'),
  ]
}

function dateEdits(tokens: readonly Token[], at: number): Edit[] {
  if (tokens[at].text === '::') {
    const end = endOfType(tokens, at + 1)
    if (end !== at + 1 || at === 0) return []
    return wrapped(tokens, startOfValue(tokens, at - 1), at - 1, at, end, '__zone_date')
  }
  if (!isWord(tokens[at], 'cast') && !isWord(tokens[at], 'try_cast')) return []
  const close = closerOf(tokens, at + 1)
  if (!isWord(tokens[close - 2], 'as')) return []
  return [span(tokens[at], tokens[at], '__zone_date'), span(tokens[close - 2], tokens[close - 1], '')]
}

/** Every call of a function that we have another of. */
function functionEdits(statement: Statement): Edit[] {
  const { tokens } = statement
  const edits = tokens.flatMap((token, at): Edit[] => {
    if (tokens[at + 1]?.text !== '(' || token.kind === 'string' || token.kind === 'operator') return []
    const name = foldIdentifier(token.text)
    const part = tokens[at + 2]
    if (name === 'extract' && isWord(tokens[at + 3], 'from')) {
      const own = literalOf(part) ?? part.text
      const call = PARTS_OF_INSTANT.has(own.toLowerCase())
        ? ofInstant(own)
        : `main.__zone_date_part(${quoteText(own)}, `
      return [span(token, tokens[at + 3], call)]
    }
    if (name === 'strftime' && tokens[at - 1]?.text !== '.') return formattedEdits(statement, at)
    if (!ZONED.has(name) || (tokens[at - 1]?.text === '.' && isSchema(tokens, at - 2))) return []
    const instants = (name === 'date_part' || name === 'datepart') && tokens[at + 3]?.text === ','
    const own = literalOf(part)?.toLowerCase()
    if (instants && own !== undefined && PARTS_OF_INSTANT.has(own)) return [span(token, tokens[at + 3], ofInstant(own))]
    return [span(token, token, `__zone_${name}`)]
  })
  return edits.toSorted((a, b) => a.from - b.from)
}

/** Formats in which nothing stands for a zone. */
const PLAIN = /^(?:[^%]|%[^%zZ])*$/
/** `%%`, `%Z` and `%z`, and the marks that stand in for them: the engine would print nothing for a zone's name. */
const MARKS = [
  ['%%', '\x01'],
  ['%Z', '\x02'],
  ['%z', '\x03'],
] as const

/** `strftime(time, format)` by what the zone's clocks show, with the zone's name and offset filled in behind. */
function formattedEdits({ text, tokens }: Statement, at: number): Edit[] {
  const [time, format, ...others] = argumentsOf(tokens, at + 1)
  if (!time || !format || others.length > 0) return []
  const clock = [insert(tokens[time.first].start, '__zone_clock('), insert(endOf(tokens[time.last]), ')')]
  const given = format.first === format.last ? literalOf(tokens[format.first]) : null
  const call = span(tokens[at], tokens[at], 'system.main.strftime')
  if (given !== null && PLAIN.test(given)) return [call, ...clock]
  const marked = MARKS.reduce((sum, [sign, mark]) => sum.replaceAll(sign, mark), given ?? '')
  const own =
    given === null
      ? [
          insert(tokens[format.first].start, 'replace('.repeat(MARKS.length)),
          insert(endOf(tokens[format.last]), MARKS.map(([sign, mark]) => `, '${sign}', '${mark}')`).join('')),
        ]
      : [span(tokens[format.first], tokens[format.last], quoteText(marked))]
  const close = tokens[closerOf(tokens, at + 1)]
  const again = text.slice(tokens[time.first].start, endOf(tokens[time.last]))
  return [{ ...call, text: `__zone_fill(${call.text}` }, ...clock, ...own, insert(endOf(close), `, ${again})`)]
}

/** `timezone` has no other meaning in the engine: ours has its name. */
const ofInstant = (part: string): string =>
  part.toLowerCase() === 'timezone' ? 'timezone(' : `__zone_${part.toLowerCase()}(`

const isSchema = (tokens: readonly Token[], at: number): boolean =>
  /^(?:main|system|memory|pg_catalog)$/.test(foldIdentifier(tokens[at]?.text ?? ''))
