import { ByteWriter } from '../../../lib/bytes.ts'
import { skipAlike } from '../../columns/cells/skip-alike.ts'
import { ColumnInference } from '../../columns/infer/column-inference.ts'
import type { ColumnStats } from '../../columns/infer/column-stats.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'
import { SPECIAL } from '../../columns/infer/kinds.ts'
import { KeyTable } from '../../columns/json/keys.ts'
import { isNonFinite, KIND, type JsonScanner } from '../../columns/json/scanner.ts'
import { unescape } from '../../columns/json/text.ts'

/** Maximum number of keys in nested objects; objects with more aren't structs. */
const MAX_FIELDS = 1000
/** The same for all nested objects together. */
export const MAX_PLACES = 50_000

/** The result of `ValueStats`, as plain data. */
export interface StatsState {
  readonly counts: readonly number[]
  readonly firstRows: readonly number[]
  readonly nulls: number
  readonly numbers: ColumnStats | null
  readonly strings: ColumnStats | null
  readonly items: StatsState | null
  readonly fields: FieldsState | null
}

interface FieldsState {
  readonly keys: readonly Uint8Array[]
  readonly values: readonly StatsState[]
  readonly rest: boolean
  readonly members: number
}

/** Groups of values, where all values of a group have a common type. */
export const GROUPS = ['booleans', 'numbers', 'strings', 'objects', 'lists'] as const

/** The index of strings in `GROUPS`. */
export const STRINGS = 2

/** Statistics of all values in one place: a column, a key of an object, or the items of a list. */
export class ValueStats {
  /** Number of non-null values in each group. */
  readonly counts = [0, 0, 0, 0, 0]
  /** Row of the first value of each group, from 1. */
  readonly firstRows = [0, 0, 0, 0, 0]
  nulls = 0
  numbers: ColumnInference | null = null
  strings: ColumnInference | null = null
  items: ValueStats | null = null
  fields: FieldStats | null = null

  get count(): number {
    const [a, b, c, d, e] = this.counts
    return a + b + c + d + e
  }

  /** Of its numbers, if it has no other values. */
  get onlyNumbers(): ColumnStats | null {
    return this.numbers && this.counts[1] === this.count ? this.numbers.stats() : null
  }

  /** Number of values that are NaN or infinite, also within others. */
  get nonFinite(): number {
    const { numbers, items, fields } = this
    const within = [items, fields?.rest, ...(fields?.values ?? [])]
    return within.reduce((sum, each) => sum + (each?.nonFinite ?? 0), numbers?.stats().counts[SPECIAL] ?? 0)
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
      this.numbers ??= new ColumnInference('json')
      this.numbers.seekRow(row)
      if (isNonFinite(bytes, start)) this.numbers.observeKind(SPECIAL, bytes, start, end)
      else this.numbers.observeNumber(bytes, start, end)
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

  /** Like `skipAlike`, for cells without nested values, of which the first tells whether they are strings. */
  pass(isString: boolean, cells: CellMemory, column: number, from: number, to: number): number {
    const inference = isString ? this.strings : this.numbers
    const after = inference ? skipAlike(inference, cells, column, from, to) : from
    this.counts[isString ? 2 : 1] += after - from
    return after
  }

  private stringsAt(row: number): ColumnInference {
    this.strings ??= new ColumnInference()
    this.strings.seekRow(row)
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

  get state(): StatsState {
    const { counts, firstRows, nulls, numbers, strings, items, fields } = this
    return {
      counts,
      firstRows,
      nulls,
      numbers: numbers && numbers.stats(),
      strings: strings && strings.stats(),
      items: items && items.state,
      fields: fields && fields.state,
    }
  }

  /** Whether `merge` gives the same result as a single thread; not if there are too many keys. */
  canMerge({ items, fields }: StatsState): boolean {
    return (
      (!items || (this.items ?? NO_STATS).canMerge(items)) && (!fields || (this.fields ?? NO_FIELDS).canMerge(fields))
    )
  }

  /** Adds the statistics of later rows. */
  merge(later: StatsState, rowsBefore: number): void {
    for (const [group, count] of later.counts.entries()) {
      if (count > 0 && this.counts[group] === 0) this.firstRows[group] = rowsBefore + later.firstRows[group]
      this.counts[group] += count
    }
    this.nulls += later.nulls
    if (later.numbers) (this.numbers ??= new ColumnInference('json')).merge(later.numbers, rowsBefore)
    if (later.strings) (this.strings ??= new ColumnInference()).merge(later.strings, rowsBefore)
    if (later.items) (this.items ??= new ValueStats()).merge(later.items, rowsBefore)
    if (later.fields) (this.fields ??= new FieldStats()).merge(later.fields, rowsBefore)
  }
}

/** Statistics of the members of all objects in one place. */
export class FieldStats {
  readonly keys = new KeyTable()
  readonly values: ValueStats[] = []
  /** Statistics of members whose keys exceed the maximum. */
  rest: ValueStats | null = null
  /** Number of members in all objects. */
  members = 0
  private readonly stamps: number[] = []
  private stamp = 0

  begin(): void {
    this.stamp++
  }

  get state(): FieldsState {
    const { keys, values, rest, members } = this
    return { keys: keys.all, values: values.map((value) => value.state), rest: rest !== null, members }
  }

  canMerge({ keys, values, rest }: FieldsState): boolean {
    if (rest || this.rest) return false
    const indexes = keys.map((key) => this.keys.find(key, 0, key.length))
    const added = indexes.filter((index) => index < 0).length
    if (this.values.length + added > MAX_FIELDS) return false
    return indexes.every((index, i) => (index < 0 ? NO_STATS : this.values[index]).canMerge(values[i]))
  }

  merge({ keys, values, members }: FieldsState, rowsBefore: number): void {
    this.members += members
    for (const [i, key] of keys.entries()) {
      let index = this.keys.find(key, 0, key.length)
      if (index < 0) index = this.add(key, 0, key.length)
      this.values[index].merge(values[i], rowsBefore)
    }
  }

  private add(bytes: Uint8Array, start: number, end: number): number {
    this.values.push(new ValueStats())
    this.stamps.push(0)
    return this.keys.add(bytes, start, end)
  }

  /** The statistics of a key, where `expected` is the likely one. */
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
        if (this.values.length >= MAX_FIELDS || walker.places >= MAX_PLACES) {
          this.rest ??= new ValueStats()
          return -1
        }
        walker.places++
        index = this.add(bytes, start, end)
      }
    }
    if (this.stamps[index] === this.stamp) walker.duplicates++
    this.stamps[index] = this.stamp
    return index
  }
}

const NO_STATS = new ValueStats()
const NO_FIELDS = new FieldStats()

/** Adds values that the scanner has validated to the statistics, including everything nested in them. */
export class Walker {
  readonly scanner: JsonScanner
  readonly scratch = new ByteWriter()
  /** Number of duplicate keys in nested objects. */
  duplicates = 0
  /** Number of distinct keys in nested objects. */
  places = 0

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
