import { asciiText } from './text-bytes.ts'

/** Prefixes, each 1,024 times the one before. */
const PREFIXES = 'KMGTPE'
const SIZE = /^(\d{1,9})(?:[.,](\d{1,6}))?(?:([KkMGTPE])(i?B?)|B)$/
/** A space, which only names of units may have before them: `1.5 GiB`. */
const SPACE = / (?=(?:[KMGTPE]i)?B$)/

/** A size in bytes, as `df -h`, `ls -lh` and Docker print it: `12K`, `1.5G`, `512Mi`, `1.2GiB`. */
export interface Size {
  /** Number of bytes, exactly, as a plain decimal without zeros at its end. */
  readonly plain: string
  /** Whether it can't be a number of thousands, millions or billions. */
  readonly isSure: boolean
  /** Whether it has a fraction or an `i`, so that it's no code such as `5G` either. */
  readonly isFormed: boolean
}

/** Parses a size; null for any other text. `KB` and `MB`, which are also 1,000 bytes and 1,000,000, aren't sizes. */
export function sizeIn(bytes: Uint8Array, start: number, end: number): Size | null {
  const [, whole, fraction = '', prefix, after] = SIZE.exec(asciiText(bytes, start, end).replace(SPACE, '')) ?? []
  if (whole === undefined || (after === 'B' && prefix !== undefined)) return null
  const isMarked = after !== undefined && after !== ''
  const power = prefix === undefined ? 0 : PREFIXES.indexOf(prefix.toUpperCase()) + 1
  const digits = String(BigInt(whole + fraction) * 1024n ** BigInt(power)).padStart(fraction.length + 1, '0')
  const point = digits.length - fraction.length
  const rest = digits.slice(point).replace(/0+$/, '')
  return {
    plain: digits.slice(0, point) + (rest === '' ? '' : `.${rest}`),
    isSure: power > 2 || isMarked,
    isFormed: fraction !== '' || isMarked,
  }
}
