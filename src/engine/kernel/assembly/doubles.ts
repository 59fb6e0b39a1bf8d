const ZERO: u8 = 0x30
const POINT: u8 = 0x2e
const MINUS: u8 = 0x2d
const PLUS: u8 = 0x2b
/** `.0` */
const POINT_ZERO: u16 = 0x302e
/** `0000` */
const ZEROS: u64 = 0x30303030
/** `00000000` */
const EIGHT_ZEROS: u64 = (ZEROS << 32) | ZEROS

const LOW_HALF: u64 = 0xffffffff
const HIDDEN_BIT: u64 = 0x10000000000000
const FRACTION: u64 = 0xfffffffffffff
const INFINITE_EXPONENT: i32 = 0x7ff
const EXPONENT_BIAS: i32 = 1075
const TWO_53: u64 = 0x20000000000000

const SMALLEST_POWER: i32 = -342
const LARGEST_FINITE_POWER: i32 = 308
/** Between these exponents, the table's powers are exact or rounded up; all others are truncated. */
const FIRST_ROUNDED_UP: i32 = -27
const LAST_EXACT: i32 = 55

/** Powers of ten that doubles represent exactly. */
const EXACT_POWERS: usize = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
])

let powers: usize = 0

/** Sets the address of the table that `powersOfTen` in `../kernel.ts` builds. */
export function usePowers(at: usize): void {
  powers = at
}

/** The high 64 bits of a 128-bit product. */
function highProduct(a: u64, b: u64): u64 {
  const aLow = a & LOW_HALF
  const aHigh = a >> 32
  const bLow = b & LOW_HALF
  const bHigh = b >> 32
  const middle = aHigh * bLow + ((aLow * bLow) >> 32)
  return aHigh * bHigh + (middle >> 32) + ((aLow * bHigh + (middle & LOW_HALF)) >> 32)
}

/**
 * The eight decimal digits of a number below 10^8, one per byte, the first one lowest. Divides halves, then quarters,
 * then eighths in parallel by multiplying with reciprocals, which are exact for so few digits.
 */
function eightDigits(value: u64): u64 {
  const high = (value * 3518437209) >> 45
  const fours = high | ((value - high * 10000) << 32)
  const hundreds = ((fours * 10486) >> 20) & 0x7f0000007f
  const twos = hundreds | ((fours - hundreds * 100) << 16)
  const tens = ((twos * 103) >> 10) & 0xf000f000f000f
  return tens | ((twos - tens * 10) << 8)
}

/** Writes a number below 10^8 with at least `width` digits (1 to 8). */
function writeSmall(out: usize, value: u64, width: i32): usize {
  const digits = eightDigits(value)
  // Keeps the last digit even if it's zero.
  const leading = min(i32(ctz<u64>(digits | (1 << 56))) >> 3, 8 - width)
  store<u64>(out, (digits | EIGHT_ZEROS) >> u64(leading << 3))
  return out + (8 - leading)
}

/** Writes at least `width` decimal digits; up to eight bytes after them are overwritten. Returns their end. */
export function writeUnsigned(out: usize, value: u64, width: i32): usize {
  if (value < 10 && width <= 1) {
    store<u8>(out, ZERO + u8(value))
    return out + 1
  }
  if (value < 100000000 && width <= 8) return writeSmall(out, value, width)
  return writeLarge(out, value, width)
}

function writeLarge(out: usize, value: u64, width: i32): usize {
  for (; width > 24; width--) {
    store<u8>(out, ZERO)
    out++
  }
  const high = value / 100000000
  if (high < 100000000 && width <= 16) {
    out = writeSmall(out, high, width - 8)
  } else {
    const top = high / 100000000
    out = writeSmall(out, top, width - 16)
    store<u64>(out, eightDigits(high - top * 100000000) | EIGHT_ZEROS)
    out += 8
  }
  store<u64>(out, eightDigits(value - high * 100000000) | EIGHT_ZEROS)
  return out + 8
}

