import { plural } from '../../../lib/counts.ts'

/* Facts about a value besides its text. */

/** Decodes base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

const LINE = 16

/** Bytes as in hex editors: offset, hex, ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += LINE) {
    const line = [...bytes.subarray(at, at + LINE)]
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('')
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(LINE * 3 - 1)}  ${text}`)
  }
  return lines.join('\n')
}

/** Parses a text that is a JSON object or list; undefined for others. */
export function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export type Fact = readonly [label: string, text: string]

/** Other forms of a date or timestamp: weekday, ISO 8601, seconds since 1970. */
export function momentFacts(type: string, value: unknown): readonly Fact[] {
  if (typeof value !== 'string' || !/^(DATE|TIMESTAMP)/.test(type)) return []
  const zoned = type === 'TIMESTAMP WITH TIME ZONE'
  const iso = type === 'DATE' ? `${value}T00:00:00Z` : zoned ? value : `${value}Z`
  // A `Date` has milliseconds, while the engine's fractions are finer.
  const time = Date.parse(iso.replace(/(\.\d{3})\d+/, '$1'))
  if (Number.isNaN(time)) return [['ISO 8601', value]]
  const weekday = new Date(time).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' })
  const facts: Fact[] = [
    ['Weekday', zoned ? `${weekday} (UTC)` : weekday],
    ['ISO 8601', value],
  ]
  if (type !== 'DATE') facts.push([zoned ? 'Unix time' : 'Unix time, taken as UTC', String(time / 1000)])
  if (zoned) facts.push(['Here', new Date(time).toLocaleString('en-GB', { timeZoneName: 'short' })])
  return facts
}

/** Numbers about a text. */
export function textFacts(text: string): readonly Fact[] {
  const characters = Array.from(text).length
  const bytes = new TextEncoder().encode(text).length
  const lines = text.split(/\r\n|\r|\n/).length
  return [['Length', [plural(characters, 'character'), plural(bytes, 'byte'), plural(lines, 'line')].join(', ')]]
}
