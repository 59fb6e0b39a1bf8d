import { daysFromCivil, daysInMonth } from '../../../engine/arrow/calendar.ts'
import type { Constant } from './expression.ts'
import { Untranslatable, type PlanExpression } from './plan.ts'
import { isInteger, rangeOf, typeOf, type Type } from './types.ts'

/* Evaluates constant expressions. */

const MICROS_PER_DAY = 86_400_000_000n

interface Interval {
  readonly months: number
  readonly days: number
  readonly micros: bigint
}

/**
 * The value of a constant expression; undefined if it isn't constant, or can't be evaluated here.
 * @throws {Untranslatable} for a constant that can't be written exactly
 */
export function constantOf(expression: PlanExpression): Constant | undefined {
  const { expression_class: kind, value, child, return_type: to } = expression
  if (kind === 'BOUND_CONSTANT' && value) return literalOf(value.is_null, value.value, typeOf(value.type))
  if (kind === 'BOUND_CAST' && child && !expression.try_cast) return castOf(child, typeOf(to))
  if (kind === 'BOUND_FUNCTION' && to?.id === 'TIMESTAMP') return moved(expression)
  return undefined
}

function literalOf(isNull: boolean, value: unknown, type: Type): Constant {
  if (isNull) return null
  // The plan omits the value if it's an empty text.
  if (type.name === 'VARCHAR') return typeof value === 'string' ? value : ''
  if (type.name === 'BOOLEAN' && typeof value === 'boolean') return value ? 1n : 0n
  if (type.name === 'DOUBLE' && typeof value === 'number' && Number.isFinite(value)) return value
  if (rangeOf(type) && typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (rangeOf(type) && typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value)
  throw new Untranslatable(`a constant of ${type.name}`)
}

function castOf(child: PlanExpression, to: Type): Constant | undefined {
  if (child.expression_class !== 'BOUND_CONSTANT' || !child.value) return undefined
  if (child.value.is_null) return null
  const from = typeOf(child.value.type)
  const value = constantOf(child)
  if (value === undefined) return undefined
  if (value === null || from.name === to.name) {
    const same = from.name !== 'DECIMAL' || to.name !== 'DECIMAL' || from.scale === to.scale
    return same ? value : rescaled(value, from, to)
  }
  if (typeof value === 'string') {
    if (to.name === 'DATE') return daysOf(value)
    if (to.name === 'TIMESTAMP') return microsOf(value)
    return undefined
  }
  if (typeof value !== 'bigint') return undefined
  if (to.name === 'DOUBLE') {
    const scale = from.name === 'DECIMAL' ? from.scale : 0
    return value > -(2n ** 53n) && value < 2n ** 53n ? Number(value) / 10 ** scale : undefined
  }
  if (from.name === 'DECIMAL' || to.name === 'DECIMAL') return rescaled(value, from, to)
  return isInteger(from) && isInteger(to) ? within(value, to) : undefined
}

function rescaled(value: Constant, from: Type, to: Type): Constant | undefined {
  if (value === null) return null
  if (typeof value !== 'bigint' || to.name !== 'DECIMAL' || !(from.name === 'DECIMAL' || isInteger(from)))
    return undefined
  const added = to.scale - (from.name === 'DECIMAL' ? from.scale : 0)
  return added < 0 ? undefined : within(value * 10n ** BigInt(added), to)
}

function within(value: bigint, type: Type): bigint | undefined {
  const range = rangeOf(type)
  return range && value >= range.low && value <= range.high ? value : undefined
}

/** Reads only the usual format, though DuckDB accepts others, too. */
function daysOf(text: string): bigint | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (!year || !month || !day || month > 12 || day > daysInMonth(year, month)) return undefined
  return BigInt(daysFromCivil(year, month, day))
}

function microsOf(text: string): bigint | undefined {
  const [, date = '', time = '00:00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?$/.exec(text) ?? []
  const days = daysOf(date)
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  if (days === undefined || hours > 23 || minutes > 59 || seconds > 59) return undefined
  const inDay = BigInt((hours * 60 + minutes) * 60 + seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
  return days * MICROS_PER_DAY + inDay
}

/** A constant date or timestamp plus or minus an interval. */
function moved({ name, children = [] }: PlanExpression): bigint | undefined {
  const [moment, by] = children
  if (!moment || !by || (name !== '+' && name !== '-')) return undefined
  const interval = intervalOf(by)
  const value = constantOf(moment)
  if (!interval || typeof value !== 'bigint') return undefined
  const micros = (moment.return_type ?? moment.value?.type)?.id === 'DATE' ? value * MICROS_PER_DAY : value
  const sign = name === '+' ? 1 : -1
  return later(micros, {
    months: interval.months * sign,
    days: interval.days * sign,
    micros: interval.micros * BigInt(sign),
  })
}

function later(micros: bigint, by: Interval): bigint | undefined {
  const inDay = ((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY
  const date = new Date(Number((micros - inDay) / 1000n))
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + by.months
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1]
  if (!(year >= 1 && year <= 9999)) return undefined
  const days = daysFromCivil(year, month, Math.min(date.getUTCDate(), daysInMonth(year, month)))
  return BigInt(days + by.days) * MICROS_PER_DAY + inDay + by.micros
}

const UNITS: Readonly<Record<string, (count: number) => Interval>> = {
  to_years: (count) => ({ months: count * 12, days: 0, micros: 0n }),
  to_months: (count) => ({ months: count, days: 0, micros: 0n }),
  to_days: (count) => ({ months: 0, days: count, micros: 0n }),
  to_hours: (count) => ({ months: 0, days: 0, micros: BigInt(count) * 3_600_000_000n }),
  to_minutes: (count) => ({ months: 0, days: 0, micros: BigInt(count) * 60_000_000n }),
}

function intervalOf({ expression_class: kind, name = '', children = [] }: PlanExpression): Interval | undefined {
  const unit = kind === 'BOUND_FUNCTION' && Object.hasOwn(UNITS, name) ? UNITS[name] : undefined
  const [count] = children
  const value = count && countOf(count)
  return value === undefined ? undefined : unit?.(value)
}

/** An integer constant within the casts that DuckDB adds. */
function countOf(expression: PlanExpression): number | undefined {
  const { expression_class: kind, value, child, name, children } = expression
  if (kind === 'BOUND_CAST' && child) return countOf(child)
  if (kind === 'BOUND_FUNCTION' && name === 'trunc' && children?.[0]) return countOf(children[0])
  if (kind !== 'BOUND_CONSTANT' || value?.is_null || value?.type.id === 'DECIMAL') return undefined
  const count = Number(value?.value)
  return Number.isInteger(count) && Math.abs(count) < 1e6 ? count : undefined
}
