import { scalar, VARCHAR } from '../../../tables/types.ts'
import type { Choice, Findings, TypeFound } from './findings.ts'
import * as kinds from './kinds.ts'
import { all, quote } from './sentences.ts'
import { readWords } from './word-forms.ts'

const BOOLEAN = scalar('BOOLEAN')
/** One letter, which may be many a code. */
const SHORT = /^[tf]$/

/** The type of a column of words for yes and no; null for any other column. */
export function wordType({ words, counts, nulls }: Findings, count: number): TypeFound | null {
  if (words === null || words.size === 0 || counts[kinds.TEXT] < count) return null
  const [[from]] = words
  const total = [...words.values()].reduce((sum, each) => sum + each, 0)
  const read = total === count ? readWords(words) : null
  if (!read || (read.no === '' && nulls === 0)) return null
  const format = { trueValues: [read.yes], falseValues: [read.no] }
  const no = read.no === '' ? 'an empty value' : quote(read.no)
  if (read.both && !SHORT.test(read.yes)) {
    const reason = `${all(count, 'yes or no', 'yes or no')}: ${quote(read.yes)} is true and ${no} is false.`
    return { type: BOOLEAN, format, reason, rewrites: { count, from } }
  }
  const words2 = (): string => `${quote(read.yes)} is true, ${no} is false`
  const choice: Choice = { code: 'booleans', type: BOOLEAN, format, from, words: words2, ambiguous: read.no !== '' }
  return { type: VARCHAR, reason: 'The values are text.', choices: [choice] }
}
