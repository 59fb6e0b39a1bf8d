/** Words for yes and no, by language; a pair is what a column has. */
export const PAIRS: readonly (readonly [yes: string, no: string])[] = [
  ['yes', 'no'],
  ['y', 'n'],
  ['ja', 'nein'],
  ['j', 'n'],
  ['oui', 'non'],
  ['si', 'no'],
  ['sí', 'no'],
  ['sì', 'no'],
  ['ja', 'nee'],
  ['sim', 'não'],
  ['tak', 'nie'],
  ['да', 'нет'],
  ['wahr', 'falsch'],
  ['vrai', 'faux'],
  ['t', 'f'],
]
/** What marks a row, where all others are empty. */
const MARKS = ['x', '✓', '✔']

const KNOWN = new Set([...PAIRS.flat(), ...MARKS])
/** Bytes of the longest word; as many fit in a number. */
const LONGEST = 6
const MOST = 8
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The words of a column that has no others, by how they're spelled, with how many values are each. */
export type Words = ReadonlyMap<string, number>

/** The words of a column, as long as all of them are ones for yes or no. */
export class WordForms {
  private readonly counts = new Map<number, number>()
  private readonly texts = new Map<number, string>()
  isLikely = true

  observe(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > LONGEST) {
      this.isLikely = false
      return
    }
    let key = 0
    for (let at = start; at < end; at++) key = key * 256 + bytes[at]
    const before = this.counts.get(key)
    if (before !== undefined) {
      this.counts.set(key, before + 1)
      return
    }
    this.add(decoder.decode(bytes.subarray(start, end)), key)
  }

  private add(text: string, key: number): void {
    this.isLikely = KNOWN.has(text.toLowerCase()) && this.counts.size < MOST
    this.texts.set(key, text)
    this.counts.set(key, 1)
  }

  /** Null where there are others. */
  findings(): Words | null {
    if (!this.isLikely) return null
    return new Map([...this.counts].map(([key, count]) => [this.texts.get(key) ?? '', count]))
  }

  merge(later: Words | null): void {
    if (later === null) this.isLikely = false
    for (const [text, count] of later ?? []) {
      const key = encoder.encode(text).reduce((sum, byte) => sum * 256 + byte, 0)
      const before = this.counts.get(key)
      if (before === undefined) this.add(text, key)
      this.counts.set(key, (before ?? 0) + count)
    }
  }
}

/** What words mean: those for true and those for false, as spelled in lower case; null where they're no pair. */
export interface ReadWords {
  readonly yes: string
  /** Empty where there is a mark alone, and nulls beside it. */
  readonly no: string
  /** Whether both are in the column. */
  readonly both: boolean
}

export function readWords(words: Words): ReadWords | null {
  const spelled = new Set([...words.keys()].map((word) => word.toLowerCase()))
  if (spelled.size === 0 || spelled.size > 2) return null
  const [first] = spelled
  if (spelled.size === 1 && MARKS.includes(first)) return { yes: first, no: '', both: false }
  const pair = PAIRS.find((each) => [...spelled].every((word) => each.includes(word)))
  return pair ? { yes: pair[0], no: pair[1], both: spelled.size === 2 } : null
}
