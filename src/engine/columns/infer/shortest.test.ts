import { describe, expect, it } from 'vitest'
import { isShortestDouble } from './shortest.ts'

const encoder = new TextEncoder()
const check = (text: string): boolean => {
  const bytes = encoder.encode(text)
  return isShortestDouble(bytes, 0, bytes.length)
}

/** Digits and power of ten, by integers of any length. */
function value(text: string): [bigint, number] {
  const [mantissa, exponent = '0'] = text.toLowerCase().split('e')
  const [whole, fraction = ''] = mantissa.split('.')
  let digits = BigInt(whole + fraction)
  let power = Number(exponent) - fraction.length
  while (digits !== 0n && digits % 10n === 0n) {
    digits /= 10n
    power++
  }
  return [digits, digits === 0n ? 0 : power]
}
const reference = (text: string): boolean => String(value(text)) === String(value(String(Number(text))))

function* randomNumbers(count: number): Generator<string> {
  let seed = 12345
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
  for (let i = 0; i < count; i++) {
    const double = random() * 10 ** Math.floor(random() * 20 - 8) + random() * 1e-9
    const text = String(double)
    yield text
    // A neighbour in the last digit, one digit more, one less, and any digits.
    yield text.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
    yield double.toPrecision(17)
    yield double.toPrecision(16)
    const digits = Array.from({ length: 15 + Math.floor(random() * 4) }, () => Math.floor(random() * 10)).join('')
    const at = Math.floor(random() * digits.length)
    yield `${digits.slice(0, at) || '0'}.${digits.slice(at)}`
  }
}

describe('isShortestDouble', () => {
  it('agrees with printing the double', () => {
    let shortest = 0
    let others = 0
    for (const text of randomNumbers(60_000)) {
      const expected = reference(text)
      if (check(text) !== expected) expect.fail(`${text} should be ${expected}`)
      if (expected) shortest++
      else others++
    }
    expect(shortest).toBeGreaterThan(50_000)
    expect(others).toBeGreaterThan(50_000)
  })

  it('knows the edges', () => {
    for (const text of [
      '0.30000000000000004',
      '5e-324',
      '1.7976931348623157e308',
      '9007199254740993',
      '0.1000',
      '1e23',
      '9007199254740992.0',
      '1125899906842624.1',
      '4503599627370496.5',
      '72057594037927936.0',
      '0.00000000000000000000001234567890123456',
    ]) {
      expect(check(text), text).toBe(reference(text))
    }
  })
})
