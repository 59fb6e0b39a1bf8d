import { ENCODINGS } from '../../tables/encodings.ts'
import { detectEncoding } from '../io/encoding.ts'
import texts from '../io/fixtures/texts.json'
import { makeTranscoder } from '../io/transcode.ts'
import { encodeText } from './encode.ts'

/*
 * Measures how many texts are read in the right encoding. They were written for this or are names from Unicode's CLDR;
 * the detection's models were trained on other texts. Tests only.
 */

export const LENGTHS = [1, 20, 200, 5000] as const
type Length = (typeof LENGTHS)[number]

export interface Tally {
  tried: number
  right: number
  /** Wrong, but reported as a guess. */
  guessed: number
  /** Wrong, and not reported as a guess. */
  wrong: number
  /** Right, but reported as a guess. */
  doubted: number
  readonly failures: string[]
}

/** All encodings, the Unicode ones with and without a byte order mark. */
export const TRIED = ENCODINGS.flatMap(({ encoding, of }) =>
  of === 'Unicode' ? [encoding, `${encoding}+bom`] : [encoding],
)
const EAST_ASIAN: Readonly<Record<string, readonly string[]>> = {
  shift_jis: ['ja'],
  'euc-jp': ['ja'],
  gb18030: ['zhs', 'zht', 'ja'],
  big5: ['zht'],
  'euc-kr': ['ko'],
}
const TAGS: Readonly<Record<string, string>> = { zhs: 'zh-Hans', zht: 'zh-Hant' }
const ASCII = /^[\0-\u007f]*$/

/** Tries each text in each encoding that can encode it, or only every `every`th combination, to save time. */
export async function prove(every = 1): Promise<ReadonlyMap<Length, Tally>> {
  const tallies = new Map<Length, Tally>()
  let turn = 0
  for (const length of LENGTHS) {
    const tally: Tally = { tried: 0, right: 0, guessed: 0, wrong: 0, doubted: 0, failures: [] }
    tallies.set(length, tally)
    for (const [language, text] of Object.entries(texts)) {
      for (const encoding of TRIED) {
        if (EAST_ASIAN[encoding] && !EAST_ASIAN[encoding].includes(language)) continue
        for (const file of filesOf(language, text, length, encoding)) {
          if (turn++ % every === 0) await tryOne(tally, file, encoding, language)
        }
      }
    }
  }
  return tallies
}

async function tryOne(tally: Tally, bytes: Uint8Array, encoding: string, language: string): Promise<void> {
  const { candidates, doubt } = await detectEncoding(new Blob([bytes as Uint8Array<ArrayBuffer>]), bytes, {
    compression: null,
    signal: new AbortController().signal,
  })
  const wanted = read(bytes, encoding.replace('+bom', ''))
  const isRight = withCedillas(read(bytes, candidates[0].encoding)) === withCedillas(wanted)
  tally.tried++
  if (isRight) tally.right++
  if (isRight && doubt) tally.doubted++
  if (!isRight) tally[doubt ? 'guessed' : 'wrong']++
  if (!isRight)
    tally.failures.push(
      `${doubt ? 'guess' : 'WRONG'} ${language} ${encoding} as ${candidates[0].encoding}: ${JSON.stringify(wanted.slice(0, 60))}`,
    )
}

/**
 * Most encodings have Romanian letters only with a cedilla instead of a comma below. They count as the same letters.
 */
function withCedillas(text: string): string {
  return text.replaceAll('ș', 'ş').replaceAll('Ș', 'Ş').replaceAll('ț', 'ţ').replaceAll('Ț', 'Ţ')
}

function read(bytes: Uint8Array, encoding: string): string {
  const transcoder = makeTranscoder(encoding)
  return Buffer.concat([transcoder.push(bytes).slice(), transcoder.end()]).toString()
}

function filesOf(language: string, text: string, length: Length, encoding: string): Uint8Array[] {
  const encode = (some: string): Uint8Array | null =>
    encodeText(some, encoding) ?? encodeText(withCedillas(some), encoding)
  if (!encode(text)) return []
  const table = (values: readonly string[]): string =>
    `id\tvalue\n${values.map((value, i) => `${i + 1}\t${value}\n`).join('')}`
  return valuesOf(language, text, length, (value) => encode(value) !== null)
    .map((values) => encode(table(values)))
    .filter((bytes) => bytes !== null)
}

/** The values of some tables with about `length` characters, at least one of them beyond ASCII. */
function valuesOf(language: string, text: string, length: Length, holds: (value: string) => boolean): string[][] {
  const cells = cellsOf(text)
  if (length === 1) return onesOf(text).map((one) => ['plain', one, 'simple'])
  if (length === 20) {
    const starts = Array.from({ length: 8 }, (_, i) => Math.floor((i * text.length) / 8))
    return starts
      .map((from) => [text.slice(from, from + 20).replaceAll(';', ' ')])
      .filter(([value]) => !ASCII.test(value))
  }
  if (length === 200) return [upTo(200, [...cells, ...namesOf(language).filter(holds)])]
  return [upTo(5000, namesOf(language).filter(holds).concat(varied(cells)))]
}

/** Words with exactly one character beyond ASCII, or single characters in other scripts. */
function onesOf(text: string): string[] {
  const words = text.split(/[\s;]+/).filter((word) => Array.from(word).filter((char) => !ASCII.test(char)).length === 1)
  const others = Array.from(text).filter(
    (char) => char > '\u0370' && /\p{L}/u.test(char) && !/\p{Script=Latin}/u.test(char),
  )
  return [...new Set([...words.slice(0, 6), ...others.slice(0, 6)])]
}

function cellsOf(text: string): string[] {
  if (text.includes(';') && !text.includes('. ')) return text.split(';')
  return /[\u3000-\u9fff]/.test(text) ? (text.match(/.{4,9}/gu) ?? []) : (text.match(/\S+(?: \S+){0,2}/g) ?? [])
}

function upTo(length: number, values: readonly string[]): string[] {
  const some: string[] = []
  let size = 0
  for (const value of values) {
    if (size >= length) break
    some.push(value)
    size += value.length
  }
  return some
}

/** Repeats values with other numbers and in another order, for large tables. */
function varied(cells: readonly string[]): string[] {
  return Array.from({ length: 1500 }, (_, i) =>
    cells[(i * 7) % cells.length].replace(/\d+/g, () => `${(i * 37) % 250}`),
  )
}

/** Names of countries, languages, currencies and months from CLDR. */
function namesOf(language: string): string[] {
  const tag = TAGS[language] ?? language
  if (tag.length > 2 && !TAGS[language]) return []
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const regions = letters.flatMap((a) => letters.map((b) => `${a}${b}`))
  const regionNames = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' })
  const languageNames = new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' })
  const currencyNames = new Intl.DisplayNames([tag], { type: 'currency', fallback: 'none' })
  const month = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', year: 'numeric' })
  return [
    ...Array.from({ length: 12 }, (_, i) => month.format(new Date(2024, i, 3 + i))),
    ...regions.map((code) => regionNames.of(code)),
    ...Intl.supportedValuesOf('currency').map((code) => currencyNames.of(code)),
    ...regions.map((code) => languageNames.of(code.toLowerCase())),
  ].filter((name) => name !== undefined)
}
