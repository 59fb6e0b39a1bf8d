import { ByteWriter } from '../../../lib/bytes.ts'
import { ColumnInference } from '../../infer/column-inference.ts'
import { KeyTable } from './keys.ts'
import { JsonNumbers } from './numbers.ts'
import { KIND, type JsonScanner } from './scanner.ts'
import { unescape } from './text.ts'

/** Keys of nested objects that are told apart; objects with more are no structs. */
const MAX_FIELDS = 1000

/** The groups that values fall into; those of one group have a type in common. */
export const GROUPS = ['booleans', 'numbers', 'strings', 'objects', 'lists'] as const

/** What all values at one place of the rows are like: of a column, of an object's key, of a list's items. */
export class ValueStats {
  /** Values that aren't null, by group. */
  readonly counts = [0, 0, 0, 0, 0]
  /** Row of the first value of each group, from 1. */
  readonly firstRows = [0, 0, 0, 0, 0]
  nulls = 0
  numbers: JsonNumbers | null = null
  strings: ColumnInference | null = null
  items: ValueStats | null = null
  fields: FieldStats | null = null
  /** Rows that `strings` has been told of, so that it names rows rightly. */
  private told = 0

  get count(): number {
    const [a, b, c, d, e] = this.counts
    return a + b + c + d + e
  }

  private saw(group: number, row: number): void {
    if (this.counts[group]++ === 0) this.firstRows[group] = row
  }

  scalar(walker: Walker, kind: number, start: number, end: number, row: number): void {
    const { bytes } = walker.scanner
    if (kind === KIND.string) {
      this.saw(2, row)
      this.stringsAt(row).observe(bytes, start, end)
    } else if (kind === KIND.integer || kind === KIND.decimal) {
      this.saw(1, row)
      this.numbers ??= new JsonNumbers()
      this.numbers.observe(bytes, start, end, kind)
    } else if (kind === KIND.escaped) {
      this.saw(2, row)
      const { scratch } = walker
      scratch.clear()
      unescape(bytes, start, end, scratch)
      this.stringsAt(row).observe(scratch.bytes, 0, scratch.length)
    } else if (kind === KIND.null) {
      this.nulls++
    } else {
      this.saw(0, row)
    }
  }

  private stringsAt(row: number): ColumnInference {
    this.strings ??= new ColumnInference({ numbers: false, booleans: false })
    for (; this.told < row - 1; this.told++) this.strings.skipRow()
    this.told++
    return this.strings
  }

  list(row: number): ValueStats {
    this.saw(4, row)
    this.items ??= new ValueStats()
    return this.items
  }

  object(row: number): FieldStats {
    this.saw(3, row)
    this.fields ??= new FieldStats()
    return this.fields
  }
}

/** The members of all objects at one place. */
export class FieldStats {
  readonly keys = new KeyTable()
  readonly values: ValueStats[] = []
  /** Members that came when there were too many keys to tell apart. */
  rest: ValueStats | null = null
  /** Members in all objects. */
  members = 0
  private readonly stamps: number[] = []
  private stamp = 0

  begin(): void {
    this.stamp++
  }

  /** The statistics of a key, `expected` being the likely one. */
  at(walker: Walker, escaped: boolean, expected: number): number {
    const { scanner, scratch } = walker
    let { bytes, start, end } = scanner
    if (escaped) {
      scratch.clear()
      unescape(bytes, start, end, scratch)
      bytes = scratch.bytes
      start = 0
      end = scratch.length
    }
    this.members++
    let index = expected
    if (index >= this.values.length || !this.keys.is(index, bytes, start, end)) {
      index = this.keys.find(bytes, start, end)
      if (index < 0) {
        if (this.values.length >= MAX_FIELDS) {
          this.rest ??= new ValueStats()
          return -1
        }
        index = this.keys.add(bytes, start, end)
        this.values.push(new ValueStats())
        this.stamps.push(0)
      }
    }
    if (this.stamps[index] === this.stamp) walker.duplicates++
    this.stamps[index] = this.stamp
    return index
  }
}

/** Takes values that the scanner has found to be valid into statistics, with all that is in them. */
export class Walker {
  readonly scanner: JsonScanner
  readonly scratch = new ByteWriter()
  /** Keys that came twice in one nested object. */
  duplicates = 0

  constructor(scanner: JsonScanner) {
    this.scanner = scanner
  }

  observe(stats: ValueStats, kind: number, start: number, end: number, row: number): void {
    if (kind < KIND.object) {
      stats.scalar(this, kind, start, end, row)
    } else {
      this.scanner.pos = start
      this.walk(stats, row)
    }
  }

  private walk(stats: ValueStats, row: number): void {
    const { scanner } = this
    const c = scanner.space()
    if (c === 0x7b) {
      this.walkObject(stats.object(row), row)
    } else if (c === 0x5b) {
      this.walkList(stats.list(row), row)
    } else {
      const kind = scanner.value()
      stats.scalar(this, kind, scanner.start, scanner.end, row)
    }
  }

  private walkList(items: ValueStats, row: number): void {
    const { scanner } = this
    scanner.pos++
    if (scanner.space() === 0x5d) {
      scanner.pos++
      return
    }
    let c: number
    do {
      this.walk(items, row)
      c = scanner.space()
      scanner.pos++
    } while (c === 0x2c)
  }

  private walkObject(fields: FieldStats, row: number): void {
    const { scanner } = this
    fields.begin()
    scanner.pos++
    let c = scanner.space()
    if (c === 0x7d) {
      scanner.pos++
      return
    }
    let index = -1
    do {
      const status = scanner.key(scanner.space())
      index = fields.at(this, status === KIND.escaped, index + 1)
      this.walk(fields.values[index] ?? fields.rest ?? new ValueStats(), row)
      c = scanner.space()
      scanner.pos++
    } while (c === 0x2c)
  }
}
