import { printType, scalar, VARCHAR } from '../../../tables/types.ts'
import { hasDateParts } from '../builders/pattern.ts'
import type { Choice, Conventions, Findings, TypeFound } from './findings.ts'
import * as kinds from './kinds.ts'
import { all, quote } from './sentences.ts'
import { DAY_FIRST, MONTH_FIRST, YEAR_FIRST } from './temporal.ts'

type Order = NonNullable<Conventions['order']>

/** The type of a column of dates, or of dates with times, that aren't ISO; null for any other column. */
export function dateType(findings: Findings, count: number, conventions: Conventions): TypeFound | null {
  return styledType(findings, count, conventions) ?? patternType(findings, count, conventions)
}

const SHOWN: ReadonlyMap<string, string> = new Map([
  ['%Y', 'YYYY'],
  ['%y', 'YY'],
  ['%m', 'MM'],
  ['%d', 'DD'],
  ['%b', 'Mon'],
  ['%B', 'Month'],
  ['%H', 'hh'],
  ['%I', 'hh'],
  ['%M', 'mm'],
  ['%S', 'ss'],
  ['%f', 'f'],
  ['%p', 'AM/PM'],
])

/** A pattern as people write it: DD.MM.YYYY. */
export const shownPattern = (pattern: string): string => pattern.replace(/%./g, (part) => SHOWN.get(part) ?? part)

function styledType(findings: Findings, count: number, conventions: Conventions): TypeFound | null {
  const { counts, orders, separator, firstTexts } = findings
  if (counts[kinds.STYLED_DATE] === 0 || kinds.sum(counts, kinds.DATE, kinds.STYLED_DATE) < count) return null
  const mark = String.fromCharCode(separator)
  const patterns = [
    ...(orders & YEAR_FIRST ? [`%Y${mark}%m${mark}%d`] : []),
    ...(orders & DAY_FIRST ? [`%d${mark}%m${mark}%Y`] : []),
    // Nobody writes the month first with points.
    ...(orders & MONTH_FIRST && !(mark === '.' && orders & DAY_FIRST) ? [`%m${mark}%d${mark}%Y`] : []),
  ]
  if (counts[kinds.DATE] === 0 && patterns.length > 0) {
    return ofPatterns(patterns, 'DATE', count, firstTexts[kinds.STYLED_DATE], conventions)
  }
  return {
    type: VARCHAR,
    reason: 'All values look like dates, but they are written in different ways, so they stay text.',
    flags: ['ambiguous-date', 'mixed-types'],
  }
}

function patternType(findings: Findings, count: number, conventions: Conventions): TypeFound | null {
  const { dated, counts } = findings
  if (dated.hits === 0 || dated.hits < count || counts[kinds.TEXT] < count || dated.patterns.length === 0) return null
  const [pattern] = dated.patterns
  if (hasDateParts(pattern)) {
    const type = /%[HI]/.test(pattern) ? 'TIMESTAMP' : 'DATE'
    return ofPatterns(dated.patterns, type, count, dated.example, conventions, rewritesOf(findings))
  }
  const type = scalar('TIME')
  const iso = pattern === '%H:%M' && dated.short === 0
  const format = iso ? {} : { dateFormat: pattern }
  // Hours with a zero before them, or halves of a day: scores and ratios have neither.
  if (pattern.includes('%p') || (dated.padded > 0 && dated.short === 0)) {
    const rewrites = { count: dated.others, from: dated.other }
    return { type, format, reason: `${all(count, 'times of day', 'a time of day')}.`, rewrites }
  }
  const reason = `${all(count, 'texts', 'a text')}, which may be times of day such as ${quote(dated.example)}.`
  return { type: VARCHAR, reason, choices: [{ code: 'times', type, format, from: dated.example }] }
}

const rewritesOf = ({ dated }: Findings): TypeFound['rewrites'] => ({
  count: dated.hits,
  from: dated.example,
  json: { count: dated.others, from: dated.other },
})

function ofPatterns(
  patterns: readonly string[],
  name: 'DATE' | 'TIMESTAMP',
  count: number,
  from: string,
  { order }: Conventions,
  rewrites: TypeFound['rewrites'] = { count, from },
): TypeFound {
  const values = name === 'DATE' ? all(count, 'dates', 'a date') : all(count, 'dates with times', 'a date with a time')
  const orders = [...new Set(patterns.map(orderOf))]
  const told = orders.length > 1 ? patterns.find((pattern) => orderOf(pattern) === order) : undefined
  const dateFormat = orders.length === 1 ? patterns[0] : told
  const type = scalar(name)
  if (dateFormat !== undefined) {
    const also = told === undefined ? '' : ', as other columns tell'
    const reason = `${values} written ${shownPattern(dateFormat)}${also}.`
    return { type, format: { dateFormat }, reason, rewrites }
  }
  const choices = orders.flatMap((each): Choice[] => {
    const pattern = patterns.find((candidate) => orderOf(candidate) === each)
    if (pattern === undefined) return []
    const words = (value: string): string => dateWords(value, each)
    return [{ code: `${each}-first`, type, format: { dateFormat: pattern }, from, words, ambiguous: true }]
  })
  const unknown = orders.includes('year') ? 'what comes first' : 'whether the day or the month comes first'
  const reason = `${values}, but nothing tells ${unknown}, as in ${quote(from)}: they stay text until you say.`
  return { type: VARCHAR, reason, flags: ['ambiguous-date'], choices }
}

/** What comes first in dates of a pattern. */
function orderOf(pattern: string): Order | 'year' {
  const at = (part: RegExp): number => pattern.search(part)
  if (at(/%[Yy]/) < at(/%d/) && at(/%[Yy]/) < at(/%[mbB]/)) return 'year'
  return at(/%d/) < at(/%[mbB]/) ? 'day' : 'month'
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** 2025-04-03 as people write it who have the day or the month first. */
function dateWords(value: string, order: Order | 'year'): string {
  const [, year, month, day, rest = ''] = /^(-?\d+)-(\d\d)-(\d\d)(.*)$/.exec(value) ?? []
  if (year === undefined) return value
  const name = MONTHS[Number(month) - 1]
  if (order === 'month') return `${name} ${Number(day)}, ${year}${rest} (month first)`
  return order === 'day' ? `${Number(day)} ${name} ${year}${rest} (day first)` : `${value} (year first)`
}

/** What a column of dates tells of the file: what comes first; null where it doesn't tell. */
export function dateOrderOf(findings: Findings, count: number): Order | null {
  const found = dateType(findings, count, {})
  const pattern = found && printType(found.type) !== 'VARCHAR' ? found.format?.dateFormat : undefined
  if (pattern === undefined || !/%m/.test(pattern)) return null
  const order = orderOf(pattern)
  return order === 'year' ? null : order
}
