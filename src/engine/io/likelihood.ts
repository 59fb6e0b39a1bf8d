import models from './languages/models.json'

/*
 * Computes how unlikely a text is in a language: -ln of its probability, from pairs of letters and the positions of
 * punctuation.
 */

export type Language = keyof typeof models.letters | keyof typeof models.characters

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Scripts whose letters have models of pairs are below this code point. */
const ALPHABETS = 0x2000

/** Costs, in nats. */
const FOREIGN_LETTER = 9
const FOREIGN_SCRIPT = 12
/** Scripts change between words, not inside them. */
const OTHER_SCRIPT = 9
const PLAIN_LETTER = 3.4
const PLAIN_WORD = 6
const NO_TEXT = 13
const UNDEFINED = 16
const STRANGE_SIGN = 10.5
const INSIDE_WORD = 4

interface Model {
  /** The cost of a word's letters, including ASCII. */
  cost(codes: readonly number[]): number
}

/** The cost of an ASCII character in a language without Latin letters. */
function plainCost(code: number, before: number): number {
  if (!isAsciiLetter(code)) return 0
  return isAsciiLetter(before) ? PLAIN_LETTER : PLAIN_WORD
}

/** A language recognized by pairs of letters. */
class Letters implements Model {
  private readonly index = new Uint8Array(ALPHABETS)
  private readonly size: number
  private readonly pairs: Float32Array
  private readonly isLatin: boolean

  constructor({ letters, pairs }: { readonly letters: string; readonly pairs: string }) {
    this.size = letters.length
    this.isLatin = letters.includes('e')
    for (let i = 1; i < letters.length; i++) this.index[letters.charCodeAt(i)] = i
    this.pairs = Float32Array.from(pairs, (digit) => DIGITS.indexOf(digit) / 4)
  }

  cost(codes: readonly number[]): number {
    const { index, pairs, size } = this
    let cost = 0
    let before = 0
    let last = 0
    for (const code of codes) {
      const lower = toLower(code)
      const letter = lower < ALPHABETS ? index[lower] : 0
      if (letter > 0 || before > 0) cost += pairs[before * size + letter]
      if (letter === 0) cost += this.other(lower, last)
      before = letter
      last = lower
    }
    return cost
  }

  private other(code: number, before: number): number {
    if (code < 0x80) return plainCost(code, before)
    if (code >= 0x2e80) return FOREIGN_SCRIPT
    if (!isLetter(code)) return 0
    return this.isLatin && code < 0x250 ? FOREIGN_LETTER : FOREIGN_SCRIPT
  }
}

/** A language with many characters, recognized by their frequency. */
class Characters implements Model {
  private readonly costs = new Map<number, number>()
  private readonly plain: ReadonlySet<number>

  /**
   * @param frequent characters by frequency, the most frequent first
   * @param level the encoding whose first rows contain the characters in everyday use
   */
  constructor(frequent: string, level: readonly [encoding: string, from: number, to: number]) {
    let rank = 0
    for (const char of frequent) this.costs.set(char.codePointAt(0) ?? 0, Math.log(++rank + 8) + 1.7)
    this.plain = charactersOf(...level)
  }

  cost(codes: readonly number[]): number {
    let cost = 0
    let before = 0
    for (const code of codes) {
      cost += this.one(code, before)
      before = code
    }
    return cost
  }

  private one(code: number, before: number): number {
    if (code < 0x80) return plainCost(code, before)
    const known = this.costs.get(code)
    if (known !== undefined) return known
    if (this.plain.has(code)) return 10
    if (code >= 0xff61 && code < 0xffa0) return before >= 0xff61 && before < 0xffa0 ? 4.5 : 9
    if (code >= 0xe000 && code < 0xf900) return NO_TEXT
    if (code >= 0x2e80) return 12.5
    return isLetter(code) ? FOREIGN_SCRIPT : 0
  }
}

function charactersOf(encoding: string, from: number, to: number): ReadonlySet<number> {
  const decoder = new TextDecoder(encoding)
  const found = new Set<number>()
  for (let lead = from; lead <= to; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) {
      const text = decoder.decode(Uint8Array.of(lead, trail))
      if (text.length === 1 && text >= '\u3000') found.add(text.charCodeAt(0))
    }
  }
  return found
}

const LEVELS: Readonly<Record<keyof typeof models.characters, readonly [string, number, number]>> = {
  ja: ['euc-jp', 0xa4, 0xcf],
  ko: ['euc-kr', 0xb0, 0xc8],
  zhs: ['gbk', 0xb0, 0xf7],
  zht: ['big5', 0xa4, 0xc6],
}

const all = Object.entries(models.letters) as [Language, { readonly letters: string }][]

/**
 * The languages whose letters, except at most one, are in a code page. If all of these use Latin letters, all languages
 * with Latin letters, since their names and words may occur without accents. For null, all languages.
 */
