import { fitted, made, unless, type Expression } from './expression.ts'
import type { Type } from './types.ts'
import { Untranslatable } from './plan.ts'

/* Functions of dates and timestamps, which are days and microseconds since 1970. */

const MICROS_PER_DAY = 86_400_000_000n
/** The days of the years 1 to 9999, for which the calendar is computed. */
const CIVIL = { low: -719_162, high: 2_932_896 }
/** The largest absolute value of a finite timestamp; 2^63 - 1 and its negative mean infinity. */
const FINITE_MICROS = 9_223_372_036_854_775_806n

const BIGINT: Type = { name: 'BIGINT' }

/** Units of time in microseconds, and how many make up the next larger unit. */
const CLOCK: Readonly<Record<string, readonly [micros: bigint, of: bigint]>> = {
  second: [1_000_000n, 60n],
  minute: [60_000_000n, 60n],
  hour: [3_600_000_000n, 24n],
}

const PARTS: Readonly<Record<string, readonly [part: (civil: Civil) => string, low: bigint, high: bigint]>> = {
  year: [({ year }) => year, 1n, 9999n],
  month: [({ month }) => month, 1n, 12n],
  day: [({ day }) => day, 1n, 31n],
}

const STARTS: Readonly<Record<string, (since: string) => string>> = {
  year: (since) => dayOf(civil(since).year, '1'),
  quarter(since) {
    const { year, month } = civil(since)
    return dayOf(year, `(intDiv(${month} - 1, 3) * 3 + 1)`)
  },
  month: (since) => `(${since} - ${civil(since).day} + 1)`,
  week: (since) => `(${since} - positiveModulo(${since} + 3, 7))`,
}

interface Civil {
  readonly year: string
  readonly month: string
  readonly day: string
}

/**
 * A day's date from integers, since ClickHouse's dates end in 2299. Years begin in March, so that a leap day is last.
 */
function civil(since: string): Civil {
  const era = `(${since} + 719468)`
  const inEra = `(${era} % 146097)`
  const yearOfEra = `intDiv(${inEra} - intDiv(${inEra}, 1460) + intDiv(${inEra}, 36524) - intDiv(${inEra}, 146096), 365)`
  const inYear = `(${inEra} - (365 * ${yearOfEra} + intDiv(${yearOfEra}, 4) - intDiv(${yearOfEra}, 100)))`
  const fromMarch = `intDiv(5 * ${inYear} + 2, 153)`
  const month = `if(${fromMarch} < 10, ${fromMarch} + 3, ${fromMarch} - 9)`
  return {
    year: `(${yearOfEra} + intDiv(${era}, 146097) * 400 + if(${fromMarch} < 10, 0, 1))`,
    month,
    day: `(${inYear} - intDiv(153 * ${fromMarch} + 2, 5) + 1)`,
  }
}

/** The day number of a month's first day. */
function dayOf(year: string, month: string): string {
  const fromMarch = `(${year} - if(${month} <= 2, 1, 0))`
  const before = `365 * ${fromMarch} + intDiv(${fromMarch}, 4) - intDiv(${fromMarch}, 100) + intDiv(${fromMarch}, 400)`
  return `(${before} + intDiv(153 * ((${month} + 9) % 12) + 2, 5) - 719468)`
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** Rounds down to whole units, before 1970, too. */
const floored = (sql: string, micros: bigint): string => `(${sql} - positiveModulo(${sql}, toInt64(${micros})))`

/** A timestamp's microseconds. ClickHouse fails if it's infinite. */
const finiteMicros = ({ sql }: Expression): string => unless(`abs(toInt128(${sql})) > ${FINITE_MICROS - 1n}`, sql)

function days(value: Expression): string {
  if (value.type.name === 'DATE') return value.sql
  if (value.type.name !== 'TIMESTAMP') throw new Untranslatable(`a part of ${value.type.name}`)
  return `intDiv(${floored(finiteMicros(value), MICROS_PER_DAY)}, toInt64(${MICROS_PER_DAY}))`
}

/** A date's days. ClickHouse fails if the calendar isn't computed for them. */
function civilDays(value: Expression): string {
  const sql = `toInt64(${days(value)})`
  return unless(`${sql} < ${CIVIL.low} OR ${sql} > ${CIVIL.high}`, sql)
}

/** DuckDB 1.4 sometimes returns a value for NULL, since it assumes that a column with known extremes has no NULL. */
function requireSolid({ solid }: Expression): void {
  if (!solid) throw new Untranslatable('a part of what may be NULL')
}

/** `year(x)`, `date_part('year', x)`. */
export function datePart(part: string, value: Expression): Expression {
  requireSolid(value)
  const name = part.toLowerCase()
  const calendar = own(PARTS, name)
  if (calendar) {
    const [read, low, high] = calendar
    return fitted(`toInt64(${read(civil(civilDays(value)))})`, { low, high }, BIGINT, [value])
  }
  const clock = own(CLOCK, name)
  if (!clock || value.type.name !== 'TIMESTAMP') throw new Untranslatable(`the part ${name}`)
  const [micros, of] = clock
  const whole = `intDiv(positiveModulo(${finiteMicros(value)}, toInt64(${micros * of})), toInt64(${micros}))`
  return fitted(`toInt64(${whole})`, { low: 0n, high: of - 1n }, BIGINT, [value])
}

/** `date_trunc('month', x)`. */
export function dateTrunc(part: string, value: Expression, type: Type): Expression {
  requireSolid(value)
  const name = part.toLowerCase()
  const start = own(STARTS, name)
  const micros = name === 'day' ? MICROS_PER_DAY : own(CLOCK, name)?.[0]
  if (value.type.name === 'TIMESTAMP' && type.name === 'TIMESTAMP' && micros !== undefined)
    return made(`toInt64(${floored(finiteMicros(value), micros)})`, type, [value])
  if (!start) throw new Untranslatable(`date_trunc to ${name} of ${value.type.name}`)
  const first = `toInt64(${start(civilDays(value))})`
  if (type.name === 'DATE') return made(first, type, [value])
  if (type.name === 'TIMESTAMP') return made(`(${first} * toInt64(${MICROS_PER_DAY}))`, type, [value])
  throw new Untranslatable(`date_trunc that gives ${type.name}`)
}

/** Converts a date to a timestamp at midnight. */
export function asTimestamp(value: Expression): Expression {
  const safe = unless(`abs(toInt64(${value.sql})) > 100000000`, value.sql)
  return made(`(toInt64(${safe}) * toInt64(${MICROS_PER_DAY}))`, { name: 'TIMESTAMP' }, [value])
}

export function asDate(value: Expression): Expression {
  return made(`toInt32(${days(value)})`, { name: 'DATE' }, [value])
}
