import { codePage, NO_CHARACTER } from './code-pages.ts'
import type { Evidence } from './evidence.ts'
import { formCost, languagesIn, modelOf, withSigns, type Language } from './likelihood.ts'

/**
 * Encodings with their prior cost, -ln of how common they are, and their languages if the letters don't determine
 * these.
 */
const TRIED: readonly (readonly [encoding: string, rarity: number, languages?: string])[] = [
  // Text is rarely valid UTF-8 by chance.
  ['utf-8', -6, 'ja ko zhs zht'],
  ['windows-1252', 0],
  ['iso-8859-15', 3],
  ['macintosh', 4.5],
  ['ibm850', 4],
  ['ibm437', 4.5],
  ['windows-1250', 3],
  ['iso-8859-2', 4],
  ['ibm852', 4],
  ['iso-8859-16', 7],
  ['windows-1257', 2.5],
  ['iso-8859-13', 5],
  ['iso-8859-4', 6],
  ['iso-8859-10', 7],
  ['iso-8859-14', 7],
  ['iso-8859-3', 7],
  ['windows-1254', 2],
  ['windows-1251', 2],
  ['koi8-r', 2.5],
  ['koi8-u', 3],
  ['ibm866', 3.5],
  ['iso-8859-5', 4],
  ['x-mac-cyrillic', 4.5],
  ['windows-1253', 2],
  ['iso-8859-7', 3],
  ['windows-1255', 2],
  ['iso-8859-8', 3.5],
  ['windows-1256', 2],
  ['iso-8859-6', 4],
  ['windows-1258', 3],
  ['windows-874', 2],
  ['shift_jis', 2, 'ja en ru'],
  ['euc-jp', 3, 'ja en ru'],
  ['gb18030', 2, 'zhs zht ja en ru'],
  ['big5', 2, 'zht en ru'],
  ['euc-kr', 2, 'ko en ru'],
]

/** Iterations for estimating the shares of languages in a text. */
const ROUNDS = 4
/** Share of words that may be in any of the languages. */
const FOREIGN_NAMES = 0.1
/** Weight of ASCII words, which only indicate the text's languages. */
const PLAIN_WEIGHT = 0.3
/** Number of words after which hopeless encodings are dropped, and how far behind these are. */
const FIRST_WORDS = 200
const HOPELESS = 120

