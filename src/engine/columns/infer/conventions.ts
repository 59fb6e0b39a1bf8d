import type { NumberStyle } from '../../../tables/settings.ts'
import { dateOrderOf } from './date-type.ts'
import { countOf, type Conventions, type Findings } from './findings.ts'
import type { Mark } from './number-forms.ts'
import { COMMA, POINT, SPACE, APOSTROPHE } from '../separators.ts'
import { markOf } from './number-form-type.ts'

/**
 * What the columns of a file tell of each other: a mark or an order holds where some columns have it and none the other.
 * @param given what the person said, and what separates the fields
 */
export function conventionsOf(columns: readonly Findings[], given: Conventions): Conventions {
  const marks = new Set<Mark>()
  const orders = new Set<'day' | 'month'>()
  for (const findings of columns) {
    const count = countOf(findings)
    const mark = count > 0 ? markOf(findings, count) : null
    if (mark !== null) marks.add(mark)
    const order = count > 0 ? dateOrderOf(findings, count) : null
    if (order !== null) orders.add(order)
  }
  const mark = given.mark ?? only(marks)
  // Nobody who writes a comma before fractions writes the month first.
  const order = given.order ?? only(orders) ?? (orders.size === 0 && mark === ',' ? 'day' : undefined)
  return { ...given, ...(mark ? { mark } : {}), ...(order ? { order } : {}) }
}

function only<T>(values: ReadonlySet<T>): T | undefined {
  const [first] = values
  return values.size === 1 ? first : undefined
}

/** What stands before fractions in numbers that look so. */
export const markOfStyle = (style: NumberStyle): Mark => (style.endsWith(',56') ? ',' : '.')

/** How the numbers of a file look; undefined where nothing tells. */
export function styleOf(columns: readonly Findings[], { mark }: Conventions): NumberStyle | undefined {
  if (mark === undefined) return undefined
  const groups = columns.reduce((all, { formed }) => all | (formed.hits > formed.misses ? formed.groups : 0), 0)
  if (mark === ',') return (groups & SPACE) !== 0 && (groups & POINT) === 0 ? '1 234,56' : '1.234,56'
  return (groups & APOSTROPHE) !== 0 && (groups & COMMA) === 0 ? "1'234.56" : '1,234.56'
}
