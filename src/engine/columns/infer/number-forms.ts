import type { ValueFormat } from '../../../tables/plan.ts'
import { CREDIT, DEBIT, PARENTHESES, TRAILING } from '../number-affixes.ts'
import { APOSTROPHE, COMMA, isDigit, POINT, SPACE } from '../text-bytes.ts'
import type { ColumnStats, FormattedNumbers, Mark } from './column-stats.ts'
import { sample } from './spellings.ts'
import { ZERO } from '../../../lib/ascii.ts'
import { DECIMAL, EXPONENT, INTEGER, PLUS } from './kinds.ts'
import { NumberScanner } from './number-scanner.ts'
import { SizeStats } from './sizes.ts'
import { NumberStats, type NumberFindings } from './numbers.ts'

/** After this many other texts without a hit, the column isn't checked for formatted numbers any more. */
const MAX_MISSES = 16
/** An INTEGER holds all whole numbers of so many digits; most phone numbers have more. */
const MOST_DIGITS = 9

/** Statistics of a column's formatted numbers: their notation, and the numbers they stand for. */
export class FormattedNumberStats {
  readonly found = {
    hits: 0,
    misses: 0,
    marks: 0,
    groups: 0,
    points: 0,
    commas: 0,
    eitherWhole: 0,
    fewest: 99,
    most: 0,
    negatives: 0,
    plus: 0,
    differences: 0,
    differenceDigits: 0,
    units: new Map<string, number>(),
    codes: 0,
    percents: 0,
    scaled: 0,
    sizes: new SizeStats(),
    integers: 0,
    decimals: 0,
    exponents: 0,
    numbers: new NumberStats(false),
    example: '',
  } satisfies FormattedNumbers
  private readonly scanner = new NumberScanner()

  /** False once there are too many texts of other kinds. */
  get isLikely(): boolean {
    const { hits, misses, sizes } = this.found
    return misses < MAX_MISSES || hits > misses || sizes.isLikely
  }

  /** Adds a text. Returns whether it's a formatted number; plain ones aren't counted. */
  observe(bytes: Uint8Array, start: number, end: number): boolean {
    const { scanner, found } = this
    if (found.sizes.isLikely) found.sizes.observe(bytes, start, end)
    if (!scanner.scan(bytes, start, end)) return false
    if (scanner.either === 0) {
      const kind = this.kind(bytes)
      if (kind === INTEGER) found.integers++
      else if (kind === DECIMAL) found.decimals++
      else if (kind === EXPONENT) found.exponents++
      else return false
      found.marks |= scanner.mark
      found.groups |= scanner.group
    } else {
      if (scanner.either === POINT) found.points++
      else found.commas++
      if (scanner.first > found.eitherWhole) found.eitherWhole = scanner.first
    }
    if (scanner.first < found.fewest) found.fewest = scanner.first
    if (scanner.first > found.most) found.most = scanner.first
    found.negatives |= scanner.negative
    if (scanner.plus) found.plus++
    if (scanner.unit !== '') found.units.set(scanner.unit, (found.units.get(scanner.unit) ?? 0) + 1)
    if (scanner.isCode) found.codes++
    if (scanner.percent) found.percents++
    if (scanner.scaled) found.scaled++
    if (found.hits++ === 0) found.example = sample(bytes, start, end)
    return true
  }

  /** Counts a text with a plus if it's a whole number: `+12`, but neither `+49 301` nor `+0100`. */
  observePlus(bytes: Uint8Array, start: number, end: number): void {
    const digits = end - start - 1
    if (digits > MOST_DIGITS || (digits > 1 && bytes[start + 1] === ZERO)) return
    for (let at = start + 1; at < end; at++) if (!isDigit(bytes[at])) return
    this.found.differences++
    if (digits > this.found.differenceDigits) this.found.differenceDigits = digits
  }

  /** The kind of the last scanned number. */
  private kind(bytes: Uint8Array): number {
    const { scanner } = this
    const { numbers } = this.found
    if (scanner.isShort) {
      return numbers.short(scanner.whole, scanner.scale, scanner.zeroFirst, scanner.zero, scanner.minus)
    }
    scanner.spell(bytes)
    return numbers.kind(scanner.plain, 0, scanner.length)
  }

  merge(later: FormattedNumbers): void {
    const { found } = this
    if (found.hits === 0) found.example = later.example
    found.hits += later.hits
    found.misses += later.misses
    found.marks |= later.marks
    found.groups |= later.groups
    found.points += later.points
    found.commas += later.commas
    found.eitherWhole = Math.max(found.eitherWhole, later.eitherWhole)
    found.fewest = Math.min(found.fewest, later.fewest)
    found.most = Math.max(found.most, later.most)
    found.negatives |= later.negatives
    found.plus += later.plus
    found.differences += later.differences
    found.differenceDigits = Math.max(found.differenceDigits, later.differenceDigits)
    for (const [unit, count] of later.units) found.units.set(unit, (found.units.get(unit) ?? 0) + count)
    found.codes += later.codes
    found.percents += later.percents
    found.scaled += later.scaled
    found.sizes.merge(later.sizes)
    found.integers += later.integers
    found.decimals += later.decimals
    found.exponents += later.exponents
    found.numbers.merge(later.numbers)
  }
}

