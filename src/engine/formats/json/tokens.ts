import { ByteWriter, grown } from '../../../lib/bytes.ts'
import { KeyTable } from '../../columns/json/keys.ts'
import { BAD, JsonScanner, KIND, MORE, type Kind, type Scanned } from '../../columns/json/scanner.ts'
import { unescape } from '../../columns/json/text.ts'

/** With more columns than this, it isn't a table. */
export const MAX_COLUMNS = 100_000

/** Key of the column with the rows' own keys. It isn't UTF-8, so that no key can equal it. */
const ROW_KEY = Uint8Array.of(0xff)

/**
 * The values of one row: kind, start and end in the scanner's bytes for each column. They are valid until the next row
 * is scanned. A column has a value in the row if its stamp is the row's.
 */
export class RowTokens {
  readonly scanner = new JsonScanner(true)
  readonly keys = new KeyTable()
  kinds = new Uint8Array(64)
  starts = new Int32Array(64)
  ends = new Int32Array(64)
  stamps = new Float64Array(64)
  stamp = 0
  /** The columns with a value in the row, in the order of the text. */
  present = new Int32Array(64)
  count = 0
  /** Number of duplicate keys within an object; the last one counts, as with `JSON.parse`. */
  duplicates = 0
  /** Start and end of each of the row's members without a column, if they are kept. */
  readonly others: number[] = []
  keepsOthers = false
  /** Number of values in `others` that are NaN or infinite. */
  othersNotFinite = 0
  /** For each of the row's keys that has a column and is spelled with escapes: start, end, and the column. */
  readonly escaped: number[] = []
  /** Whether new keys get no column. */
  private fixed = false
  /** The column that last followed each column, to guess the next key; index 0 is for the first one of a row. */
  private successors = new Int32Array(65).fill(-1)
  private readonly scratch = new ByteWriter()

  begin(): void {
    this.stamp++
    this.count = 0
    this.others.length = 0
    this.othersNotFinite = 0
    this.escaped.length = 0
  }

  /** Makes the rows' own keys the first column. */
  addRowKeys(): void {
    this.add(ROW_KEY)
  }

  /** Whether the first column has the rows' own keys. */
  get hasRowKeys(): boolean {
    return this.keys.size > 0 && this.keys.is(0, ROW_KEY, 0, 1)
  }

  /** Adds no columns for other keys from here on. */
  fix(): void {
    this.fixed = true
  }

  put(column: number, kind: Kind, start: number, end: number): void {
    if (this.stamps[column] === this.stamp) {
      this.duplicates++
    } else {
      this.stamps[column] = this.stamp
      this.present[this.count++] = column
    }
    this.kinds[column] = kind
    this.starts[column] = start
    this.ends[column] = end
  }

  /** Makes room for this many columns. */
  reserve(columns: number): void {
    const { length } = this.kinds
    if (columns <= length) return
    const size = Math.max(columns, length * 2)
    this.kinds = grown(this.kinds, size)
    this.starts = grown(this.starts, size)
    this.ends = grown(this.ends, size)
    this.stamps = grown(this.stamps, size)
    this.present = grown(this.present, size)
    this.successors = grown(this.successors, size + 1).fill(-1, length + 1)
  }

  /** Adds a column for a key that needn't occur in the text. */
  declare(name: string): number {
    return this.add(new TextEncoder().encode(name))
  }

  /** Like `declare`, for a name in UTF-8. */
  add(text: Uint8Array): number {
    const known = this.keys.find(text, 0, text.length)
    if (known >= 0) return known
    this.reserve(this.keys.size + 1)
    return this.keys.add(text, 0, text.length)
  }

  /** Removes the columns that a row added before it turned out to be invalid. */
  forget(columns: number): void {
    if (columns >= this.keys.size) return
    this.keys.truncate(columns)
    for (let i = 0; i < this.successors.length; i++) if (this.successors[i] >= columns) this.successors[i] = -1
  }

