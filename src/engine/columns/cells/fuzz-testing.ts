import fc from 'fast-check'

/* What random texts are made of. Tests only. */

export const either = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

/** The first most of the time. */
export const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 8): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

/** A number with zeros before it. */
export const pad = (value: number, width: number): string => String(value).padStart(width, '0')

/** Times of day in ISO format. */
export const usualClock = fc
  .tuple(fc.nat(23), fc.nat(59), either('', ':00', ':07', ':59', ':30.5', ':30.123', ':30.123456', ':59.999999'))
  .map(([hour, minute, rest]) => `${pad(hour, 2)}:${pad(minute, 2)}${rest}`)

/** Texts of so many digits. */
export const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.array(fc.nat(9), { minLength: min, maxLength: max }).map((all) => all.join(''))

/** Integers at the ends of integer types, and beside them. */
export const ends = [8n, 16n, 32n, 64n]
  .flatMap((bits) => [0n, 2n ** (bits - 1n), -(2n ** (bits - 1n)), 2n ** bits])
  .flatMap((end) => [end - 1n, end, end + 1n])

export interface Edit {
  readonly kind: 'replace' | 'remove' | 'insert' | 'flip' | 'repeat' | 'cut'
  readonly place: number
  readonly byte: string
  readonly size: number
}

/**
 * A change of a text's bytes, which are a character each.
 * @param special bytes that mean something in the text
 */
export const editOf = (special: string): fc.Arbitrary<Edit> =>
  fc.record({
    kind: either('replace', 'replace', 'replace', 'remove', 'insert', 'insert', 'flip', 'repeat', 'cut'),
    place: fc.nat(100_000),
    byte: fc.oneof(
      either(...Array.from(special)),
      fc.nat(255).map((code) => String.fromCharCode(code)),
    ),
    size: mostly(either(1), fc.integer({ min: 2, max: 20 }), 3),
  })

/** A text with the change made. */
export function edited(text: string, { kind, place, byte: put, size }: Edit): string {
  const at = place % (text.length + 1)
  const [before, after] = [text.slice(0, at), text.slice(at)]
  switch (kind) {
    case 'replace':
      return before + put + after.slice(1)
    case 'remove':
      return before + after.slice(size)
    case 'insert':
      return before + put + after
    case 'flip':
      return before + String.fromCharCode((after.charCodeAt(0) || 0) ^ (1 << (size & 7))) + after.slice(1)
    case 'repeat':
      return before + after.slice(0, size) + after
    case 'cut':
      return before
  }
}
