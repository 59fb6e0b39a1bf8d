import type { SheetFacts } from '../xlsx/read/book.ts'
import { MemoryRows } from '../xlsx/read/memory-rows.ts'
import type { FormatTable } from '../xlsx/read/styles.ts'
import { BOOLEAN, ERROR, MAX_COLUMNS, NUMBER, type Row, STRING } from '../xlsx/read/row.ts'
import { MAX_ROWS } from '../xlsx/read/sheet-rows.ts'
import { corrupt } from '../xlsx/zip.ts'
import type { Cell, JsSheet } from './library.ts'

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

/** Provides the cells of a sheet that SheetJS has read, row by row. */
export class CellRows extends MemoryRows {
  readonly facts: SheetFacts
  private readonly data: NonNullable<JsSheet['!data']>
  private readonly source: Source

  /** @throws {EngineError} `corrupt-file` */
  constructor(source: Source) {
    const { sheet, name, bytes, signal } = source
    super(sheet['!data']?.length ?? 0, bytes, signal)
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
  }

  protected take(at: number): void {
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
    // Excel shows NaN and infinities as errors; some programs store them.
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
