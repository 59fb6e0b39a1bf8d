import type { ByteWriter } from '../../../../lib/bytes.ts'

const MILLION = 1_000_000
const WORD = 2 ** 32
/** The high word that whole numbers of microseconds stay below that a double holds exactly. */
const EXACT = 2 ** 21

/** A moment: whole seconds since 1970, and microseconds after them. */
export interface Moment {
  seconds: number
  micros: number
  /** Whether it's one of the two that stand for infinity: its sign is that of `seconds`. */
  infinite: boolean
}

/** DuckDB's infinity, in seconds, rounded down; the past one is its negative, rounded down. */
const INFINITE_SECONDS = 9_223_372_036_854
const INFINITE_MICROS = 775_807

/** Reads a timestamp as the engine has it: microseconds since 1970, in two words, the lower one first. */
export function readMoment([low, high]: Int32Array, into: Moment): void {
  if (high < EXACT && high >= -EXACT) {
    const total = high * WORD + (low >>> 0)
    into.seconds = Math.floor(total / MILLION)
    into.micros = total - into.seconds * MILLION
  } else {
    const total = (BigInt(high) << 32n) | BigInt(low >>> 0)
    const micros = ((total % 1_000_000n) + 1_000_000n) % 1_000_000n
    into.micros = Number(micros)
    into.seconds = Number((total - micros) / 1_000_000n)
  }
  into.infinite =
    (into.seconds === INFINITE_SECONDS && into.micros === INFINITE_MICROS) ||
    (into.seconds === -INFINITE_SECONDS - 1 && into.micros === MILLION - INFINITE_MICROS)
}

/** Microseconds since 1970. */
export const microsOf = ({ seconds, micros }: Moment): bigint => BigInt(seconds) * 1_000_000n + BigInt(micros)

/**
 * Appends a moment as the engine's timestamps are: microseconds, in 64 bits.
 * @throws {Error} for one that they can't hold
 */
export function writeMoment({ seconds, micros }: Moment, out: ByteWriter): void {
  const total = seconds * MILLION + micros
  if (Number.isSafeInteger(total)) writeWhole(total, out)
  else {
    if (!(Math.abs(seconds) <= INFINITE_SECONDS + 1)) throw new Error('The time is out of range.')
    writeBig(BigInt(seconds) * BigInt(MILLION) + BigInt(micros), out)
  }
}

/** Appends a safe integer in 64 bits. */
export function writeWhole(value: number, out: ByteWriter): void {
  const high = Math.floor(value / WORD)
  writeWord(value - high * WORD, out)
  writeWord(high, out)
}

/** @throws {Error} for a number that 64 bits can't hold */
export function writeBig(value: bigint, out: ByteWriter): void {
  if (value !== BigInt.asIntN(64, value)) throw new Error('The number is out of range.')
  writeWord(Number(value & 0xffff_ffffn), out)
  writeWord(Number(value >> 32n), out)
}

/** Appends 32 bits, the lowest first. */
export function writeWord(word: number, out: ByteWriter): void {
  out.reserve(4)
  const { bytes, length } = out
  bytes[length] = word
  bytes[length + 1] = word >>> 8
  bytes[length + 2] = word >>> 16
  bytes[length + 3] = word >>> 24
  out.length = length + 4
}
