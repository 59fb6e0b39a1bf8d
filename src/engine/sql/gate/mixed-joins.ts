import type { EngineError } from '../../errors.ts'
import { foldName } from '../../../lib/names.ts'
import { foldIdentifier, type Statement, type Token } from '../statement.ts'
import type { PlanNode } from './authorize.ts'
import { refused } from './refusals.ts'

const FAULT = 'may find other rows than it should: a fault of DuckDB 1.4.'
const REMEDY = 'Write it as WHERE EXISTS (SELECT … WHERE a.key = b.key AND a.value < b.value), or NOT EXISTS.'

/** What a name stands for in a statement: the body of a macro or a view, as the engine prints it. */
export interface Body {
  readonly name: string
  readonly text: string
}

/**
 * Refuses what DuckDB 1.4 answers wrongly where the outer table is the smaller one: semi and anti joins by equality and
 * by another comparison as well, written so or as `< ANY (…)` about the outer row.
 * Source: https://github.com/duckdb/duckdb/issues/20410, mended in 1.4.4 by https://github.com/duckdb/duckdb/pull/20435
 * @param plan bound, not optimized
 * @param part what it's the plan of
 * @param bodies of the macros and views that there are; asked for where one of them may matter
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
      const hiding = hidingAny(part, bodies())
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

/** Of a condition as plans print it: `(CAST(a AS BIGINT) = (b + 1))`. */
function isEquality(condition: string): boolean {
  let outer = condition.replaceAll(/'[^']*'/g, '').replace(/^\(([^]*)\)$/, '$1')
  for (let before = ''; before !== outer;) {
    before = outer
    outer = outer.replaceAll(/\([^()]*\)/g, '')
  }
  return / = | IS NOT DISTINCT FROM /.test(outer)
}

/** Whether the comparison before a token is another one than `=`. Of operators the tokens have the first character. */
function isUnequal(tokens: readonly Token[], i: number): boolean {
  return tokens[i - 1]?.kind === 'operator' && /^[<>!]/.test(tokens[i - 1].text)
}

/** As the engine prints SOME and, inside of NOT, ALL, too. */
const UNEQUAL_ANY = /(?:[<>]|[<>!]=|<>) ANY\(/

/** The first name in a statement whose body has such a comparison, itself or in another body; null when there's none. */
function hidingAny({ tokens }: Statement, bodies: readonly Body[]): string | null {
  const hiding = new Set(bodies.filter(({ text }) => UNEQUAL_ANY.test(text)).map(({ name }) => foldName(name)))
  for (let size = 0; size < hiding.size;) {
    size = hiding.size
    for (const { name, text } of bodies)
      if ([...hiding].some((each) => foldName(text).includes(each))) hiding.add(foldName(name))
  }
  return tokens.find(({ text }) => hiding.has(foldIdentifier(text)))?.text ?? null
}