/** As `writeUnsigned`, with a minus for negative numbers. */
export function writeSigned(out: usize, value: i64): usize {
  if (value >= 0) return writeUnsigned(out, u64(value), 1)
  store<u8>(out, MINUS)
  return writeUnsigned(out + 1, u64(0 - value), 1)
}

/**
 * Writes the shortest decimal text that parses to the same double, in JavaScript's notation, but with `.0` after an
 * integer without an exponent, and `-0.0` for negative zero. Up to 26 bytes; the 40 bytes after `out` may be
 * overwritten.
 */
export function writeDouble(out: usize, value: f64): usize {
  const bits = reinterpret<u64>(value)
  const exponent = i32(bits >> 52) & INFINITE_EXPONENT
  if (exponent === INFINITE_EXPONENT) return writeSpecial(out, value)
  if (i64(bits) < 0) {
    store<u8>(out, MINUS)
    out++
  }
  const magnitude = abs(value)
  if (magnitude < 9007199254740992) {
    const whole = i64(magnitude)
    const rounded = f64(whole)
    if (rounded === magnitude) {
      out = writeUnsigned(out, u64(whole), 1)
      store<u16>(out, POINT_ZERO)
      return out + 2
    }
    if (magnitude < 1e9 && magnitude >= 1e-6) {
      // Doubles distinguish all decimals of up to 15 digits, so one that parses to the value is the shortest.
      const millionths = nearest((magnitude - rounded) * 1e6)
      if ((rounded * 1e6 + millionths) / 1e6 === magnitude) return writeFixed(out, u64(whole), u64(millionths))
    }
  }
  return writeShortest(out, bits & FRACTION, exponent)
}

function writeSpecial(out: usize, value: f64): usize {
  if (value !== value) {
    // `NaN`
    store<u32>(out, 0x4e614e)
    return out + 3
  }
  if (value < 0) {
    store<u8>(out, MINUS)
    out++
  }
  // `Infi`, `nity`
  store<u32>(out, 0x69666e49)
  store<u32>(out, 0x7974696e, 4)
  return out + 8
}

/** Writes an integer and 1 to 999,999 millionths. */
function writeFixed(out: usize, whole: u64, millionths: u64): usize {
  out = writeUnsigned(out, whole, 1)
  const digits = eightDigits(millionths * 100)
  store<u8>(out, POINT)
  store<u64>(out, digits | EIGHT_ZEROS, 1)
  return out + 9 - usize(clz<u64>(digits) >> 3)
}

/**
 * Writes a positive finite double, given by its bits, with Schubfach (Raffaello Giulietti, "The Schubfach way to render
 * doubles", https://drive.google.com/open?id=1luHhyQF9zKlM8yJ1nebU0OgVYhfC6CBN), following
 * https://github.com/abolz/Drachennest. It computes one product instead of three: the bounds of the rounding interval
 * are half a double's spacing away.
 */
