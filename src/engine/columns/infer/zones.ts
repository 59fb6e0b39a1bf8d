import { VARCHAR } from '../../../tables/types.ts'
import { all, quote, type ColumnStats, type InferredType } from './column-stats.ts'
import * as kinds from './kinds.ts'

/* Dates with a time zone's abbreviation, which may be that of several: CST is used in America, China and Cuba. */

const NAME = /(?<=%[MSfp]) ([A-Z]{2,5})(?= %Y$|$)/

/** The abbreviation in a pattern, where it stands for itself. */
export const zoneNameIn = (pattern: string): string | undefined => NAME.exec(pattern)?.[1]

/** So many values that aren't by a column's pattern are asked for another zone. */
export const MOST_ASKED = 16

const KNOWN_ZONES = 'UTC, GMT, Z and offsets such as +01:00 are read.'

/** Dates with a zone's abbreviation: only the person can say that they're read without it. */
export function inNamedZone(read: InferredType, zone: string, count: number, from: string): InferredType {
  const { type, format = {}, choices = [{ code: 'zone-name', type, format, from }] } = read
  const reason = `${all(count, 'dates with times', 'a date with a time')}, but ${quote(zone)} may mean several time zones. They stay text until you choose. ${KNOWN_ZONES}`
  return {
    type: VARCHAR,
    reason,
    choices: choices.map((choice) => ({
      ...choice,
      words: (value) => `${choice.words?.(value) ?? value}, without ${quote(zone)}`,
      ambiguous: true,
    })),
  }
}

/** Why dates with times of several zones stay text; null for any other column. */
export function severalZonesType({ formattedDates, counts }: ColumnStats, count: number): InferredType | null {
  const { hits, misses, otherZones, example } = formattedDates
  if (counts[kinds.TEXT] < count || hits === 0 || otherZones.count < Math.max(1, Math.min(misses, MOST_ASKED)))
    return null
  const reason = `The dates are in several time zones, such as ${quote(example)} and ${quote(otherZones.from)}. An abbreviation can mean more than one zone, so the column stays text. ${KNOWN_ZONES}`
  return { type: VARCHAR, reason }
}
