import { Yielder } from '../../../lib/abort.ts'
import type { SheetFacts, SheetRows } from '../xlsx/read/book.ts'
import type { FormatTable } from '../xlsx/read/styles.ts'
import { BOOLEAN, ERROR, MAX_COLUMNS, NUMBER, Row, STRING } from '../xlsx/read/row.ts'
import { MAX_ROWS } from '../xlsx/read/sheet-rows.ts'
import { corrupt } from '../xlsx/zip.ts'
import type { Cell, JsSheet } from './library.ts'

/** Rows between two looks at the clock. */
const ROWS_A_STEP = 500

const NO_NUMBER = 0x24
const ERRORS: ReadonlyMap<unknown, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [NO_NUMBER, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
])

interface Source {
  readonly sheet: JsSheet
  readonly name: string
  readonly bytes: number
  readonly formats: FormatTable
  readonly spell: (text: string) => string
  readonly onRow: (row: Row) => void
  readonly signal: AbortSignal
}

/** Hands on the cells that SheetJS read of a sheet, row by row. */
export class CellRows implements SheetRows {
  readonly facts: SheetFacts
  private readonly row = new Row()
  private readonly data: NonNullable<JsSheet['!data']>
  private readonly source: Source
  private readonly yielder: Yielder
  private at = 0
  private stopped = false

  /** @throws {EngineError} `corrupt-file` */
  constructor(source: Source) {
    const { sheet, name, signal } = source
    this.source = source
    this.data = sheet['!data'] ?? []
    if (this.data.length > MAX_ROWS)
      throw corrupt('The workbook is damaged: it has more rows than a sheet can have.', `sheet “${name}”`)
    const merges = (sheet['!merges'] ?? []).map(({ s, e }) => ({
      top: s.r + 1,
      bottom: e.r + 1,
      left: s.c,
      right: e.c,
    }))
    const hiddenColumns = (sheet['!cols'] ?? []).filter((column) => column?.hidden === true).length
    this.facts = { mergedRanges: merges.length, merges, hiddenColumns, unkept: 0 }
    this.yielder = new Yielder(signal)
  }

  get consumed(): number {
    return this.data.length === 0 ? 0 : Math.round((this.source.bytes * this.at) / this.data.length)
  }

  async step(): Promise<boolean> {
    const end = Math.min(this.data.length, this.at + ROWS_A_STEP)
    while (this.at < end && !this.stopped) this.take(this.at++)
    if (this.yielder.due) await this.yielder.yield()
    return this.at < this.data.length && !this.stopped
  }

  stop(): void {
    this.stopped = true
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  private take(at: number): void {
    const cells = this.data[at]
    if (!cells) return
    const { row, source } = this
    row.clear()
    row.number = at + 1
    row.hidden = source.sheet['!rows']?.[at]?.hidden === true
    if (cells.length > MAX_COLUMNS) {
      throw corrupt(
        `The workbook is damaged: row ${row.number} has a cell beyond column XFD.`,
        `sheet “${source.name}”`,
      )
    }
    for (const [column, cell] of cells.entries()) if (cell) this.add(column, cell)
    if (row.count > 0) source.onRow(row)
  }

  private add(column: number, { t, v, z }: Cell): void {
    if (v === undefined || v === null) return
    // What is no number Excel shows as an error; some programs store it.
    if (t === 'n' && !Number.isFinite(v)) {
      this.add(column, { t: 'e', v: NO_NUMBER })
      return
    }
    const kind = t === 'n' ? NUMBER : t === 'b' ? BOOLEAN : t === 'e' ? ERROR : STRING
    if (kind === STRING && typeof v !== 'string') return
    const { row, source } = this
    const start = row.text.length
    if (kind === STRING) row.text.text(source.spell(String(v)))
    else if (kind === BOOLEAN) row.text.text(v === true ? '1' : '0')
    else row.text.text(kind === ERROR ? (ERRORS.get(v) ?? '#ERROR') : String(v))
    row.add(column, kind, kind === NUMBER ? source.formats.of(z) : 0, start, row.text.length)
  }
}
