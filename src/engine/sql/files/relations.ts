import { BEGINS_QUERY, LEAVE_FROM } from '../../../lib/duckdb-sql/dialect.ts'
import { closerOf } from '../functions/operands.ts'
import { foldIdentifier, type Statement, type Token } from '../statement.ts'

/** Words that a table stands after. */
const BEFORE_TABLE = new Set(['from', 'join', 'summarize', 'describe', 'pivot', 'unpivot', 'show', 'lateral'])
/** Words that end a FROM clause: what stands after a comma is no table any more. */
const ENDS_FROM = new Set([...LEAVE_FROM, 'select'])

/** What is open: a bracket, or the statement itself. */
interface Frame {
  /** Whether commas stand between tables. */
  inFrom: boolean
  /** A function's arguments: FROM is a part of them, as in `extract(year FROM d)`. */
  readonly isCall: boolean
}

/** The tokens of a statement at which a table's name, a file's path or a function that gives a table stands. */
export function relationStarts({ tokens }: Statement): number[] {
  const starts: number[] = []
  const frames: Frame[] = [{ inFrom: false, isCall: false }]
  let expected = false
  let changes = false
  for (const [i, token] of tokens.entries()) {
    const frame = frames[frames.length - 1]
    const word = token.kind === 'string' ? '' : token.text.toLowerCase()
    const wasExpected: boolean = expected
    expected = false
    changes ||= frames.length === 1 && (word === 'merge' || word === 'delete')
    if (word === '(') {
      const begins = BEGINS_QUERY.has(tokens[i + 1]?.text.toLowerCase() ?? '')
      frames.push({ inFrom: wasExpected && !begins, isCall: !begins && !wasExpected && isName(tokens[i - 1]) })
      expected = wasExpected && !begins
    } else if (word === ')') {
      if (frames.length > 1) frames.pop()
    } else if (word === ',') expected = frame.inFrom
    else if (isWord(token) && BEFORE_TABLE.has(word) && !frame.isCall && !isDistinctFrom(tokens, i)) {
      frame.inFrom = true
      expected = true
    } else if (word === 'table' && isQuery(tokens, i)) expected = true
    // What MERGE and DELETE use; a join's columns stand in parentheses.
    else if (word === 'using' && changes && tokens[i + 1]?.text !== '(') expected = true
    else if (isWord(token) && ENDS_FROM.has(word)) frame.inFrom = false
    else if (wasExpected && token.kind !== 'operator' && token.kind !== 'number') starts.push(i)
  }
  return starts
}

function isName(token: Token | undefined): boolean {
  return (
    token !== undefined && (token.kind === 'identifier' || /^(?:extract|trim|substring|overlay)$/i.test(token.text))
  )
}

function isWord({ kind, text }: Token): boolean {
  return kind === 'keyword' || (kind === 'identifier' && !text.startsWith('"'))
}

/** `TABLE x` is a query where one can begin; elsewhere TABLE says what is created, dropped or altered. */
function isQuery(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text.toLowerCase() ?? '('
  return ['(', ';', 'as', 'union', 'intersect', 'except', 'all', 'by'].includes(before)
}

/** `IS [NOT] DISTINCT FROM` compares. */
function isDistinctFrom(tokens: readonly Token[], at: number): boolean {
  return tokens[at].text.toLowerCase() === 'from' && tokens[at - 1]?.text.toLowerCase() === 'distinct'
}

/** Words after a table that aren't its alias. */
const AFTER_TABLE = new Set([
  ...ENDS_FROM,
  'anti',
  'asof',
  'cross',
  'except',
  'fetch',
  'full',
  'inner',
  'intersect',
  'join',
  'left',
  'natural',
  'on',
  'pivot',
  'positional',
  'right',
  'semi',
  'tablesample',
  'union',
  'unpivot',
  'using',
])

/** Whether a table whose last token that is has no alias. */
export function lacksAlias({ tokens }: Statement, last: number): boolean {
  const next = tokens[last + 1]
  if (!next) return true
  if (next.kind === 'operator') return next.text === ')' || next.text === ','
  return next.kind !== 'string' && !next.text.startsWith('"') && AFTER_TABLE.has(foldIdentifier(next.text))
}

/** Whether WITH gives the name that stands at a token: one that isn't recursive isn't known in its own query. */
export function isCte(tokens: readonly Token[], at: number): boolean {
  const name = foldIdentifier(tokens[at].text)
  const word = (i: number): string => tokens[i]?.text.toLowerCase() ?? ''
  return tokens.slice(0, at).some(({ kind, text }, i) => {
    if (kind === 'string' || !/^(?:with|recursive|,)$/.test(word(i - 1)) || foldIdentifier(text) !== name) return false
    const columns = word(i + 1) === '(' ? closerOf(tokens, i + 1) : i
    // `USING KEY (…)` may stand between.
    const as = tokens.findIndex((_, j) => j > columns && word(j) === 'as')
    if (as !== columns + 1 && word(columns + 1) !== 'using') return false
    const open = tokens.findIndex((each, j) => j > as && each.text === '(')
    if (as < 0 || open < 0 || open > as + 3) return false
    return at > closerOf(tokens, open) || tokens.slice(0, i).some((_, j) => word(j) === 'recursive')
  })
}