  /**
   * Scans the object whose brace is at the scanner's position: its members are the row's values.
   * @param goesOn whether the row already has the members of another object
   */
  object(goesOn = false): Scanned {
    const { scanner, keys } = this
    const { bytes } = scanner
    const start = scanner.pos
    if (!goesOn) this.begin()
    scanner.pos++
    let previous = goesOn && this.count > 0 ? this.present[this.count - 1] : -1
    let c = bytes[scanner.pos]
    if (c <= 0x20) c = scanner.space()
    if (c === 0x7d) return this.closed(KIND.object, start)
    for (;;) {
      if (c !== 0x22) return scanner.stopped('a key in double quotes')
      const member = scanner.pos
      let column = this.successors[previous + 1]
      const quote = column < 0 ? -1 : keys.match(column, bytes, scanner.pos + 1)
      if (quote >= 0) {
        scanner.pos = quote + 1
      } else {
        const status = scanner.string()
        if (status < 0) return status
        const { start: from, end } = scanner
        column = this.columnOf(status === KIND.escaped, previous, column)
        if (status === KIND.escaped && column >= 0) this.escaped.push(from, end, column)
      }
      if (bytes[scanner.pos] === 0x3a) scanner.pos++
      else if (!scanner.colon()) return scanner.problem ? BAD : MORE
      const { notFinite } = scanner
      const kind = scanner.value()
      if (kind < 0) return kind
      if (column >= 0) {
        this.put(column, kind as Kind, scanner.start, scanner.end)
      } else if (this.keepsOthers) {
        this.others.push(member, scanner.pos)
        this.othersNotFinite += scanner.notFinite - notFinite
      }
      previous = column
      c = bytes[scanner.pos]
      if (c <= 0x20) c = scanner.space()
      if (c === 0x7d) return this.closed(KIND.object, start)
      if (c !== 0x2c) return scanner.stopped('a comma or “}”')
      c = bytes[++scanner.pos]
      if (c <= 0x20) c = scanner.space()
    }
  }

  /** Scans the array whose bracket is at the scanner's position: its items are the row's values, by position. */
  array(): Scanned {
    const { scanner } = this
    const start = scanner.pos
    this.begin()
    scanner.pos++
    if (scanner.space() === 0x5d) return this.closed(KIND.array, start)
    for (let column = 0; ; column++) {
      const kind = scanner.value()
      if (kind < 0) return kind
      if (column >= MAX_COLUMNS) return scanner.bad(scanner.start, 'The row has more items than a table has columns.')
      this.reserve(column + 1)
      this.put(column, kind as Kind, scanner.start, scanner.end)
      const c = scanner.space()
      if (c === 0x5d) return this.closed(KIND.array, start)
      if (c !== 0x2c) return scanner.stopped('a comma or “]”')
      scanner.pos++
    }
  }

  private closed(kind: Kind, start: number): Kind {
    const { scanner } = this
    scanner.pos++
    scanner.start = start
    scanner.end = scanner.pos
    return kind
  }

  /**
   * The column of the key just scanned; -1 if it has none.
   * @param previous column of the key before, -1 for none
   * @param predicted expected column, -1 for none
   */
  columnOf(escaped: boolean, previous: number, predicted: number): number {
    const { scanner, keys } = this
    let { bytes, start, end } = scanner
    if (escaped) {
      if (scanner.flaw) return -1
      this.scratch.clear()
      unescape(bytes, start, end, this.scratch)
      bytes = this.scratch.bytes
      start = 0
      end = this.scratch.length
    }
    // If a key is missing, those after it shouldn't need a search.
    const skipped = predicted < 0 ? -1 : this.successors[predicted + 1]
    if (skipped >= 0 && keys.is(skipped, bytes, start, end)) return skipped
    let column = keys.find(bytes, start, end)
    if (column < 0) {
      if (scanner.flaw || this.fixed || keys.size >= MAX_COLUMNS) return -1
      this.reserve(keys.size + 1)
      column = keys.add(bytes, start, end)
    }
    this.successors[previous + 1] = column
    return column
  }
}
