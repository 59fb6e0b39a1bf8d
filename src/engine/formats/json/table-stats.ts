import { printSum } from '../../../lib/bytes.ts'
import { FirstRejected, movedDown } from '../../../tables/rejected.ts'
import { columnNames, uniqueNames } from '../../../tables/names.ts'
import type {
  ColumnFlag,
  InspectedColumn,
  InspectedTable,
  JsonSettings,
  Note,
  RejectedRow,
} from '../../../tables/plan.ts'
import { JSON_TYPE, printType, VARCHAR } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import type { KeyTable } from '../../columns/json/keys.ts'
import { epochMeaning, textMeanings } from '../../columns/infer/table.ts'
import { ColumnRows } from './columns.ts'
import { columnType, textColumn, verbatimType, type InferredType } from './infer-type.ts'
import type { OpenFile } from './open.ts'
import { CELL_ESCAPED, CELL_MISSING, CELL_PLAIN } from '../../kernel/assembly/layout.ts'
import { forRowBlocks } from '../../kernel/cell-memory.ts'
import { kindOfCell, OTHERS as OTHER_MEMBERS, RowCells } from './row-cells.ts'
import { MAX_PLACES, ValueStats, Walker, type StatsState } from './stats.ts'
import { MAX_COLUMNS } from './tokens.ts'

const SHOWN = 100
/**
 * From this many keys on, a minimum share of the rows must have each on average; else the keys aren't names of columns.
 */
const MANY_KEYS = 2000
const LEAST_SHARE = 0.1
/** Even then, a key that at least this share of the rows has is a column. */
const COLUMN_SHARE = 0.05
const OTHERS = 'other keys'
/** Name of the column of the rows' own keys. */
const ROW_KEYS = 'key'

interface Duplicates {
  readonly rows: number
  readonly nested: number
}

/** Result of a pass over the rest of a file, as plain data. */
export interface RestFindings {
  readonly columns: readonly StatsState[]
  /** Keys of the columns in UTF-8, if rows are objects. */
  readonly keys: readonly Uint8Array[]
  /** Number of rows, including rejected ones. */
  readonly count: number
  readonly rejectedCount: number
  /** The first ones, numbered from the beginning of the rest. */
  readonly rejected: readonly RejectedRow[]
  /** Number of duplicate keys in rows and in nested objects. */
  readonly duplicates: Duplicates
  /** Number of rows with keys that have no column. */
  readonly withOthers: number
  /** Number of their values that are NaN or infinite. */
  readonly othersNotFinite: number
  /** Number of distinct keys in nested objects. */
  readonly places: number
  /** Text checksums of the columns, and of the members without one. */
  readonly sums: readonly bigint[]
}

/** There are too many keys for each to be a column. */
export class TooManyKeys extends Error {
  readonly keys: NonNullable<JsonSettings['keys']>
  constructor(keys: NonNullable<JsonSettings['keys']>) {
    super('too many keys')
    this.keys = keys
  }
}

/** Statistics of all rows. */
export class TableStats {
  private readonly batch: RowCells
  private readonly walker: Walker
  private readonly stats: ValueStats[] = []
  /** Text checksums found by another thread, of columns and of members without one. */
  private readonly otherSums: bigint[] = []
  private otherMembers = 0n
  private taken = 0
  /** Counts from another thread. */
  private otherDuplicates: Duplicates = { rows: 0, nested: 0 }
  private withOthers = 0
  private othersNotFinite = 0
  private rejectedCount = 0
  private readonly rejected = new FirstRejected(SHOWN)

  constructor(open: OpenFile) {
    this.batch = new RowCells(open, { sums: true, keep: SHOWN })
    this.walker = new Walker(open.rows.tokens.scanner)
  }

  private get keys(): KeyTable {
    return this.batch.rows.tokens.keys
  }

  private get duplicates(): Duplicates {
    const { batch, walker, otherDuplicates: other } = this
    return { rows: batch.rows.tokens.duplicates + other.rows, nested: walker.duplicates + other.nested }
  }

  /** Number of rows so far, including rejected ones. */
  get count(): number {
    return this.taken + this.rejectedCount
  }

  /** Processes the rows up to the end or the cut. */
  async run(open: OpenFile): Promise<void> {
    const { batch } = this
    while (await batch.next()) {
      this.take()
      this.rejected.add(batch.rejected)
      this.rejectedCount += batch.rejectedCount
      await open.yieldIfDue()
    }
    this.othersNotFinite += batch.othersNotFinite
    this.checkKeys()
  }

  findings(): RestFindings {
    const { count, rejectedCount, duplicates, withOthers, othersNotFinite, walker, keys, batch } = this
    const columns = this.stats.map((stats) => stats.state)
    return {
      columns,
      keys: keys.all,
      count,
      rejectedCount,
      rejected: this.rejected.rows,
      duplicates,
      withOthers,
      othersNotFinite,
      places: walker.places,
      sums: batch.takeSums([...columns.keys(), OTHER_MEMBERS]),
    }
  }

