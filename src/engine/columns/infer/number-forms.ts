import type { ValueFormat } from '../../../tables/plan.ts'
import { APOSTROPHE, COMMA, POINT, SPACE } from '../separators.ts'
import { sample } from './forms.ts'
import { DECIMAL, INTEGER } from './kinds.ts'
import { NumberScanner, PARENTHESES, TRAILING } from './number-scanner.ts'
import { NumberStats, type NumberFindings } from './numbers.ts'

/** What stands before the fraction. */
export type Mark = '.' | ','

/** `NumberForms` as plain data. */
export interface FormedNumbers {
  readonly hits: number
  readonly misses: number
  readonly marks: number
  readonly groups: number
  readonly points: number
  readonly commas: number
  readonly eitherWhole: number
  readonly fewest: number
  readonly most: number
  readonly negatives: number
  readonly units: ReadonlyMap<string, number>
  readonly percents: number
  readonly scaled: number
  readonly integers: number
  readonly decimals: number
  readonly numbers: NumberFindings
  readonly example: string
}

/** So many values that are no numbers, and none that is: it's a column of texts. */
const ENOUGH = 16

/** The numbers of a column that aren't plain: how they're written, and what they come to. */
export class NumberForms {
  hits = 0
  misses = 0
  private marks = 0
  private groups = 0
  /** Values that are whole or not by what their one separator is: `1.234`, `1,234`. */
  private points = 0
  private commas = 0
  private eitherWhole = 0
  /** Digits before the first separator, of grouped numbers. */
  private fewest = 99
  private most = 0
  private negatives = 0
  private readonly units = new Map<string, number>()
  private percents = 0
  private scaled = 0
  private integers = 0
  private decimals = 0
  private readonly numbers = new NumberStats(false)
  private example = ''
  private readonly scanner = new NumberScanner()

  /** Whether it's worth to look at more values. */
  get isLikely(): boolean {
    return this.misses < ENOUGH || this.hits > this.misses
  }

  /** Takes in a text; gives whether it's a number that isn't plain. Of those that are plain nothing is kept. */
  observe(bytes: Uint8Array, start: number, end: number): boolean {
    const { scanner } = this
    if (!scanner.scan(bytes, start, end)) return false
    if (scanner.either === 0) {
      const kind = this.kind(bytes)
      if (kind === INTEGER) this.integers++
      else if (kind === DECIMAL) this.decimals++
      else return false
      this.marks |= scanner.mark
      this.groups |= scanner.group
    } else {
      if (scanner.either === POINT) this.points++
      else this.commas++
      if (scanner.first > this.eitherWhole) this.eitherWhole = scanner.first
    }
    if (scanner.first < this.fewest) this.fewest = scanner.first
    if (scanner.first > this.most) this.most = scanner.first
    this.negatives |= scanner.negative
    if (scanner.unit !== '') this.units.set(scanner.unit, (this.units.get(scanner.unit) ?? 0) + 1)
    if (scanner.percent) this.percents++
    if (scanner.scaled) this.scaled++
    if (this.hits++ === 0) this.example = sample(bytes, start, end)
    return true
  }

  /** The kind of the number that was scanned last. */
  private kind(bytes: Uint8Array): number {
    const { scanner, numbers } = this
    if (scanner.isShort) {
      return numbers.short(scanner.whole, scanner.scale, scanner.zeroFirst, scanner.zero, scanner.minus)
    }
    scanner.spell(bytes)
    return numbers.kind(scanner.plain, 0, scanner.length)
  }

  findings(): FormedNumbers {
    const { hits, misses, marks, groups, points, commas, eitherWhole, fewest, most, negatives, units } = this
    const { percents, scaled, integers, decimals, numbers, example } = this
    return {
      hits,
      misses,
      marks,
      groups,
      points,
      commas,
      eitherWhole,
      fewest,
      most,
      negatives,
      units,
      percents,
      scaled,
      integers,
      decimals,
      numbers: numbers.findings(),
      example,
    }
  }