function writeShortest(out: usize, fraction: u64, biased: i32): usize {
  const significand = biased === 0 ? fraction : fraction | HIDDEN_BIT
  const exponent = max(biased, 1) - EXPONENT_BIAS
  // Below a power of two, the spacing of doubles is half as wide.
  const closer = fraction === 0 && biased > 1
  // floor(log10(2^exponent)), or of 3/4 * 2^exponent.
  const power = (exponent * 1262611 - (closer ? 524031 : 0)) >> 22
  const shift = u64(exponent + ((-power * 1741647) >> 19) + 1)
  const entry = powers + usize((-power - SMALLEST_POWER) << 4)
  const gLow = load<u64>(entry) + u64(-power < FIRST_ROUNDED_UP || -power > LAST_EXACT)
  const gHigh = load<u64>(entry, 8)

  // Four times the value / 10^power, with a 128-bit fraction.
  const scaled = significand << (shift + 2)
  const low = gLow * scaled
  const carried = highProduct(gLow, scaled)
  const middle = gHigh * scaled + carried
  const high = highProduct(gHigh, scaled) + u64(middle < carried)

  const up = shift + 1
  const upLow = low + (gLow << up)
  const upCarry = u64(upLow < low)
  const upStep = (gHigh << up) | (gLow >> (64 - up))
  const upSum = middle + upStep
  const upMiddle = upSum + upCarry
  const upHigh = high + (gHigh >> (64 - up)) + u64(upSum < middle) + u64(upMiddle < upCarry)

  const down = up - u64(closer)
  const downStep = (gHigh << down) | (gLow >> (64 - down))
  const downCarry = u64(low < gLow << down)
  const downDifference = middle - downStep
  const downMiddle = downDifference - downCarry
  const downHigh = high - (gHigh >> (64 - down)) - u64(middle < downStep) - u64(downDifference < downCarry)

  // Of the fraction, only whether it's zero matters. The interval includes its bounds if the significand is even.
  const odd = significand & 1
  const value = high | u64(middle > 1)
  const lower = (downHigh | u64(downMiddle > 1)) + odd
  const upper = (upHigh | u64(upMiddle > 1)) - odd

  const digits = high >> 2
  const head = digits / 100000000
  const tail = u32(digits - head * 100000000)
  const last = tail % 10
  const tens = (digits - u64(last)) << 2
  const above = tens + 40 <= upper
  // At most one multiple of ten is in the interval; otherwise take the nearer of the two neighbours.
  if (lower <= tens !== above) return writeDigits(out, head, tail - last + (above ? 10 : 0), power)
  const unit = digits << 2
  const next = unit + 4 <= upper
  const tie = unit + 2
  const round = lower <= unit !== next ? next : value > tie || (value === tie && (digits & 1) !== 0)
  return writeDigits(out, head, tail + u32(round), power)
}

/** Writes (head * 10^8 + tail) * 10^power, with tail at most 10^8. */
function writeDigits(out: usize, head: u64, tail: u32, power: i32): usize {
  let top = head
  let rest = u64(tail)
  if (rest === 100000000) {
    rest = 0
    top++
  }
  // Only subnormal numbers have fewer than 16 digits.
  if (top < 10000000) {
    let all = top * 100000000 + rest
    for (; all < 1000000000000000; power--) all *= 10
    top = all / 100000000
    rest = all - top * 100000000
  }
  if (top >= 100000000) {
    const first = u64(u32(top) / 100000000)
    return writeNormalised(out, first, eightDigits(top - first * 100000000), eightDigits(rest), power + 17)
  }
  const first = u64(u32(top) / 10000000)
  const eighth = u64(u32(rest) / 10000000)
  const second = (top - first * 10000000) * 10 + eighth
  return writeNormalised(out, first, eightDigits(second), eightDigits((rest - eighth * 10000000) * 10), power + 16)
}

/** Writes 17 digits (one, eight and eight), with `point` of them before the decimal point. */
function writeNormalised(out: usize, first: u64, second: u64, third: u64, point: i32): usize {
  const count = third !== 0 ? 17 - i32(clz<u64>(third) >> 3) : second !== 0 ? 9 - i32(clz<u64>(second) >> 3) : 1
  const lead = first | u64(ZERO)
  second |= EIGHT_ZEROS
  third |= EIGHT_ZEROS
  if (point <= 0 && point > -6) {
    // `0.00000`, with as many zeros as the exponent requires.
    store<u64>(out, (EIGHT_ZEROS & ~0xff00) | 0x2e00)
    out += usize(2 - point)
    store<u8>(out, u8(lead))
    store<u64>(out, second, 1)
    store<u64>(out, third, 9)
    return out + count
  }
  if (point > 0 && point <= 21) {
    if (count <= point) return writeInteger(out, lead, second, third, point)
    store<u64>(out, second, 2)
    store<u64>(out, third, 10)
    if (point < 8) {
      const word = lead | (second << 8)
      const shift = u64(point << 3)
      const before = (u64(1) << shift) - 1
      store<u64>(out, (word & before) | (u64(POINT) << shift) | ((word & ~before) << 8))
    } else {
      store<u8>(out, u8(lead))
      store<u64>(out, second, 1)
      if (point > 9) memory.copy(out + 9, out + 10, point - 9)
      store<u8>(out + point, POINT)
    }
    return out + count + 1
  }
  store<u8>(out, u8(lead))
  store<u8>(out, POINT, 1)
  store<u64>(out, second, 2)
  store<u64>(out, third, 10)
  return writeExponent(out + (count === 1 ? 1 : count + 1), point - 1)
}

