import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ByteWriter } from '../../lib/bytes.ts'
import { writeDouble } from '../arrow/write/floats.ts'
import { powersOfTen } from './kernel.ts'
import { compileKernel } from './vite-plugin.ts'

const PAGE = 65_536
const TABLE = PAGE
const OUT = 2 * PAGE
const UNTOUCHED = 0xee

interface Doubles {
  memory: WebAssembly.Memory
  usePowers(at: number): void
  writeDouble(out: number, value: number): number
  writeUnsigned(out: number, value: bigint, width: number): number
  writeSigned(out: number, value: bigint): number
  nearestDouble(mantissa: bigint, exponent: number): number
}

let kernel: Doubles
let bytes: Uint8Array

beforeAll(async () => {
  const { instance } = await WebAssembly.instantiate(Uint8Array.from(await compileKernel('doubles.ts')), {})
  kernel = instance.exports as unknown as Doubles
  kernel.memory.grow(4)
  bytes = new Uint8Array(kernel.memory.buffer)
  bytes.set(powersOfTen(), TABLE)
  kernel.usePowers(TABLE)
})

const latin = new TextDecoder('latin1')
const written = (end: number): string => latin.decode(bytes.subarray(OUT, end))

function textOf(value: number): string {
  bytes.fill(UNTOUCHED, OUT, OUT + 48)
  const end = kernel.writeDouble(OUT, value)
  if (end > OUT + 32 || bytes[OUT + 40] !== UNTOUCHED) throw new Error(`${value} takes too much room`)
  return written(end)
}

const ours = new ByteWriter()
function expectSame(value: number): void {
  ours.clear()
  writeDouble(ours, value)
  const text = textOf(value)
  if (text !== latin.decode(ours.view())) expect(text).toBe(latin.decode(ours.view()))
  if (!Object.is(Number(text), value)) expect(Number(text)).toBe(value)
}

const cell = new DataView(new ArrayBuffer(8))
function fromBits(bits: bigint): number {
  cell.setBigUint64(0, bits)
  return cell.getFloat64(0)
}
function toBits(value: number): bigint {
  cell.setFloat64(0, value)
  return cell.getBigUint64(0)
}

