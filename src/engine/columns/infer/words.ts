import * as kinds from './kinds.ts'
import { type Words, type Choice, type ColumnStats, type InferredType, all, quote } from './column-stats.ts'
import { PLAIN_TEXT } from '../../../tables/meaning.ts'
import { scalar, VARCHAR } from '../../../tables/types.ts'

/** Words for true and false by language. A column has words of one pair. */
const PAIRS: readonly (readonly [yes: string, no: string])[] = [
  ['yes', 'no'],
  ['y', 'n'],
  ['ja', 'nein'],
  ['j', 'n'],
  ['oui', 'non'],
  ['si', 'no'],
  ['sí', 'no'],
  ['sì', 'no'],
  ['ja', 'nee'],
  ['ja', 'nej'],
  ['ja', 'nei'],
  ['kyllä', 'ei'],
  ['sim', 'não'],
  ['tak', 'nie'],
  ['ano', 'ne'],
  ['igen', 'nem'],
  ['evet', 'hayır'],
  ['是', '否'],
  ['да', 'нет'],
  ['wahr', 'falsch'],
  ['vrai', 'faux'],
  ['vero', 'falso'],
  ['waar', 'onwaar'],
  ['sant', 'falskt'],
  ['sand', 'falsk'],
  ['sann', 'usann'],
  ['igaz', 'hamis'],
  ['verdadero', 'falso'],
  ['verdadeiro', 'falso'],
  ['adevărat', 'fals'],
  ['prawda', 'fałsz'],
  ['pravda', 'nepravda'],
  ['tosi', 'epätosi'],
  ['doğru', 'yanlış'],
  // Upper case has no dotless I of its own.
  ['doğru', 'yanliş'],
  ['evet', 'hayir'],
  ['benar', 'salah'],
  ['истина', 'ложь'],
  ['так', 'ні'],
  ['はい', 'いいえ'],
  ['예', '아니오'],
  ['✓', '✗'],
  ['✔', '✘'],
  ['✅', '❌'],
  ['☑', '☐'],
  ['t', 'f'],
]
/** Marks for true in a column whose other values are empty. */
const MARKS = ['x', '✓', '✔', '✅', '☑']

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const KNOWN = new Set([...PAIRS.flat(), ...MARKS])
/** In bytes. */
const LONGEST_WORD = Math.max(...Array.from(KNOWN, (word) => encoder.encode(word).length))
/** Spellings of the words in one column: `Yes`, `YES`. */
const MOST = 8

/** Counts a column's words for true and false, until another word comes. */
export class BooleanWords {
  private readonly seen: { readonly text: string; readonly bytes: Uint8Array; count: number }[] = []
  isLikely = true

  observe(bytes: Uint8Array, start: number, end: number): void {
    const known = this.seen.find(
      ({ bytes: word }) => word.length === end - start && word.every((byte, i) => byte === bytes[start + i]),
    )
    if (known) known.count++
    else if (end - start > LONGEST_WORD) this.isLikely = false
    else this.add(decoder.decode(bytes.subarray(start, end)), 1)
  }

  private add(text: string, count: number): void {
    this.isLikely &&= KNOWN.has(text.toLowerCase()) && this.seen.length < MOST
    this.seen.push({ text, bytes: encoder.encode(text), count })
  }

  /** Null if there are other words. */
  stats(): Words | null {
    return this.isLikely ? new Map(this.seen.map(({ text, count }) => [text, count])) : null
  }

  merge(later: Words | null): void {
    if (later === null) this.isLikely = false
    for (const [text, count] of later ?? []) {
      const known = this.seen.find((each) => each.text === text)
      if (known) known.count += count
      else this.add(text, count)
    }
  }
}

/** The pair of words that a column uses, in lower case. */
interface ReadWords {
  readonly yes: string
  /** Empty for a column of marks and nulls. */
  readonly no: string
  /** Whether both words occur. */
  readonly both: boolean
}

function readWords(words: Words): ReadWords | null {
  const spelled = new Set([...words.keys()].map((word) => word.toLowerCase()))
  if (spelled.size === 0 || spelled.size > 2) return null
  const [first] = spelled
  if (spelled.size === 1 && MARKS.includes(first)) return { yes: first, no: '', both: false }
  const pair = PAIRS.find((each) => [...spelled].every((word) => each.includes(word)))
  return pair ? { yes: pair[0], no: pair[1], both: spelled.size === 2 } : null
}

const BOOLEAN = scalar('BOOLEAN')
/** Single letters, which may be codes. */
const SHORT = /^[tf]$/

/** The type of a column of words for true and false; null for any other column. */
export function booleanWordType({ words, counts, nulls }: ColumnStats, count: number): InferredType | null {
  if (words === null || words.size === 0 || counts[kinds.TEXT] < count) return null
  const [[from]] = words
  const total = [...words.values()].reduce((sum, each) => sum + each, 0)
  const read = total === count ? readWords(words) : null
  if (!read || (read.no === '' && nulls === 0)) return null
  // The same letter in every row is more likely a code.
  if (!read.both && SHORT.test(from.toLowerCase())) return null
  const format = { trueValues: [read.yes], falseValues: [read.no] }
  const no = read.no === '' ? 'an empty value' : quote(read.no)
  if (read.both && !SHORT.test(read.yes)) {
    const reason = `${all(count, 'yes or no', 'yes or no')}: ${quote(read.yes)} is true and ${no} is false.`
    return { type: BOOLEAN, format, reason, rewrites: { count, from } }
  }
  const words2 = (): string => `${quote(read.yes)} is true, ${no} is false`
  const choice: Choice = { code: 'booleans', type: BOOLEAN, format, from, words: words2, ambiguous: read.no !== '' }
  return { type: VARCHAR, reason: PLAIN_TEXT, choices: [choice] }
}
