/* Sums of cells: for each column one number, modulo 2^64, whatever the order of its cells. */

const MIX_A: u64 = (u64(0x9e3779b9) << 32) | 0x7f4a7c15
const MIX_B: u64 = (u64(0xd6e8feb8) << 32) | 0x6659fd93
const PLAIN_SEED: u64 = (u64(0x2545f491) << 32) | 0x4f6cdd1d
const QUOTED_SEED: u64 = (u64(0x6c078965) << 32) | 0xa5b35705

/** As the tokenizer has them. */
const QUOTED: u8 = 1
const ESCAPED: u8 = 2

/** Sixteen bytes that keep what is under them, and sixteen that don't. */
const KEEP = memory.data<u64>([u64.MAX_VALUE, u64.MAX_VALUE, 0, 0])

/**
 * The hash of a cell's text; 0 for an empty one without quotes, which may stand for a null. Most texts have at most 16
 * bytes: these take the same steps whatever their size, so that no branch is guessed wrong.
 * @param from behind the text there must be 16 bytes of memory
 */
export function hashCell(from: usize, size: usize, quoted: bool): u64 {
  if (size === 0 && !quoted) return 0
  let hash = u64(size) * MIX_B + (quoted ? QUOTED_SEED : PLAIN_SEED)
  let at = from
  let left = size
  for (; left > 16; at += 16, left -= 16) hash = mix(hash, load<u64>(at), load<u64>(at, 8))
  return mixLast(hash, at, left)
}

function mixLast(hash: u64, at: usize, left: usize): u64 {
  const last = v128.and(v128.load(at), v128.load(KEEP + 16 - left))
  return mix(hash, i64x2.extract_lane(last, 0), i64x2.extract_lane(last, 1))
}

function mix(hash: u64, low: u64, high: u64): u64 {
  let mixed = (hash ^ low) * MIX_A
  mixed = (mixed ^ (mixed >> 32) ^ high) * MIX_B
  return mixed ^ (mixed >> 29)
}

/** Whether there is a NUL among some bytes; behind them there must be 16 bytes of memory. */
export function hasNul(from: usize, to: usize): bool {
  let at = from
  for (; at + 16 <= to; at += 16) if (!i8x16.all_true(v128.load(at))) return true
  for (; at < to; at++) if (load<u8>(at) === 0) return true
  return false
}

/**
 * Adds the hashes of texts to the sums of their columns.
 * @param entries of each text its column, where it is and its size, as 32-bit integers; behind each there must be 16 bytes
 * of memory
 */
export function sumTexts(entries: usize, count: i32, sums: usize): void {
  for (let entry = entries, behind = entries + usize(count) * 12; entry < behind; entry += 12) {
    const sum = sums + (usize(load<u32>(entry)) << 3)
    store<u64>(sum, load<u64>(sum) + hashCell(usize(load<u32>(entry, 4)), usize(load<u32>(entry, 8)), false))
  }
}

/** Adds the hash of a quoted text to a sum. */
export function sumQuoted(sum: usize, from: usize, size: i32): void {
  store<u64>(sum, load<u64>(sum) + hashCell(from, usize(size), true))
}

/**
 * Adds the hashes of the cells of rows to the sums of their columns, but for cells with escapes in them.
 * @param text fields begin and end so many bytes from here, as 32-bit integers say
 * @param first of each row its first field's index
 * @returns how many cells have escapes
 */
export function sumCells(
  text: usize,
  starts: usize,
  ends: usize,
  kinds: usize,
  first: usize,
  rows: i32,
  width: i32,
  sums: usize,
): i32 {
  let escaped: i32 = 0
  for (let row: i32 = 0; row < rows; row++) {
    let field = usize(load<u32>(first + (usize(row) << 2)))
    for (let sum = sums, behind = sums + (usize(width) << 3); sum < behind; sum += 8, field++) {
      const kind = load<u8>(kinds + field)
      if (kind === ESCAPED) {
        escaped++
        continue
      }
      const start = usize(load<u32>(starts + (field << 2)))
      const size = usize(load<u32>(ends + (field << 2))) - start
      const quoted = kind === QUOTED
      const hash =
        size > 0 && size <= 16
          ? mixLast(u64(size) * MIX_B + (quoted ? QUOTED_SEED : PLAIN_SEED), text + start, size)
          : hashCell(text + start, size, quoted)
      store<u64>(sum, load<u64>(sum) + hash)
    }
  }
  return escaped
}