function writeInteger(out: usize, lead: u64, second: u64, third: u64, digits: i32): usize {
  store<u8>(out, u8(lead))
  store<u64>(out, second, 1)
  store<u64>(out, third, 9)
  store<u32>(out, u32(ZEROS), 17)
  store<u16>(out + digits, POINT_ZERO)
  return out + digits + 2
}

function writeExponent(out: usize, exponent: i32): usize {
  // `e`
  store<u8>(out, 0x65)
  store<u8>(out, exponent < 0 ? MINUS : PLUS, 1)
  return writeUnsigned(out + 2, u64(abs(exponent)), 1)
}

/** The double nearest to mantissa * 10^exponent, ties to even; 0 or Infinity if out of range. */
export function nearestDouble(mantissa: u64, exponent: i32): f64 {
  if (mantissa <= TWO_53 && exponent >= -22 && exponent <= 22) {
    // Clinger's fast path: both are exact, so there is only one rounding.
    const exact = f64(i64(mantissa))
    const power = load<f64>(EXACT_POWERS + usize(abs(exponent) << 3))
    return exponent < 0 ? exact / power : exact * power
  }
  if (mantissa === 0 || exponent < SMALLEST_POWER) return 0
  if (exponent > LARGEST_FINITE_POWER) return Infinity
  return eiselLemire(mantissa, exponent)
}

/**
 * Daniel Lemire, "Number parsing at a gigabyte per second", https://arxiv.org/abs/2101.11408, as `compute_float` in
 * https://github.com/fastfloat/fast_float. Exact for all mantissas without a fallback: Noble Mushtak and Daniel Lemire,
 * "Fast number parsing without fallback", https://arxiv.org/abs/2212.06644.
 */
function eiselLemire(mantissa: u64, exponent: i32): f64 {
  const leading = clz<u64>(mantissa)
  const normalised = mantissa << leading
  const entry = powers + usize((exponent - SMALLEST_POWER) << 4)
  const power = load<u64>(entry, 8)
  let low = normalised * power
  let high = highProduct(normalised, power)
  // The power's low half matters only if it could carry into the bits that we keep.
  if ((high & 0x1ff) === 0x1ff) {
    const more = highProduct(normalised, load<u64>(entry))
    low += more
    if (more > low) high++
  }
  const upper = high >> 63
  const shift = upper + 9
  let kept = high >> shift
  // floor(log2(10^exponent)) + 63
  let biased = ((exponent * 217706) >> 16) + 63 + i32(upper) - i32(leading) + 1023
  if (biased <= 0) {
    if (biased <= -63) return 0
    kept >>= u64(1 - biased)
    // Rounding may carry into the exponent and give the smallest normal number, which these bits then encode.
    return reinterpret<f64>((kept + (kept & 1)) >> 1)
  }
  // Only between these exponents can a product be exactly halfway between two doubles: round to even.
  if (low <= 1 && exponent >= -4 && exponent <= 23 && (kept & 3) === 1 && kept << shift === high) kept &= ~1
  kept = (kept + (kept & 1)) >> 1
  if (kept >= TWO_53) {
    kept >>= 1
    biased++
  }
  if (biased >= INFINITE_EXPONENT) return Infinity
  return reinterpret<f64>((kept & FRACTION) | (u64(biased) << 52))
}

/** Writes value / 10^scale, for integers of up to 18 digits. */
export function writeDecimal(out: usize, value: i64, scale: i32): usize {
  let at = out
  if (value < 0) store<u8>(at++, MINUS)
  at = writeUnsigned(at, u64(abs<i64>(value)), scale + 1)
  if (scale === 0) return at
  const point = at - scale
  memory.copy(point + 1, point, scale)
  store<u8>(point, POINT)
  return at + 1
}