export function languagesIn(page: readonly number[] | null): Language[] {
  const has = page && new Set(page.map(toLower))
  const held = all.filter(
    ([, { letters }]) => !has || Array.from(letters).filter((letter) => !has.has(letter.charCodeAt(0))).length <= 1,
  )
  const isLatin = held.every(([, { letters }]) => letters.includes('e'))
  return (isLatin ? all.filter(([, { letters }]) => letters.includes('e')) : held).map(([language]) => language)
}

const loaded = new Map<Language, Model>()

export function modelOf(language: Language): Model {
  let model = loaded.get(language)
  if (!model) {
    model =
      language in models.characters
        ? new Characters(
            models.characters[language as keyof typeof models.characters],
            LEVELS[language as keyof typeof models.characters],
          )
        : new Letters(models.letters[language as keyof typeof models.letters])
    loaded.set(language, model)
  }
  return model
}

/** Latin letters, and combining marks for them. */
const isLatin = (code: number): boolean => code < 0x370 || (code >= 0x1e00 && code < 0x1f00)
const isAsciiLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122
const isDigit = (code: number): boolean => code >= 48 && code <= 57

const lowered = new Uint16Array(0x2000)
/** ª, º and µ count as symbols here. */
const NO_LETTERS = [0xaa, 0xba, 0xb5]
const LETTER = /[\p{L}\p{M}]/u
/** 0: unknown, 1: not a letter, 2: a letter. */
const letters = new Uint8Array(0x10000)

/**
 * In lower case. Romanian letters with a comma below become those with a cedilla, which replace them in most encodings.
 */
function toLower(code: number): number {
  if (code < 0x80) return code >= 65 && code <= 90 ? code + 32 : code
  if (code >= 0x2000) return code
  if (lowered[code] === 0) {
    const lower = code === 0x130 ? 0x69 : (String.fromCharCode(code).toLowerCase().codePointAt(0) ?? code)
    lowered[code] = lower === 0x219 ? 0x15f : lower === 0x21b ? 0x163 : lower
  }
  return lowered[code]
}

function isLetter(code: number): boolean {
  if (code < 0x80) return isAsciiLetter(code)
  if (code > 0xffff) return true
  if (letters[code] === 0) letters[code] = !NO_LETTERS.includes(code) && LETTER.test(String.fromCharCode(code)) ? 2 : 1
  return letters[code] === 2
}

/** Costs of a symbol in its usual position, and elsewhere. */
interface Sign {
  readonly here: number
  readonly elsewhere: number
  fits(before: number, after: number): boolean
}
const signs = new Map<number, Sign>()
const sign = (chars: string, here: number, elsewhere: number, fits: Sign['fits']): void => {
  for (const char of chars) signs.set(char.codePointAt(0) ?? 0, { here, elsewhere, fits })
}
/** White space, the end of a field, or a bracket and the like. */
const open = (code: number): boolean => code < 0x30 || code === 0xa0 || (code >= 0x3a && code < 0x41) || code === 0x5b
const word = (code: number): boolean => isLetter(code) || isDigit(code)

