import { plural } from '../../../lib/counts.ts'
import { JSON_TYPE, VARCHAR } from '../../../tables/types.ts'
import { KIND } from '../json/scanner.ts'
import { JsonText } from '../json/text.ts'
import { type ColumnStats, type InferredType, all, quote } from './column-stats.ts'
import * as kinds from './kinds.ts'

/** Counts texts that are a JSON object or list, until another text comes. */
export class JsonStats {
  readonly found = { hits: 0, misses: 0 }
  private readonly text = new JsonText()

  get isLikely(): boolean {
    return this.found.misses === 0
  }

  observe(bytes: Uint8Array, start: number, end: number): void {
    const kind = this.text.scan(bytes, start, end)
    if (kind === KIND.object || kind === KIND.array) this.found.hits++
    else this.found.misses++
  }

  merge(later: ColumnStats['json']): void {
    this.found.hits += later.hits
    this.found.misses += later.misses
  }
}

/** The type of a column of JSON texts; null for any other column. */
export function jsonTextType({ firstTexts, json }: ColumnStats, count: number): InferredType | null {
  if (json.hits < count) return null
  const from = firstTexts[kinds.TEXT]
  const reason = `${all(count, 'JSON texts', 'a JSON text')}, such as ${quote(from)}. They stay text until you choose.`
  const message = `${plural(count, 'value')} would be JSON: a JSON file then has them as objects and lists, not as text in quotes.`
  const choice = {
    code: 'json',
    type: JSON_TYPE,
    format: {},
    from,
    message,
    words: () => 'JSON instead of text',
  } as const
  return { type: VARCHAR, reason, choices: [choice] }
}
