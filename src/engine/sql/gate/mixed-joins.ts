import type { EngineError } from '../../errors.ts'
import { foldName } from '../../../lib/names.ts'
import { foldIdentifier, type Statement, type Token } from '../statement.ts'
import type { PlanNode } from './authorize.ts'
import { refused } from './refusals.ts'

const FAULT = 'may find other rows than it should: a fault of DuckDB 1.4.'
const REMEDY = 'Write it as WHERE EXISTS (SELECT … WHERE a.key = b.key AND a.value < b.value), or NOT EXISTS.'

/** The body of a macro or a view, as the engine prints it. */
export interface Body {
  readonly name: string
  readonly text: string
}

/**
 * Refuses statements that DuckDB 1.4 answers incorrectly if the outer table is the smaller one: semi and anti joins by
 * an equality and another comparison, written as joins or as a correlated `< ANY (…)`.
 * @see https://github.com/duckdb/duckdb/issues/20410, fixed in 1.4.4 by https://github.com/duckdb/duckdb/pull/20435
 * @param plan bound, not optimized
 * @param part the statement of the plan
 * @param bodies gives the bodies of all macros and views; called only if one may matter
 * @throws {EngineError} `sql-not-allowed`
 */
export function guardMixedJoins(plan: readonly PlanNode[], part: Statement, bodies: () => readonly Body[]): void {
  for (const { name, children, extra_info: info } of plan) {
    const type = info['Join Type']
    if (name === 'COMPARISON_JOIN' && (type === 'SEMI' || type === 'ANTI') && isMixed(info['Conditions']))
      throw mixed(`${type} JOIN by = and by another comparison`)
    if (name === 'DEPENDENT_JOIN' && type === 'MARK') {
      const any = part.tokens.find((token, i) => /^(?:any|some)$/i.test(token.text) && isUnequal(part.tokens, i))
      if (any) throw mixed(`A comparison with ${any.text.toUpperCase()} of a subquery about the outer row`)
      const hiding = nameWithUnequalAny(part, bodies())
      if (hiding) throw mixed(`${hiding} compares with ANY of a subquery about the outer row, which`)
    }
    guardMixedJoins(children, part, bodies)
  }
}

const mixed = (what: string): EngineError => refused(`${what} ${FAULT}`, REMEDY)

function isMixed(conditions: string | readonly string[] | undefined): boolean {
  const equal = [conditions ?? []].flat().map(isEquality)
  return equal.includes(true) && equal.includes(false)
}

/** Whether a printed condition such as `(CAST(a AS BIGINT) = (b + 1))` is an equality. */
function isEquality(condition: string): boolean {
  let outer = condition.replaceAll(/'[^']*'/g, '').replace(/^\(([^]*)\)$/, '$1')
  for (let before = ''; before !== outer;) {
    before = outer
    outer = outer.replaceAll(/\([^()]*\)/g, '')
  }
  return / = | IS NOT DISTINCT FROM /.test(outer)
}

/**
 * Whether the operator before a token is a comparison other than `=`. Tokens have only an operator's first character.
 */
function isUnequal(tokens: readonly Token[], i: number): boolean {
  return tokens[i - 1]?.kind === 'operator' && /^[<>!]/.test(tokens[i - 1].text)
}

/** The engine also prints SOME, and ALL under NOT, as ANY. */
const UNEQUAL_ANY = /(?:[<>]|[<>!]=|<>) ANY\(/

/**
 * The first name in a statement whose body has such a comparison, directly or through another body; null if there's
 * none.
 */
function nameWithUnequalAny({ tokens }: Statement, bodies: readonly Body[]): string | null {
  const hiding = new Set(bodies.filter(({ text }) => UNEQUAL_ANY.test(text)).map(({ name }) => foldName(name)))
  for (let size = 0; size < hiding.size;) {
    size = hiding.size
    for (const { name, text } of bodies)
      if ([...hiding].some((each) => foldName(text).includes(each))) hiding.add(foldName(name))
  }
  return tokens.find(({ text }) => hiding.has(foldIdentifier(text)))?.text ?? null
}