  /** Whether `merge` gives the same result as a single thread. */
  canMerge({ columns, keys, places }: RestFindings): boolean {
    if (this.walker.places + places > MAX_PLACES) return false
    return columns.every((column, i) => (this.stats[this.indexOf(keys, i)] ?? new ValueStats()).canMerge(column))
  }

  /** Adds what another thread found in the rest of the file. */
  merge(rest: RestFindings): void {
    const { count, otherSums } = this
    const { lines, tokens } = this.batch.rows
    for (const [i, column] of rest.columns.entries()) {
      const known = this.indexOf(rest.keys, i)
      const index = known >= 0 ? known : tokens.add(rest.keys[i])
      while (index >= this.stats.length) this.grow()
      this.stats[index].merge(column, count)
      otherSums[index] = rest.sums[i]
    }
    this.otherMembers = rest.sums.at(-1) ?? 0n
    this.rejected.add(rest.rejected.map((row) => movedDown(row, count, lines)))
    this.taken += rest.count - rest.rejectedCount
    this.rejectedCount += rest.rejectedCount
    this.otherDuplicates = rest.duplicates
    this.withOthers += rest.withOthers
    this.othersNotFinite += rest.othersNotFinite
    this.checkKeys()
  }

  /** The column that the other thread knows as column `i`; -1 if it's new. */
  private indexOf(keys: readonly Uint8Array[], i: number): number {
    const key = keys[i]
    return key ? this.keys.find(key, 0, key.length) : i
  }

  private take(): void {
    const { batch, walker, stats } = this
    const { cells, count, columns, first, others } = batch
    cells.setRows(first.subarray(0, count))
    const { bytes } = cells
    this.taken += count
    this.withOthers += others.size
    const before = stats.length
    while (columns > stats.length) this.grow()
    walker.scanner.reset(bytes, 0, batch.rows.window.limit, true)
    forRowBlocks(count, columns, (from, to) => {
      for (let column = 0; column < columns; column++) this.observe(column, from, to)
    })
    // Check only when the number has doubled, so that it costs no time.
    if (Math.clz32(stats.length) < Math.clz32(before)) this.checkKeys()
  }

  /** Lets the column's statistics see its values. The kernel skips those that resemble the ones before. */
  private observe(column: number, from: number, to: number): void {
    const { walker } = this
    const { cells, first, numbers } = this.batch
    const { bytes, kinds, starts, ends } = cells
    const found = this.stats[column]
    for (let row = from; row < to; row++) {
      const at = first[row] + column
      const kind = kinds[at]
      if (kind === CELL_MISSING) continue
      if (kind <= CELL_ESCAPED) {
        const after = found.pass(kind !== CELL_PLAIN, cells, column, row, to)
        if (after > row) {
          row = after - 1
          continue
        }
      }
      walker.observe(found, kindOfCell(kind, bytes, starts[at]), starts[at], ends[at], numbers[row])
    }
  }

  private grow(): void {
    if (this.stats.length >= MAX_COLUMNS - 1) {
      throw tooManyColumns(`The objects have more than ${MAX_COLUMNS.toLocaleString('en-US')} different keys.`)
    }
    this.stats.push(new ValueStats())
  }

  /**
   * In a table, most rows have most columns. If keys are ids or otherwise ever new, a column for each would hold next
   * to nothing and exhaust memory.
   * @throws {TooManyKeys} with the keys that are columns nevertheless
   */
  private checkKeys(): void {
    const { stats, taken } = this
    if (stats.length < MANY_KEYS) return
    const counts = stats.map(({ count, nulls }) => count + nulls)
    if (counts.reduce((sum, count) => sum + count, 0) >= stats.length * taken * LEAST_SHARE) return
    const { keys } = this
    if (keys.size === 0) {
      throw tooManyColumns(
        `Most rows have far fewer items than the longest one, of ${stats.length.toLocaleString('en-US')}.`,
      )
    }
    const columns = counts.flatMap((count, i) => (count >= taken * COLUMN_SHARE ? [this.nameOf(i)] : []))
    throw new TooManyKeys({ columns, others: uniqueNames([...columns, OTHERS])[columns.length] })
  }

  /** The name of a column of objects. */
  private nameOf(index: number): string {
    const { keys } = this
    if (index > 0 || !this.batch.rows.tokens.hasRowKeys) return keys.name(index)
    const taken = keys.all.slice(1).map((_, i) => keys.name(i + 1))
    return uniqueNames([...taken, ROW_KEYS])[taken.length]
  }