  merge(later: FormedNumbers): void {
    if (this.hits === 0) this.example = later.example
    this.hits += later.hits
    this.misses += later.misses
    this.marks |= later.marks
    this.groups |= later.groups
    this.points += later.points
    this.commas += later.commas
    this.eitherWhole = Math.max(this.eitherWhole, later.eitherWhole)
    this.fewest = Math.min(this.fewest, later.fewest)
    this.most = Math.max(this.most, later.most)
    this.negatives |= later.negatives
    for (const [unit, count] of later.units) this.units.set(unit, (this.units.get(unit) ?? 0) + count)
    this.percents += later.percents
    this.scaled += later.scaled
    this.integers += later.integers
    this.decimals += later.decimals
    this.numbers.merge(later.numbers)
  }
}

const GROUPS: ReadonlyMap<number, ValueFormat['grouping']> = new Map([
  [POINT, '.'],
  [COMMA, ','],
  [SPACE, ' '],
  [APOSTROPHE, "'"],
])

/** All numbers of a column, plain and otherwise, by what they'd be with a mark. */
export interface ReadNumbers {
  readonly mark: Mark
  readonly format: ValueFormat
  readonly integers: number
  readonly decimals: number
  readonly numbers: NumberFindings
}

/** What plain numbers of the column there are beside. */
export interface PlainNumbers {
  readonly integers: number
  readonly decimals: number
  readonly numbers: NumberFindings
}

/** Every way in which all numbers of a column can be read: none, one, or both marks. */
export function readings(formed: FormedNumbers, plain: PlainNumbers): ReadNumbers[] {
  return (['.', ','] as const).flatMap((mark) => readWith(mark, formed, plain) ?? [])
}

function readWith(mark: Mark, formed: FormedNumbers, plain: PlainNumbers): ReadNumbers | null {
  const [own, other] = mark === '.' ? [POINT, COMMA] : [COMMA, POINT]
  const plainWhole = mark === ',' && plain.decimals > 0
  if (plainWhole && plain.numbers.ungroupable > 0) return null
  const asMark = mark === '.' ? formed.points : formed.commas
  const asGroup = (mark === '.' ? formed.commas : formed.points) + (plainWhole ? plain.decimals : 0)
  const groups = formed.groups | (asGroup > 0 ? other : 0)
  if ((formed.marks & other) !== 0 || (groups & own) !== 0) return null
  const grouping = GROUPS.get(groups)
  if ((groups !== 0 && grouping === undefined) || formed.units.size > 1) return null
  if (formed.negatives === (TRAILING | PARENTHESES)) return null
  const numbers = new NumberStats(false)
  numbers.merge(plainWhole ? groupedWhole(plain.numbers, plain.decimals) : plain.numbers)
  numbers.merge(formed.numbers)
  if (asMark > 0) numbers.merge({ ...NONE, whole: formed.eitherWhole, minScale: 3, maxScale: 3, atMaxScale: asMark })
  const wholeHere = asGroup - (plainWhole ? plain.decimals : 0)
  if (wholeHere > 0) {
    numbers.merge({ ...NONE, whole: formed.eitherWhole + 3, minScale: 0, maxScale: 0, atMaxScale: wholeHere })
  }
  return {
    mark,
    format: formatOf(mark, grouping, formed),
    integers: formed.integers + plain.integers + asGroup,
    decimals: formed.decimals + asMark + (plainWhole ? 0 : plain.decimals),
    numbers: numbers.findings(),
  }
}

const NONE = new NumberStats(false).findings()

/** Plain decimals of three digits, taken for thousands. */
function groupedWhole(numbers: NumberFindings, decimals: number): NumberFindings {
  return { ...numbers, whole: Math.max(numbers.whole, 6), minScale: 0, maxScale: 0, atMaxScale: decimals, inexact: 0 }
}

function formatOf(mark: Mark, grouping: ValueFormat['grouping'], formed: FormedNumbers): ValueFormat {
  const [unit] = formed.units.keys()
  return {
    ...(mark === ',' ? { decimalMark: mark } : {}),
    ...(grouping ? { grouping } : {}),
    ...(unit ? { unit } : {}),
    ...(formed.percents > 0 ? { percent: true } : {}),
    ...(formed.scaled > 0 ? { scaled: true } : {}),
    ...(formed.negatives === TRAILING ? { negative: 'trailing' as const } : {}),
    ...(formed.negatives === PARENTHESES ? { negative: 'parentheses' as const } : {}),
  }
}
