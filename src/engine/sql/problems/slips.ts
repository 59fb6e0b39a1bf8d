import { isReserved, quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import type { Statement, Token } from '../statement.ts'
import { distance } from './near.ts'

/* Slips: what to do about a syntax error, judging by the words around it. */

/** Stands for the error's place among the words of a statement. */
const HERE = '¶'
const CLAUSES = 'where|group by|having|qualify|order by|limit|union|except|intersect'
const ORDER = 'Clauses stand in this order: FROM, WHERE, GROUP BY, HAVING, QUALIFY, ORDER BY, LIMIT.'

/**
 * By the words, with a blank between two, and their own groups. The first that fits is taken. What stands far before is
 * looked for backwards from the error, so that a long statement isn't searched again from each of its words.
 */
const SLIPS: readonly (readonly [RegExp, remedy: (group: string) => string])[] = [
  [/\b(order|group|partition) ¶ (?!by\b|from\b)[\w"]/i, (word) => `Write ${word.toUpperCase()} BY.`],
  [/\bin ¶ (?!\()/i, () => 'Put the values in parentheses: IN (1, 2).'],
  [/\bbetween \S+ ¶ ,/i, () => 'Write AND between the two: BETWEEN 1 AND 3.'],
  [/\bis (?:not )?¶/i, () => 'Write = or <> to compare values. After IS stands NULL, TRUE or FALSE.'],
  [/\b(?:where|and|or|not|when|having) \S+ ¶ null\b/i, () => 'Write IS NULL.'],
  [/^update \S+ (?!set\b)[\w"]+ ¶/i, () => 'Write SET before the first column: UPDATE t SET a = 1.'],
  [/^delete ¶ \*/i, () => 'Write DELETE FROM without *.'],
  [/^delete ¶ (\S+)/i, (name) => `Write DELETE FROM ${name}.`],
  [/^insert ¶ (\S+)/i, (name) => `Write INSERT INTO ${name}.`],
  [/\busing ¶ ([\w"]+)/i, (name) => `Put it in parentheses: USING (${name}).`],
  [
    /\bjoin \S+(?: (?:as )?[\w"]+)? ¶ (?:where|group|order|limit)\b/i,
    () => 'Write ON … after the JOIN, or CROSS JOIN.',
  ],
  [/\bsample (?:\( )?¶ (\d+)/i, (rows) => `Write USING before it: USING SAMPLE ${rows}.`],
  [/¶ outer join\b/i, () => 'Write LEFT, RIGHT or FULL before OUTER JOIN.'],
  [/¶ (?<=\bfrom .*\b(left|right|full|inner|cross) ¶ )[\w"]/i, (word) => `Write ${word.toUpperCase()} JOIN.`],
  [/^(?!.*\bend\b).*\bcase\b.*¶/i, () => 'Write END after the last THEN or ELSE of CASE.'],
  [/^with\b.*\bas ¶ (?:select|from|values)\b/i, () => 'Put the query in parentheses: WITH a AS (SELECT …).'],
  [/^create .*\bas ¶ ([\w".]+)$/i, (name) => `Write AS FROM ${name}.`],
  [/\bdistinct on ¶ ([\w"]+)/i, (name) => `Put it in parentheses: DISTINCT ON (${name}).`],
  [/\bcast \( \S+ ¶ ,/i, () => 'Write AS before the type: CAST(a AS INTEGER).'],
  [/(\S+) (?:¶ contains|contains ¶) (?!\()/i, (name) => `Write list_contains(${name}, value).`],
  [/(?:^with\b.*\) , ¶ (?:select|from)|, ¶ ,)/i, () => 'Leave out the comma before it.'],
  [/, ¶ (?:where|having|qualify|union|(?:order|group) by|limit \d)/i, () => 'Leave out the comma before it.'],
  [
    /¶ (?<=\border by .* ¶ )(?:union|except|intersect)\b/i,
    () => 'Write ORDER BY after the last SELECT, or put each in parentheses.',
  ],
  [/¶ (?<=\bwhere .* ¶ )where\b/i, () => `${ORDER} Between conditions stands AND.`],
  [new RegExp(`¶ (?<=\\b(?:group by|having|qualify|order by|limit) .* ¶ )(?:${CLAUSES})\\b`, 'i'), () => ORDER],
  [/\blike ¶ %/i, () => "Write the pattern in single quotes: LIKE '%a%'."],
  [
    /^with (?:recursive )?([\w"]+) \( ¶ (?:select|from|values)\b/i,
    (name) => `Write AS before it: WITH ${name} AS (SELECT …).`,
  ],
  [/\b(\d{1,3} ¶ , \d{3})\b/, (number) => `Write the number without a comma: ${number.replaceAll(/\D/g, '')}.`],
  [
    /\bfrom [\w".]+(?: (?:as )?[\w"]+)? (un)?pivot ¶ (?!\()/i,
    () => 'Write parentheses after it: PIVOT (sum(a) FOR b IN (1, 2)).',
  ],
  [/\bfrom ¶$/i, () => 'Write a table’s name after FROM.'],
  [
    /\b(where|and|or|on|having|qualify|when) ¶$/i,
    (word) => `Write a condition after ${word.toUpperCase()}, or leave it out.`,
  ],
  [/\b(group|order) by ¶$/i, (word) => `Write a column after ${word.toUpperCase()} BY.`],
  [/\bjoin \S+(?: (?:as )?[\w"]+)? ¶$/i, () => 'Write ON … after the JOIN, or CROSS JOIN.'],
  [/¶ : [a-z]|\{ ¶ \{|¶ \{ \{/i, () => 'Write a parameter as $name.'],
]

/** Words that statements are made of; shorter ones are like too many names. */
const WORDS =
  `select from where group order having limit offset join left right inner outer cross union except distinct between
  insert into update delete values create table view partition over qualify using desc pivot unpivot describe summarize`.split(
    /\s+/,
  )
/** Reserved words that are hardly meant as names. */
const NEVER =
  /^(?:and|as|by|else|except|from|having|in|intersect|into|not|on|or|qualify|select|then|union|when|where|with)$/i
/** What stands before a name. */
const BEFORE_NAMES = /^(?:select|from|join|table|into|update|by|and|or|where|on|set|[,(.])$/i

export interface Slip {
  readonly remedy: string | null
  /** A word that may be misspelled, and the ones that are like it. */
  readonly meant?: { readonly start: number; readonly words: readonly string[] }
}

/** @param start offset of a syntax error */
export function slipAt({ tokens }: Statement, start: number): Slip | null {
  const next = tokens.findIndex((token) => token.start >= start)
  const at = next === -1 ? tokens.length : next
  if (at === 0 && tokens[0].kind !== 'identifier') return null
  const words = tokens.map(shown).toSpliced(at, 0, HERE).join(' ')
  for (const [form, remedy] of SLIPS) {
    const found = form.exec(words)
    if (found) return { remedy: remedy(found[1] ?? '') }
  }
  if (tokens.length === 1)
    return (
      misspelled(tokens, 0) ?? { remedy: `To see a table’s rows, write FROM before its name: FROM ${tokens[0].text}.` }
    )
  return misspelled(tokens, at) ?? reservedName(tokens, at) ?? unbalanced(tokens, at) ?? missing(tokens, at)
}

/** A word that is a letter away from one of SQL's, at or just before the error. */
function misspelled(tokens: readonly Token[], at: number): Slip | null {
  for (const { kind, text, start } of tokens.slice(Math.max(at - 1, 0), at + 1)) {
    const word = text.toLowerCase()
    const like = (each: string): boolean =>
      distance(word, each, 1) === 1 && word !== `${each}s` && word !== `${each}d` && each !== `${word}s`
    const words = kind === 'identifier' ? WORDS.filter(like).map((each) => each.toUpperCase()) : []
    if (words.length > 0) return { remedy: null, meant: { start, words } }
  }
  return null
}

function reservedName(tokens: readonly Token[], at: number): Slip | null {
  const i = [at, at - 1].find((each) => {
    const [before, own, after] = [tokens[each - 1], tokens[each], tokens[each + 1]]
    if (own?.kind !== 'keyword' || !isReserved(own.text) || NEVER.test(own.text)) return false
    const isAlias =
      each === at &&
      (before?.kind === 'identifier' || before?.text === ')') &&
      /^(?:from|,|\)|;)$/i.test(after?.text ?? '')
    if (isAlias) return true
    return before && BEFORE_NAMES.test(before.text) && after?.kind !== 'number' && !/^by$/i.test(after?.text ?? '')
  })
  if (i === undefined) return null
  const { text } = tokens[i]
  return {
    remedy: `${text.toUpperCase()} is one of SQL’s own words. As a name, it stands in double quotes: ${quoteIdentifier(text)}.`,
  }
}

/** A parenthesis without its other half. */
function unbalanced(tokens: readonly Token[], at: number): Slip | null {
  const count = (sign: string): number => tokens.slice(0, at).filter(({ text }) => text === sign).length
  const open = count('(') - count(')')
  if (at === tokens.length) return open > 0 ? { remedy: 'Write a closing parenthesis.' } : null
  if (tokens[at].text === ')' && open <= 0) return { remedy: 'Leave it out: no parenthesis is open.' }
  const isClause = /^(?:from|where|group|having|qualify|order|limit)$/i.test(tokens[at].text)
  return open > 0 && isClause ? { remedy: 'Close the parenthesis before it.' } : null
}

/** Two names or values in a row. */
function missing(tokens: readonly Token[], at: number): Slip | null {
  if (at === tokens.length) return null
  const isValue = ({ kind, text }: Token): boolean =>
    kind === 'keyword' ? /^\w/.test(text) && !isReserved(text) : kind !== 'operator'
  const before = tokens[at - 1]
  if (before?.kind === 'string' && before.start + before.text.length === tokens[at].start)
    return { remedy: `A quote within a text is written twice: 'O''Brien'.` }
  return before && isValue(tokens[at]) && (isValue(before) || before.text === ')')
    ? { remedy: 'A comma, an operator or a word is missing before it.' }
    : null
}

const shown = ({ kind, text }: Token): string => (kind === 'string' ? "''" : text)
