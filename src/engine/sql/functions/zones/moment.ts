import type { ByteWriter } from '../../../../lib/bytes.ts'

const MILLION = 1_000_000
const WORD = 2 ** 32
/** The high word that whole numbers of microseconds stay below that a double holds exactly. */
const EXACT = 2 ** 21

/** A moment: whole seconds since 1970, and microseconds behind them. */
export interface Moment {
  seconds: number
  micros: number
  /** Whether it's one of the two that stand for infinity: its sign is that of `seconds`. */
  infinite: boolean
}

/** DuckDB's infinity, in seconds, rounded down; the past one is its negative, rounded down. */
const INFINITE_SECONDS = 9_223_372_036_854
const INFINITE_MICROS = 775_807

/**
 * Reads a timestamp from its sort key, the one form of it that the engine hands over whole: a byte that says whether
 * it's NULL, and its microseconds since 1970 as 64 bits, the highest first and flipped.
 * @param into what is set
 * @returns false for NULL
 */
export function readMoment(key: Uint8Array | null, into: Moment): key is Uint8Array {
  if (key === null || key.length < 9) return false
  const high = ((key[1] << 24) | (key[2] << 16) | (key[3] << 8) | key[4]) ^ 0x8000_0000
  const low = ((key[5] << 24) | (key[6] << 16) | (key[7] << 8) | key[8]) >>> 0
  if (high < EXACT && high >= -EXACT) {
    const total = high * WORD + low
    into.seconds = Math.floor(total / MILLION)
    into.micros = total - into.seconds * MILLION
  } else {
    const total = (BigInt(high) << 32n) | BigInt(low)
    const micros = ((total % 1_000_000n) + 1_000_000n) % 1_000_000n
    into.micros = Number(micros)
    into.seconds = Number((total - micros) / 1_000_000n)
  }
  into.infinite =
    (into.seconds === INFINITE_SECONDS && into.micros === INFINITE_MICROS) ||
    (into.seconds === -INFINITE_SECONDS - 1 && into.micros === MILLION - INFINITE_MICROS)
  return true
}

/**
 * Appends a moment as the engine's timestamps are: microseconds, in 64 bits.
 * @throws {Error} for one that they can't hold
 */
export function writeMoment(seconds: number, micros: number, out: ByteWriter): void {
  out.reserve(8)
  const { bytes, length } = out
  const total = seconds * MILLION + micros
  if (Number.isSafeInteger(total)) {
    const high = Math.floor(total / WORD)
    writeWord(bytes, length, total - high * WORD)
    writeWord(bytes, length + 4, high)
  } else {
    if (!(Math.abs(seconds) <= INFINITE_SECONDS + 1)) throw new Error('The time is out of range.')
    const exact = BigInt(seconds) * BigInt(MILLION) + BigInt(micros)
    writeWord(bytes, length, Number(exact & 0xffff_ffffn))
    writeWord(bytes, length + 4, Number(exact >> 32n))
  }
  out.length += 8
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word
  bytes[at + 1] = word >>> 8
  bytes[at + 2] = word >>> 16
  bytes[at + 3] = word >>> 24
}
