import { quoteText } from '../../lib/duckdb-sql/names.ts'
import { refused } from './gate/refusals.ts'
import { GIVEN } from './functions/own-names.ts'
import { edited, type Filled } from './parameters.ts'
import { foldIdentifier, placeholders, wordsOf, type Statement, type Token } from './statement.ts'

/* Rewrites statements that DuckDB can't bind without running them. */

/** Pragmas that only read, as queries. */
const PRAGMAS: Readonly<Record<string, string>> = {
  collations: 'FROM pragma_collations()',
  force_checkpoint: 'FORCE CHECKPOINT',
  database_list: 'FROM pragma_database_list',
  platform: 'FROM pragma_platform()',
  show_databases: 'SHOW DATABASES',
  show_tables: 'SHOW TABLES',
  show_tables_expanded: 'SHOW ALL TABLES',
  user_agent: 'FROM pragma_user_agent()',
  version: 'FROM pragma_version()',
}
const PRAGMAS_OF_TABLES: ReadonlySet<string> = new Set(['show', 'storage_info', 'table_info'])

export interface Rewritten extends Filled {
  /**
   * For EXECUTE: the statement with its values wrapped in calls of `__given`. These show in the names of columns without
   * an alias, so that the names can be given the placeholders instead.
   */
  readonly named?: string
}

const CHECKPOINT = /^(?:force_)?checkpoint$/

/**
 * Rewrites EXECUTE, CALL, SHOW VARIABLES and reading pragmas; null for other statements.
 * @param prepared prepared statements by folded name
 * @throws {EngineError} `sql-not-allowed` if there's no such prepared statement, or the number of values is wrong
 */
export function rewrite(statement: Statement, prepared: ReadonlyMap<string, Statement>): Rewritten | null {
  const { tokens, text } = statement
  const word = wordsOf(tokens)
  const [first, second] = tokens
  if (!second) return null
  if (word(0) === 'execute') return executed(statement, prepared)
  if (word(0) === 'call' && CHECKPOINT.test(word(1)) && word(2) === '(' && word(3) === ')' && tokens.length === 4)
    return edited(text, [{ from: first.start, to: endOf(tokens), text: word(1).replace('_', ' ') }])
  // CALL becomes a query of the function.
  if (word(0) === 'call') return edited(text, [{ from: first.start, to: second.start, text: 'FROM ' }])
  if (word(0) === 'show' && word(1) === 'variables' && tokens.length === 2)
    return edited(text, [{ from: first.start, to: second.start + second.text.length, text: 'FROM duckdb_variables()' }])
  if (word(0) === 'describe' && word(1) === 'tables' && tokens.length === 2)
    return edited(text, [{ from: first.start, to: first.start + first.text.length, text: 'SHOW' }])
  if (word(0) !== 'pragma') return null
  const to = second.start + second.text.length
  if (tokens.length === 2 && Object.hasOwn(PRAGMAS, word(1)))
    return edited(text, [{ from: first.start, to, text: PRAGMAS[word(1)] }])
  if (!PRAGMAS_OF_TABLES.has(word(1)) || !tokens[3]) return null
  if (tokens[2].text === '=' && tokens.length === 4) {
    const name = tokens[3].kind === 'string' ? tokens[3].text : quoteText(tokens[3].text)
    return edited(text, [{ from: first.start, to: endOf(tokens), text: `FROM pragma_${word(1)}(${name})` }])
  }
  if (tokens[2].text !== '(') return null
  const inner = tokens.slice(3, -1)
  const name = inner.length > 0 && inner[0].kind !== 'string' ? textOf(text, inner) : null
  return edited(text, [
    { from: first.start, to, text: `FROM pragma_${word(1)}` },
    ...(name === null ? [] : [{ from: inner[0].start, to: endOf(inner), text: quoteText(name) }]),
  ])
}

/** Fills a prepared statement with the values of EXECUTE. */
function executed(statement: Statement, prepared: ReadonlyMap<string, Statement>): Rewritten {
  const { tokens, text } = statement
  const name = foldIdentifier(tokens[1].text)
  const own = prepared.get(name)
  if (!own)
    throw refused(
      `There is no prepared statement ${tokens[1].text}.`,
      `Make it first: PREPARE ${tokens[1].text} AS SELECT …`,
    )
  const values = new Map(
    valuesOf(tokens.slice(3, tokens[2]?.text === '(' ? -1 : 3)).map((value, i): [string, string] =>
      isNamed(value, text)
        ? [foldIdentifier(value[0].text), textOf(text, value.slice(2))]
        : [String(i + 1), textOf(text, value)],
    ),
  )
  const uses = placeholders(own.tokens)
  const wanted = new Set(uses.map((use) => use.name.toLowerCase()))
  const missing = [...wanted].find((each) => !values.has(each))
  const unused = [...values.keys()].find((each) => !wanted.has(each))
  if (missing !== undefined || unused !== undefined) {
    const what = missing === undefined ? `has no $${unused}` : `needs a value for $${missing}`
    throw refused(
      `The prepared statement ${tokens[1].text} ${what}.`,
      `It takes ${wanted.size === 0 ? 'no values' : [...wanted].map((each) => `$${each}`).join(', ')}.`,
    )
  }
  const filled = (each: (name: string, value: string) => string): string =>
    edited(
      own.text,
      uses.map((use) => ({ ...use, text: each(use.name, `(${values.get(use.name.toLowerCase()) ?? ''})`) })),
    ).text
  // Positions in it don't exist in the written statement.
  return {
    text: filled((_, value) => value),
    original: () => 0,
    ...(uses.length > 0 ? { named: filled((each, value) => `${GIVEN}(${quoteText(each)}, ${value})`) } : {}),
  }
}

/** Whether it's `name := value` or `name => value`. */
function isNamed([name, operator]: readonly Token[], text: string): boolean {
  const isName = name.kind === 'identifier' || name.kind === 'keyword'
  return isName && operator !== undefined && /^(?::=|=>)/.test(text.slice(operator.start))
}

/** Splits values at the commas outside of parentheses. */
export function valuesOf(tokens: readonly Token[]): Token[][] {
  const values: Token[][] = []
  let depth = 0
  for (const [i, token] of tokens.entries()) {
    if ('([{'.includes(token.text)) depth++
    else if (')]}'.includes(token.text)) depth--
    if (i === 0 || (depth === 0 && token.text === ',')) values.push([])
    if (depth > 0 || token.text !== ',') values.at(-1)?.push(token)
  }
  return values
}

function endOf(tokens: readonly Token[]): number {
  const last = tokens[tokens.length - 1]
  return last.start + last.text.length
}

function textOf(text: string, tokens: readonly Token[]): string {
  return text.slice(tokens[0].start, endOf(tokens))
}