  table(settings: JsonSettings, header: readonly string[] | null, noted: readonly Note[]): InspectedTable {
    this.refuseEmpty()
    const { keys } = this
    const { rows: shape } = settings
    const known = settings.layout === 'columns' ? keys.size : (header?.length ?? 0)
    while (this.stats.length < known) this.grow()
    const name = (index: number): string =>
      shape === 'values' ? 'value' : shape === 'arrays' ? (header?.[index] ?? '') : this.nameOf(index)
    const sources = this.stats.map((_, index) => name(index))
    if (settings.keys) sources.push(settings.keys.others)
    const names = columnNames(sources)
    const sums = this.batch.takeSums([...this.stats.keys(), OTHER_MEMBERS])
    const concluded = this.stats.map((stats) => columnType(stats))
    const meanings = textMeanings(
      this.stats.map((stats, i) => textColumn(stats, concluded[i])),
      names,
    )
    const epochs = this.stats.map(({ onlyNumbers }) => onlyNumbers && epochMeaning(onlyNumbers))
    const columns = sources.map((source, index) => ({
      index,
      source,
      name: names[index],
      ...this.column(this.stats[index], concluded[index], names[index] !== source),
      ...(epochs[index] ?? meanings[index]),
      checksum: printSum(sums[index] + (index < this.stats.length ? (this.otherSums[index] ?? 0n) : this.otherMembers)),
    }))
    return {
      name: null,
      columns,
      rows: this.taken,
      rejectedCount: this.rejectedCount,
      rejected: this.rejected.rows,
      notes: [...noted, ...this.notes(settings), ...this.nonFinite(names)],
    }
  }

  /** @param stats of the column's values; undefined for the keys without a column */
  private column(
    stats: ValueStats | undefined,
    concluded: InferredType | undefined,
    renamed: boolean,
  ): Omit<InspectedColumn, 'index' | 'source' | 'name'> {
    const added: ColumnFlag[] = renamed ? ['renamed'] : []
    if (!stats || !concluded) {
      const reason = 'The keys that hardly any row has, with their values: an object a row.'
      const nulls = this.taken - this.withOthers
      if (this.othersNotFinite === 0) return { type: printType(JSON_TYPE), reason, flags: ['nested', ...added], nulls }
      const why = `${reason} They are text, since JSON has no NaN and no infinity.`
      return { type: printType(VARCHAR), reason: why, flags: ['as-text', ...added], nulls }
    }
    const verbatim = verbatimType(stats, concluded, stats.count + stats.nulls < this.taken)
    return {
      type: printType(concluded.type),
      reason: concluded.reason,
      flags: [...concluded.flags, ...added],
      nulls: this.taken - stats.count,
      ...(verbatim ? { verbatim: printType(verbatim) } : {}),
    }
  }

  private refuseEmpty(): void {
    if (this.withOthers > 0) return
    if (this.stats.length > 0 || this.keys.size > 0) return
    const [first] = this.rejected.rows
    if (first) {
      throw new EngineError('corrupt-file', `No row of the file can be read. ${first.message}`, {
        ...(first.line === null ? {} : { place: `line ${first.line.toLocaleString('en-US')}` }),
        remedy: 'Mend the file, or write it again with the program that made it.',
        details: { rejected: this.rejected.rows },
      })
    }
    const what = this.taken > 0 ? 'its rows are empty objects' : 'it has no rows'
    throw new EngineError('empty-file', `There is no table in the file: ${what}.`, {
      remedy: 'Check that the export that made it was finished.',
    })
  }

  private nonFinite(names: readonly string[]): Note[] {
    const counts = [...this.stats.map(({ nonFinite }) => nonFinite), this.othersNotFinite]
    return counts.flatMap((count, i) => {
      const message = `JSON has no NaN and no infinity, but Python writes them. They are read as ${i < this.stats.length ? 'numbers' : 'text'}.`
      return count > 0 ? [{ code: 'not-finite', message, column: names[i], count }] : []
    })
  }

  private notes({ keys }: JsonSettings): Note[] {
    const notes: Note[] = []
    const { rows: source } = this.batch
    if (source.tokens.hasRowKeys) {
      const message = `The rows have keys in the file (“key”: {…}): they are the column “${this.nameOf(0)}”. As JSON, the rows are written as an array or as lines.`
      notes.push({ code: 'row-keys', message, column: this.nameOf(0) })
    } else if (source instanceof ColumnRows && source.hasNumbers) {
      notes.push({ code: 'row-numbers', message: 'The rows’ numbers in the file, from 0, are left out.' })
    }
    if (keys) {
      const message = `The objects have too many different keys for each to be a column: those that few rows have are together in “${keys.others}”.`
      notes.push({ code: 'many-keys', message, column: keys.others, count: this.withOthers })
    }
    const { rows, nested } = this.duplicates
    if (rows > 0) {
      notes.push({ code: 'duplicate-keys', message: 'Some rows have a key twice; the last value counts.', count: rows })
    }
    if (nested > 0) {
      const message = 'Some nested objects have a key twice: JSON keeps both values, structs have the last.'
      notes.push({ code: 'duplicate-keys-within', message, count: nested })
    }
    return notes
  }
}

function tooManyColumns(message: string): EngineError {
  return new EngineError('too-large', message, {
    remedy: 'A table can’t have so many columns. Write the keys as values: {"key": ..., "value": ...}.',
  })
}