/** Quotes, each with those of which one must occur as well. */
const PAIRED: readonly (readonly [quote: string, others: string])[] = [
  ['“', '”„'],
  ['”', '“„'],
  ['„', '“”'],
  ['‘', '’‚'],
  ['‚', '‘’'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['›', '‹'],
]
const UNPAIRED = 4

export interface Candidate {
  readonly encoding: string
  /** -ln of the text's probability with this encoding, to be compared with the others'. */
  readonly cost: number
}

/**
 * Costs of a text's words in each encoding, the most likely one first. Of encodings that decode them identically, only
 * the first is included.
 */
export function weigh(evidence: Evidence): Candidate[] {
  const plain = [...evidence.plainWords].map((word): Word => ({ word, weight: PLAIN_WEIGHT }))
  // A frequent word says more than a rare one, but less than as many different words.
  const words = [...evidence.words].map(([word, count]): Word => ({ word, weight: 1 + Math.log(count) }))
  const first = [...plain, ...words.slice(0, FIRST_WORDS)]
  const readings = distinct(evidence)
  const tried = readings.map((reading) => ({ reading, cost: costOf(reading, first) }))
  const least = Math.min(...tried.map(({ cost }) => cost))
  const weighed = tried
    .filter(({ cost }) => cost - least < HOPELESS)
    .map(({ reading, cost }) => ({
      reading,
      cost: words.length > FIRST_WORDS ? costOf(reading, [...plain, ...words]) : cost,
    }))
    .sort((a, b) => a.cost - b.cost)
  const texts = new Set<string>()
  const found: Candidate[] = []
  for (const { reading, cost } of weighed) {
    const text = words.map(({ word }) => String.fromCodePoint(...reading.decode(word))).join('')
    if (!texts.has(text)) found.push({ encoding: reading.encoding, cost })
    texts.add(text)
  }
  return found
}

interface Word {
  /** One character per byte. */
  readonly word: string
  readonly weight: number
}

interface Reading {
  readonly encoding: string
  readonly rarity: number
  readonly languages: Set<Language>
  decode(word: string): number[]
}

function distinct(evidence: Evidence): Reading[] {
  const found = new Map<string, Reading>()
  const seen = [...evidence.bytes.keys()].filter((byte) => byte >= 0x80 && evidence.bytes[byte] > 0)
  for (const [encoding, rarity, others] of TRIED) {
    const page = codePage(encoding)
    const decode = page ? (word: string) => Array.from(word, (byte) => page[byte.charCodeAt(0)]) : decoderOf(encoding)
    const key = page ? String.fromCodePoint(...seen.map((byte) => page[byte])) : encoding
    const languages = [
      ...((others?.split(' ') ?? []) as Language[]),
      ...(others && encoding !== 'utf-8' ? [] : languagesIn(page)),
    ]
    const known = found.get(key)
    for (const language of languages) known?.languages.add(language)
    if (!known) found.set(key, { encoding, rarity, languages: new Set(languages), decode })
  }
  return [...found.values()]
}

function decoderOf(encoding: string): Reading['decode'] {
  const decoder = new TextDecoder(encoding)
  return (word) => {
    const bytes = Uint8Array.from(word, (byte) => byte.charCodeAt(0))
    // A truncated word may end inside a character.
    const text = decoder.decode(bytes, { stream: true })
    decoder.decode()
    return Array.from(text, (char) => char.codePointAt(0) ?? NO_CHARACTER)
  }
}

/** The total cost of the words, each in its most likely language, where a text has some languages more than others. */
function costOf(reading: Reading, words: readonly Word[]): number {
  const languages = [...reading.languages].map((language) => modelOf(language))
  const chars = new Set<number>()
  const costs = new Float64Array(words.length * languages.length)
  const weights = new Float64Array(words.length)
  let total = reading.rarity
  for (const [i, { word, weight }] of words.entries()) {
    const codes = withSigns(reading.decode(word))
    for (const code of codes) chars.add(code)
    weights[i] = weight
    total += weight * formCost(codes)
    for (const [k, model] of languages.entries()) costs[i * languages.length + k] = model.cost(codes)
  }
  return total + mixture(costs, weights, languages.length) + textCost(chars)
}

/** The cost of a text's characters as a whole: quotes without their counterparts. */
function textCost(chars: ReadonlySet<number>): number {
  let cost = 0
  for (const [quote, others] of PAIRED) {
    if (chars.has(quote.charCodeAt(0)) && !Array.from(others).some((other) => chars.has(other.charCodeAt(0))))
      cost += UNPAIRED
  }
  return cost
}

function mixture(costs: Float64Array, weights: Float64Array, count: number): number {
  let shares: Float64Array = new Float64Array(count).fill(1 / count)
  let total = 0
  for (let round = 0; round < ROUNDS; round++) {
    total = 0
    const next = new Float64Array(count).fill(1 / count)
    let sum = 1
    for (let i = 0; i < weights.length; i++) {
      const own = costs.subarray(i * count, (i + 1) * count)
      const least = own.reduce((a, b) => Math.min(a, b))
      let all = 0
      for (let k = 0; k < count; k++) all += shares[k] * Math.exp(least - own[k])
      total += weights[i] * (least - Math.log(all))
      for (let k = 0; k < count; k++) next[k] += (weights[i] * shares[k] * Math.exp(least - own[k])) / all
      sum += weights[i]
    }
    // Names in other languages are always possible.
    shares = next.map((share) => (1 - FOREIGN_NAMES) * (share / sum) + FOREIGN_NAMES / count)
  }
  return total
}
