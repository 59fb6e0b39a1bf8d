import { scalar, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { sizeIn } from '../sizes.ts'
import { all, quote, type ColumnStats, type FormattedNumbers, type InferredType } from './column-stats.ts'
import * as kinds from './kinds.ts'
import { sample } from './spellings.ts'

/** Counts sizes such as `1.5G`, until another text comes. */
export class SizeStats {
  hits = 0
  misses = 0
  sure = 0
  formed = 0
  whole = 0
  scale = 0
  example = ''

  get isLikely(): boolean {
    return this.misses === 0
  }

  observe(bytes: Uint8Array, start: number, end: number): void {
    const size = sizeIn(bytes, start, end)
    if (!size) {
      this.misses++
      return
    }
    const [whole, fraction = ''] = size.plain.split('.')
    this.whole = Math.max(this.whole, whole.length)
    this.scale = Math.max(this.scale, fraction.length)
    if (size.isSure && this.sure++ === 0) this.example = sample(bytes, start, end)
    if (size.isFormed) this.formed++
    this.hits++
  }

  merge(later: FormattedNumbers['sizes']): void {
    this.hits += later.hits
    this.misses += later.misses
    this.sure += later.sure
    this.formed += later.formed
    this.whole = Math.max(this.whole, later.whole)
    this.scale = Math.max(this.scale, later.scale)
    this.example ||= later.example
  }
}

/** Digits that a BIGINT always holds, and most digits of a number. */
const BIGINT_DIGITS = 18
const MOST_DIGITS = 38

/** The type of a column of sizes, some of which can be nothing else. As numbers of bytes they are only proposed. */
export function sizeType({ counts, numbers, formattedNumbers }: ColumnStats, count: number): InferredType | null {
  const { sizes, units } = formattedNumbers
  if (sizes.sure === 0 || sizes.misses > 0 || sizes.hits + counts[kinds.INTEGER] < count || numbers.negative)
    return null
  // One measure in all values is dropped as others are: 512 MiB.
  if (units.size === 1 && [...units.values()][0] === count) return null
  const whole = Math.max(sizes.whole, numbers.whole)
  if (whole + sizes.scale > MOST_DIGITS) return null
  const integer = scalar(whole > BIGINT_DIGITS ? 'HUGEINT' : 'BIGINT')
  const type: ColumnType =
    sizes.scale === 0 ? integer : { kind: 'decimal', width: whole + sizes.scale, scale: sizes.scale }
  const from = sizes.example
  const reason = `${all(count, 'sizes', 'a size')}, such as ${quote(from)}. They stay text until you choose.`
  const words = (value: string): string => `${value} bytes (K is 1,024, M is 1,024 K)`
  // 4G and 5G alone may be codes.
  const ambiguous = sizes.formed === 0
  return { type: VARCHAR, reason, choices: [{ code: 'sizes', type, format: { sizes: true }, from, words, ambiguous }] }
}