sign('€£', 4, 8, (a, b) => isDigit(a) || isDigit(b) || (open(a) && open(b)))
sign('¥₪₫฿₽₴₩', 5.5, 9, (a, b) => isDigit(a) || isDigit(b) || (open(a) && open(b)))
sign('¢', 6.5, 9.5, (a, b) => isDigit(a) && open(b))
sign('°', 4, 9, (a, b) => (isDigit(a) || open(a)) && (open(b) || 'CFKNSEWcf'.includes(String.fromCharCode(b))))
sign('ºª', 5.5, 9, (a, b) => (isDigit(a) || a === 110 || a === 78 || a === 46) && !isLetter(b))
sign('µ', 5.5, 10, (a, b) => !isLetter(a) && 'mgslAFVWLMNm'.includes(String.fromCharCode(b)))
sign('²³', 5, 9.5, (a, b) => (isAsciiLetter(a) || isDigit(a)) && !word(b))
sign('¹', 7.5, 10, (a, b) => word(a) && !word(b))
sign('½¼¾', 5, 10, (a, b) => (isDigit(a) || open(a)) && !word(b))
sign('×÷', 5.5, 9.5, (a, b) => (isDigit(a) || open(a)) && (isDigit(b) || open(b)))
sign('±', 5.5, 10, (a, b) => open(a) && (isDigit(b) || open(b)))
sign('’', 3.5, 5.5, (a, b) => isLetter(a) && isLetter(b))
sign('‘', 5.5, 9, (a, b) => open(a) && word(b))
sign('“', 4.5, 9, (a, b) => open(a) && word(b))
sign('“”', 4.5, 9, (a, b) => (word(a) && open(b)) || (open(a) && word(b)))
sign('„‚', 5.5, 9.5, (a, b) => open(a) && word(b))
sign('«‹', 5, 9, (a, b) => open(a) && (word(b) || open(b)))
sign('»›', 5, 9, (a, b) => (word(a) || open(a)) && open(b))
sign('–—', 4, 7, (a, b) => (open(a) && open(b)) || (isDigit(a) && isDigit(b)) || (isLetter(a) && isLetter(b)))
sign('…', 4.5, 8, (a, b) => (word(a) || open(a)) && !isDigit(b))
sign('\u00a0\u202f', 4.5, 6.5, (a, b) => word(a) || word(b))
sign('•', 6, 9, (a, b) => open(a) && (open(b) || word(b)))
sign('·', 6.5, 9.5, (a, b) => (a === 108 && b === 108) || (open(a) && open(b)))
sign('§', 5.5, 9.5, (a, b) => open(a) && (isDigit(b) || open(b)))
sign('©', 5, 9, (a, b) => !isLetter(a) && (isDigit(b) || open(b)))
sign('®™', 4.5, 9, (a, b) => (word(a) || open(a)) && !word(b))
sign('¿¡', 4.5, 9.5, (a, b) => open(a) && isLetter(b))
sign('⌀', 6, 12, (a, b) => open(a) && (isDigit(b) || open(b)))
sign('‰', 6, 9.5, (a, b) => isDigit(a) || (open(a) && open(b)))
sign('№', 5, 9, (a, b) => open(a) && (isDigit(b) || open(b)))
sign('´`', 7, 9.5, (a, b) => isLetter(a) && isLetter(b))
sign('\u00ad', 7, 11, (a, b) => isLetter(a) && isLetter(b))
sign('†‡¶≤≥≈≠∞', 8, 10.5, (a) => open(a))
const drawn = (code: number): boolean => code >= 0x2500 && code < 0x25a0
sign('─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬░▒▓█▄▀', 3, 9.5, (a, b) => !isLetter(a) && !isLetter(b) && (drawn(a) || drawn(b)))

/** A separate Ø is the symbol for a diameter, not a letter. */
export function withSigns(codes: readonly number[]): readonly number[] {
  if (!codes.includes(0xd8)) return codes
  const isWord = (at: number): boolean => at >= 0 && at < codes.length && isLetter(codes[at])
  return codes.map((code, i) => (code === 0xd8 && !isWord(i - 1) && !isWord(i + 1) ? 0x2300 : code))
}

/** The language-independent cost: symbols, cases, and characters that aren't text. */
export function formCost(codes: readonly number[]): number {
  let cost = 0
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]
    const before = i > 0 ? codes[i - 1] : 10
    if (code < 0x80) {
      if (before >= 0x80) cost += pairCost(codes, i)
      continue
    }
    cost += pairCost(codes, i)
    if (!isLetter(code)) cost += signCost(code, before, i + 1 < codes.length ? codes[i + 1] : 10)
  }
  return cost
}

function signCost(code: number, before: number, after: number): number {
  if (code === 0xfffd) return UNDEFINED
  if (code < 0xa0 || (code >= 0xe000 && code < 0xf900)) return NO_TEXT
  // Languages with many characters have lists of them.
  if (code >= 0x2e80) return 0
  const known = signs.get(code)
  if (known?.fits(before, after)) return known.here
  return (known?.elsewhere ?? STRANGE_SIGN) + (isLetter(before) && isLetter(after) ? INSIDE_WORD : 0)
}

/** The cost of a change of case inside a word, and of letters beside digits. */
function pairCost(codes: readonly number[], i: number): number {
  const code = codes[i]
  const before = i > 0 ? codes[i - 1] : 10
  const wide = code >= 0x2e80 || before >= 0x2e80
  if ((isDigit(before) && isLetter(code)) || (isLetter(before) && isDigit(code))) return wide ? 0 : 3
  if (!isLetter(code) || !isLetter(before)) return 0
  if (isLatin(code) !== isLatin(before)) return !wide || isLower(Math.min(code, before)) ? OTHER_SCRIPT : 4.5
  if (code >= 0x2000 || before >= 0x2000) return 0
  const upper = isUpper(code)
  const upperBefore = isUpper(before)
  if (upper && !upperBefore) return hasCase(before) ? 5 : 0
  const second = i < 2 || !isLetter(codes[i - 2])
  if (upper && upperBefore) return second ? 1.5 : 0
  // An upper-case letter before a lower-case one begins a word.
  return upperBefore && !second && isUpper(codes[i - 2]) ? 3.5 : 0
}

const isLower = (code: number): boolean => toLower(code) === code
const isUpper = (code: number): boolean => toLower(code) !== code
const hasCase = (code: number): boolean =>
  code < 0x80 || String.fromCharCode(code).toUpperCase() !== String.fromCharCode(code)
