import type { Context } from './context.ts'
import { hull, type Expression } from './expression.ts'
import { Untranslatable, type PlanNode } from './plan.ts'
import { select, sized, sourceOf, type Relation } from './relation.ts'
import { rangeOf, sameType } from './types.ts'

/** In both engines, two NULLs are the same row, and ALL counts how often a row occurs on each side. */
const WORDS: Readonly<Record<string, string>> = {
  LOGICAL_UNION: 'UNION',
  LOGICAL_INTERSECT: 'INTERSECT',
  LOGICAL_EXCEPT: 'EXCEPT',
}

export const isSetOperation = ({ type }: PlanNode): boolean => Object.hasOwn(WORDS, type)

/** Translates UNION, INTERSECT and EXCEPT. DuckDB's plan casts the columns of both sides to the same types. */
export function combined({ type, children = [], setop_all: all }: PlanNode, context: Context): Relation {
  const word = WORDS[type]
  const [left, right, ...others] = children.map((each) => context.relation(each, context))
  if (!word || !left || !right || others.length > 0 || all === undefined) throw new Untranslatable(`such a ${type}`)
  if (left.columns.length !== right.columns.length) throw new Untranslatable('sides of different widths')
  const compares = word !== 'UNION' || !all
  const columns = left.columns.map((column, i) => eitherOf(column, right.columns[i], compares))
  const sql = sized(`((${select(left)}) ${word} ${all ? 'ALL' : 'DISTINCT'} (${select(right)}))`)
  // DuckDB's UNION ALL returns the left rows first, even if the rows of each side have no order.
  return sourceOf(sql, columns, context.names, compares)
}

function eitherOf(a: Expression, b: Expression | undefined, compares: boolean): Expression {
  if (!b || !sameType(a.type, b.type)) throw new Untranslatable('sides of different types')
  if (compares && a.type.name === 'DOUBLE') throw new Untranslatable('DOUBLEs that are compared as rows')
  return { ...a, range: rangeOf(a.type) && hull([a.range, b.range]) }
}