/** The double and the four around it, on both sides of zero. */
function expectSameAround(value: number): void {
  for (let step = -2n; step <= 2n; step++) {
    const near = fromBits(BigInt.asUintN(64, toBits(value) + step))
    expectSame(near)
    expectSame(-near)
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const word = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
/** Numbers of every length, not only the long ones that most of them are. */
const anyLength = fc.tuple(word, fc.bigInt({ min: 0n, max: 63n })).map(([value, by]) => value >> by)

describe('writeDouble', () => {
  it('writes what JavaScript prints, for any bits', () => {
    fc.assert(
      fc.property(word, (bits) => expectSame(fromBits(bits))),
      { numRuns: 10_000 },
    )
  })

  it('writes decimals of 1 to 17 digits', () => {
    const decimal = fc.tuple(anyLength, fc.integer({ min: 1, max: 17 }), fc.integer({ min: -30, max: 30 }))
    fc.assert(
      fc.property(decimal, fc.boolean(), ([digits, count, exponent], negative) =>
        expectSame(Number(`${negative ? '-' : ''}${String(digits).slice(0, count)}e${exponent}`)),
      ),
      { numRuns: 10_000 },
    )
  })

  it('writes decimals of few places, those that have a way of their own and their neighbours', () => {
    const amount = fc.tuple(fc.integer({ min: 0, max: 10 ** 15 }), fc.integer({ min: 0, max: 8 }))
    fc.assert(
      fc.property(amount, ([digits, places]) => expectSameAround(Number(`${digits}e-${places}`))),
      { numRuns: 2000 },
    )
  })

  it('writes powers of two and ten, and integers around them', () => {
    for (const value of range(-1074, 1023).map((exponent) => 2 ** exponent)) expectSameAround(value)
    for (const value of range(-323, 308).map((exponent) => Number(`1e${exponent}`))) expectSameAround(value)
    const powers = [...range(0, 70).map((exponent) => 2 ** exponent), ...range(0, 22).map((exponent) => 10 ** exponent)]
    for (const power of powers) for (const step of range(-20, 20)) expectSame(power + step)
  })

  it('writes subnormals', () => {
    for (const bits of range(1, 2000)) expectSame(fromBits(BigInt(bits)))
    fc.assert(
      fc.property(anyLength, (bits) => expectSame(fromBits(BigInt.asUintN(52, bits)))),
      { numRuns: 2000 },
    )
  })

  it('writes the extremes', () => {
    const { MAX_VALUE, MIN_VALUE, MAX_SAFE_INTEGER, EPSILON } = Number
    for (const value of [MAX_VALUE, MIN_VALUE, MAX_SAFE_INTEGER, EPSILON, 2 ** -1022]) expectSameAround(value)
    expect([NaN, -NaN, Infinity, -Infinity, 0, -0].map(textOf)).toEqual([
      'NaN',
      'NaN',
      'Infinity',
      '-Infinity',
      '0.0',
      '-0.0',
    ])
    expect(textOf(fromBits(0xffff_ffff_ffff_ffffn))).toBe('NaN')
    expect([1, 1e20, 1e21, 1.5e-7, 1e-6, -12.25].map(textOf)).toEqual([
      '1.0',
      '100000000000000000000.0',
      '1e+21',
      '1.5e-7',
      '0.000001',
      '-12.25',
    ])
  })
})

describe('writeUnsigned and writeSigned', () => {
  it('write any 64-bit integer, to any width', () => {
    fc.assert(
      fc.property(anyLength, fc.integer({ min: 0, max: 40 }), (value, width) => {
        expect(written(kernel.writeUnsigned(OUT, value, width))).toBe(String(value).padStart(width, '0'))
        const signed = BigInt.asIntN(64, value)
        expect(written(kernel.writeSigned(OUT, signed))).toBe(String(signed))
        expect(written(kernel.writeSigned(OUT, -signed))).toBe(String(BigInt.asIntN(64, -signed)))
      }),
      { numRuns: 5000 },
    )
  })

  it('write integers around powers of ten', () => {
    const powers = range(0, 19).map((exponent) => 10n ** BigInt(exponent))
    for (const value of [...powers.flatMap((power) => [power - 1n, power]), 2n ** 64n - 1n]) {
      for (const width of range(0, 26)) {
        expect(written(kernel.writeUnsigned(OUT, value, width))).toBe(String(value).padStart(width, '0'))
      }
    }
    expect(written(kernel.writeSigned(OUT, -(2n ** 63n)))).toBe('-9223372036854775808')
  })
})

function expectNearest(mantissa: bigint, exponent: number): void {
  const [read, nearest] = [kernel.nearestDouble(mantissa, exponent), Number(`${mantissa}e${exponent}`)]
  if (!Object.is(read, nearest)) expect([mantissa, exponent, read]).toEqual([mantissa, exponent, nearest])
}

/** The mantissa and its neighbours, as far as they have 64 bits. */
function expectNearestAround(mantissa: bigint, exponent: number): void {
  for (let step = -1n; step <= 1n; step++) expectNearest(BigInt.asUintN(64, mantissa + step), exponent)
}

describe('nearestDouble', () => {
  it('reads any mantissa with any exponent', () => {
    const exponent = fc.integer({ min: -345, max: 310 })
    fc.assert(fc.property(word, exponent, expectNearest), { numRuns: 20_000 })
    fc.assert(fc.property(anyLength, exponent, expectNearest), { numRuns: 10_000 })
    fc.assert(fc.property(anyLength, fc.integer({ min: -30, max: 30 }), expectNearest), { numRuns: 10_000 })
  })

  it('reads all powers of ten, and mantissas around powers of two with each', () => {
    const mantissas = [0n, 1n, ...range(1, 63).map((bits) => 2n ** BigInt(bits)), 2n ** 64n - 1n]
    for (const exponent of range(-400, 400)) {
      for (const mantissa of mantissas) expectNearestAround(mantissa, exponent)
    }
  })

  it('takes the even one of two that are equally near', () => {
    const odd = fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }).map((significand) => 2n * significand + 1n)
    fc.assert(
      fc.property(odd, fc.bigInt({ min: 0n, max: 10n }), (halfway, shift) => {
        expectNearestAround(halfway << shift, 0)
        for (const exponent of range(1, 4)) {
          // Halfway between two doubles by a power of two, times 10^exponent.
          const scaled = halfway * 5n ** BigInt(exponent)
          if (scaled < 2n ** 64n) expectNearestAround(scaled, -exponent)
        }
        for (const exponent of range(1, 24)) {
          // An odd integer that makes one of 54 bits, which is halfway, or nearly so, when multiplied by 5^exponent.
          expectNearestAround((halfway / 5n ** BigInt(exponent)) | 1n, exponent)
          expectNearestAround(((halfway / 5n ** BigInt(exponent)) | 1n) << shift, exponent)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('tells apart what is hardly more and hardly less than halfway', () => {
    const bits = fc.bigInt({ min: 1n, max: toBits(Number.MAX_VALUE) })
    fc.assert(
      fc.property(bits, fc.integer({ min: 17, max: 20 }), (low, count) => {
        const { digits, exponent } = halfwayAbove(low, count)
        if (digits < 2n ** 64n - 1n) expectNearestAround(digits, exponent)
      }),
      { numRuns: 10_000 },
    )
  })

  it('reads the digits of any double', () => {
    fc.assert(
      fc.property(word, (bits) => {
        const value = Math.abs(fromBits(bits))
        if (!Number.isFinite(value)) return
        const [digits = '', exponent] = value.toExponential(16).split('e')
        expect(kernel.nearestDouble(BigInt(digits.replace('.', '')), Number(exponent) - 16)).toBe(value)
      }),
      { numRuns: 5000 },
    )
  })
})

/** The first `count` digits, about, of what's halfway between a double given by its bits and the next one. */
function halfwayAbove(bits: bigint, count: number): { digits: bigint; exponent: number } {
  const biased = Number(bits >> 52n)
  const significand = BigInt.asUintN(52, bits) | (biased === 0 ? 0n : 2n ** 52n)
  const power = Math.max(biased, 1) - 1076
  const exponent = Math.floor(Math.log10(Number(significand)) + (power + 1) * Math.log10(2)) + 1 - count
  const numerator = (2n * significand + 1n) * 2n ** BigInt(Math.max(power, 0)) * 10n ** BigInt(Math.max(-exponent, 0))
  const denominator = 2n ** BigInt(Math.max(-power, 0)) * 10n ** BigInt(Math.max(exponent, 0))
  return { digits: numerator / denominator, exponent }
}

describe('powersOfTen', () => {
  it('has no low half that adding one would carry from', () => {
    const words = new BigUint64Array(powersOfTen().buffer)
    expect(words.length).toBe(2 * 667)
    expect(words.every((low, i) => i % 2 === 1 || low !== 2n ** 64n - 1n)).toBe(true)
    expect(words.every((high, i) => i % 2 === 0 || high >= 2n ** 63n)).toBe(true)
  })
})
