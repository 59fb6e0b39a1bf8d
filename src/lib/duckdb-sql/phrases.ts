import { isReserved } from './names.ts'
import { nameOf, type Token } from './lexer.ts'
import { callAt, type Place } from './place.ts'
import type { Parsed } from './parse.ts'
import type { Scope } from './scope.ts'

/* Keywords that the words before the cursor ask for. */

interface Phrases {
  /** The most likely first. */
  readonly words: readonly string[]
  /** Whether nothing else can follow. */
  readonly only: boolean
}

/** By the words before, in lower case with a blank between two. The first that fits is taken. */
const NEEDED: readonly (readonly [RegExp, words: string])[] = [
  [/\bis$/, 'NULL|NOT NULL|DISTINCT FROM|NOT DISTINCT FROM|TRUE|FALSE'],
  [/\bis not$/, 'NULL|DISTINCT FROM|TRUE|FALSE'],
  [/\bis (?:not )?distinct$/, 'FROM'],
  [/\bif not$/, 'EXISTS'],
  [/\b(?:union|intersect|except)$/, 'ALL|SELECT|FROM|BY NAME|ALL BY NAME|VALUES'],
  [/\b(?:union|intersect|except) all$/, 'SELECT|FROM|BY NAME|VALUES'],
  [/\b(?:union|intersect|except)(?: all)? by$/, 'NAME'],
  [/\b(?:union|intersect|except)(?: all)? by name$/, 'SELECT|FROM|VALUES'],
  [/\b(?:order|group)$|\( (?:\S+ )?partition$/, 'BY'],
  [/\bnulls$/, 'FIRST|LAST'],
  [/\bfilter \($/, 'WHERE'],
  [/\bover$/, ''],
  [/\bover \($/, 'PARTITION BY|ORDER BY|ROWS BETWEEN|RANGE BETWEEN'],
  [/\b(?:rows|range|groups) between$/, 'UNBOUNDED PRECEDING AND|CURRENT ROW AND'],
  [/\b(?:rows|range|groups) between [^()]+ and$/, 'CURRENT ROW|UNBOUNDED FOLLOWING'],
  [/^create(?: or replace)?$/, 'TABLE|VIEW|TEMP TABLE|TEMP VIEW|MACRO|TYPE|SCHEMA|SEQUENCE|INDEX|OR REPLACE'],
  [/^drop$/, 'TABLE|VIEW|MACRO|TYPE|SCHEMA|SEQUENCE|INDEX'],
  [/^alter$/, 'TABLE|VIEW|SEQUENCE'],
  [/^insert$/, 'INTO|OR REPLACE INTO|OR IGNORE INTO'],
  [/^delete$/, 'FROM'],
  [/^set$/, 'VARIABLE|TimeZone|schema|search_path|default_null_order|default_order|default_collation'],
  [/^alter table (?:\S+ \. )*[^.\s]+$/, 'ADD COLUMN|DROP COLUMN|ALTER COLUMN|RENAME COLUMN|RENAME TO'],
  [/^alter table .* alter (?:column )?(?!column$)\S+$/, 'TYPE|SET DEFAULT|DROP DEFAULT|SET NOT NULL|DROP NOT NULL'],
  [/^alter table .* rename (?:column )?(?!column$)\S+$/, 'TO'],
]

const CONDITION = 'AND|OR|IN|LIKE|BETWEEN|IS NULL|IS NOT NULL|NOT IN|NOT LIKE'
const REST = 'GROUP BY|ORDER BY|LIMIT'

/** What may follow an operand, by the word that begins its clause. */
const FOLLOWING: ReadonlyMap<string, string> = new Map([
  ['select', 'FROM|AS'],
  ['from', `WHERE|JOIN|LEFT JOIN|${REST}|SELECT|UNION ALL`],
  ['join', 'ON|USING'],
  ['on', `AND|OR|WHERE|JOIN|LEFT JOIN|${REST}`],
  ['using', `WHERE|JOIN|LEFT JOIN|${REST}`],
  ['where', `${CONDITION}|${REST}`],
  ['having', `${CONDITION}|ORDER BY|LIMIT`],
  ['qualify', `${CONDITION}|ORDER BY|LIMIT`],
  ['group by', 'HAVING|QUALIFY|ORDER BY|LIMIT'],
  ['order by', 'DESC|ASC|NULLS LAST|NULLS FIRST|LIMIT'],
  ['partition by', 'ORDER BY|ROWS BETWEEN|RANGE BETWEEN'],
  ['limit', 'OFFSET'],
  ['when', `THEN|${CONDITION}`],
  ['then', 'WHEN|ELSE|END'],
  ['else', 'END'],
  ['set', 'WHERE|FROM'],
  ['pivot', 'ON|USING|GROUP BY'],
  ['unpivot', 'ON'],
  ['into', 'VALUES|SELECT|FROM|BY NAME'],
  ['update', 'SET'],
])
const FRAME = 'BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW|UNBOUNDED PRECEDING|CURRENT ROW'
/** Words of the longest phrase looked for, but for those at a statement's beginning. */
const LOOKED_AT = 12

/** The keywords that the words before a place ask for. */
export function phrasesAt({ kind, from, quoted }: Place, { parsed }: Scope): Phrases {
  const none = { words: [], only: false }
  if (quoted || (kind !== 'after' && kind !== 'value' && kind !== 'column')) return none
  const { text, tokens } = parsed
  const before = tokens.slice(0, tokens.findLastIndex(({ to }) => to <= from) + 1)
  const words = before.slice(-LOOKED_AT).map((token) => text.slice(token.from, token.to).toLowerCase())
  const said = (before.length > LOOKED_AT ? '… ' : '') + words.join(' ')
  const last = words.at(-1) ?? ''
  const wanted = NEEDED.find(([pattern]) => pattern.test(said))?.[1]
  if (wanted !== undefined) return { words: wanted.split('|').filter(Boolean), only: true }
  if (/^(?:rows|range|groups)$/.test(last) && /^(?:over|as)$/i.test(callAt(text, from, before)?.name ?? ''))
    return { words: FRAME.split('|'), only: true }
  if (last === 'not' && isOperand(text, before.at(-2)))
    return { words: ['IN', 'LIKE', 'ILIKE', 'BETWEEN', 'NULL', 'SIMILAR TO'], only: true }
  if (last === 'case') return { words: ['WHEN'], only: false }
  if (kind === 'value' && /\b(?:group|order) by$/.test(said)) return { words: ['ALL'], only: false }
  if (/^alter table .* rename$/.test(said)) return { words: ['TO', 'COLUMN'], only: false }
  const clause = kind === 'after' ? clauseBefore(text, before) : null
  return { words: clause === null ? [] : (FOLLOWING.get(clause)?.split('|') ?? []), only: false }
}

/** Whether a condition can begin with this token. */
function isOperand(text: string, token: Token | undefined): boolean {
  if (!token) return false
  const word = text.slice(token.from, token.to)
  return token.kind === 'quoted' || (token.kind === 'word' ? !isReserved(word) : /^[)\]]$/.test(word))
}

/** The word that begins the clause that the tokens end in, within its parentheses. */
function clauseBefore(text: string, before: readonly Token[]): string | null {
  let depth = 0
  for (let at = before.length - 1; at >= 0; at--) {
    const token = before[at]
    if (token?.kind !== 'word' && token?.kind !== 'punctuation') continue
    const word = text.slice(token.from, token.to).toLowerCase()
    if (/^[)\]}]$/.test(word)) depth++
    else if (/^[([{]$/.test(word) && depth-- === 0) return null
    if (depth > 0 || token.kind !== 'word') continue
    const owner = before[at - 1]
    const phrase = word === 'by' && owner ? `${text.slice(owner.from, owner.to).toLowerCase()} by` : word
    if (FOLLOWING.has(phrase)) return phrase
    if (word === 'end') at = beginningOfCase(text, before, at)
  }
  return null
}

/** The index of the CASE that END closes; 0 if there's none. */
function beginningOfCase(text: string, before: readonly Token[], end: number): number {
  let depth = 0
  for (let at = end; at > 0; at--) {
    const token = before[at]
    const word = token?.kind === 'word' ? text.slice(token.from, token.to).toLowerCase() : ''
    if (word === 'end') depth++
    if (word === 'case' && --depth === 0) return at
  }
  return 0
}

/** The names that a WINDOW clause defines, for OVER. */
export function windowNames({ text, tokens }: Parsed): readonly string[] {
  const word = (at: number): string => {
    const token = tokens[at]
    return token ? text.slice(token.from, token.to).toLowerCase() : ''
  }
  const start = tokens.findIndex((_, at) => word(at) === 'window')
  if (start === -1) return []
  return tokens.flatMap((token, at) =>
    at > start && word(at + 1) === 'as' && word(at + 2) === '(' ? [nameOf(text, token)] : [],
  )
}