const GROUPS: ReadonlyMap<number, ValueFormat['grouping']> = new Map([
  [POINT, '.'],
  [COMMA, ','],
  [SPACE, ' '],
  [APOSTROPHE, "'"],
])

const NEGATIVES: ReadonlyMap<number, NonNullable<ValueFormat['negative']>> = new Map([
  [TRAILING, 'trailing'],
  [PARENTHESES, 'parentheses'],
  [DEBIT, 'debit'],
  [CREDIT, 'debit'],
  [DEBIT | CREDIT, 'debit'],
])

/** All numbers of a column, plain and formatted, parsed with one decimal mark. */
export interface ParsedNumbers {
  readonly mark: Mark
  readonly format: ValueFormat
  readonly integers: number
  readonly decimals: number
  readonly exponents: number
  readonly numbers: NumberFindings
}

/** The column's plain numbers. */
interface PlainNumbers {
  readonly integers: number
  readonly decimals: number
  /** Without a fraction, so that they're the same with any mark: `1E+14`. */
  readonly exponents: number
  readonly numbers: NumberFindings
}

/** A column's plain numbers that may stand beside others. */
export function plainNumbers({ counts, numbers }: Pick<ColumnStats, 'counts' | 'numbers'>): PlainNumbers {
  const exponents = numbers.pointedExponents > 0 ? 0 : counts[EXPONENT]
  return { integers: counts[INTEGER], decimals: counts[DECIMAL], exponents, numbers }
}

/** The number of a column's values that are numbers, plain or formatted. */
export function countNumbers(stats: ColumnStats): number {
  const { integers, decimals, exponents } = plainNumbers(stats)
  return stats.formattedNumbers.hits + integers + decimals + exponents + countDifferences(stats)
}

/**
 * The number of a column's whole numbers with a plus. They count only beside negative numbers or fractions: `+1` and
 * `+49` alone may be codes.
 */
export function countDifferences({ counts, numbers, formattedNumbers }: ColumnStats): number {
  const { differences, hits } = formattedNumbers
  const areNumbers = numbers.negative || counts[DECIMAL] > 0 || hits > 0
  return areNumbers && differences === counts[PLUS] ? differences : 0
}

/** The ways to parse all numbers of a column: one for each decimal mark that fits them all. */
export function readings(formed: FormattedNumbers, plain: PlainNumbers): ParsedNumbers[] {
  return (['.', ','] as const).flatMap((mark) => readWith(mark, formed, plain) ?? [])
}

function readWith(mark: Mark, formed: FormattedNumbers, plain: PlainNumbers): ParsedNumbers | null {
  const [own, other] = mark === '.' ? [POINT, COMMA] : [COMMA, POINT]
  const plainWhole = mark === ',' && plain.decimals > 0
  if (plainWhole && plain.numbers.ungroupable > 0) return null
  const asMark = mark === '.' ? formed.points : formed.commas
  const asGroup = (mark === '.' ? formed.commas : formed.points) + (plainWhole ? plain.decimals : 0)
  const groups = formed.groups | (asGroup > 0 ? other : 0)
  if ((formed.marks & other) !== 0 || (groups & own) !== 0) return null
  const grouping = GROUPS.get(groups)
  if ((groups !== 0 && grouping === undefined) || formed.units.size > 1) return null
  if (formed.negatives !== 0 && !NEGATIVES.has(formed.negatives)) return null
  const numbers = new NumberStats(false)
  numbers.merge(plainWhole ? groupedWhole(plain.numbers, plain.decimals) : plain.numbers)
  numbers.merge(formed.numbers)
  if (asMark > 0) numbers.merge({ ...NONE, whole: formed.eitherWhole, minScale: 3, maxScale: 3, atMaxScale: asMark })
  if (formed.differences > 0) {
    numbers.merge({ ...NONE, whole: formed.differenceDigits, minScale: 0, maxScale: 0, atMaxScale: formed.differences })
  }
  const wholeHere = asGroup - (plainWhole ? plain.decimals : 0)
  if (wholeHere > 0) {
    numbers.merge({ ...NONE, whole: formed.eitherWhole + 3, minScale: 0, maxScale: 0, atMaxScale: wholeHere })
  }
  return {
    mark,
    format: formatOf(mark, grouping, formed),
    integers: formed.integers + plain.integers + formed.differences + asGroup,
    decimals: formed.decimals + asMark + (plainWhole ? 0 : plain.decimals),
    exponents: formed.exponents + plain.exponents,
    numbers,
  }
}

const NONE: NumberFindings = new NumberStats(false)

/** Statistics of plain decimals with three digits after the point, if the point separates thousands. */
function groupedWhole(numbers: NumberFindings, decimals: number): NumberFindings {
  return { ...numbers, whole: Math.max(numbers.whole, 6), minScale: 0, maxScale: 0, atMaxScale: decimals }
}

function formatOf(mark: Mark, grouping: ValueFormat['grouping'], formed: FormattedNumbers): ValueFormat {
  const [unit] = formed.units.keys()
  const negative = NEGATIVES.get(formed.negatives)
  return {
    ...(mark === ',' ? { decimalMark: mark } : {}),
    ...(grouping ? { grouping } : {}),
    ...(unit ? { unit } : {}),
    ...(formed.percents > 0 ? { percent: true } : {}),
    ...(formed.scaled > 0 ? { scaled: true } : {}),
    ...(negative ? { negative } : {}),
  }
}
