import { EngineError } from '../../../errors.ts'
import { type Range, rangeOf } from '../../../../tables/range.ts'
import { BlockScout } from '../../layout/blocks.ts'
import type { SampleRow } from '../../layout/cells.ts'
import { readXml } from '../xml/part.ts'
import type { ZipArchive } from '../zip.ts'
import type { DefinedTable } from './book.ts'
import { readRelations } from '../xml/relations.ts'
import type { Row } from './row.ts'

/** A table has up to 16,384 columns, each with some hundred bytes. */
const MAX_PART = 16 * 1024 * 1024
/** If a sheet has more tables, all are ignored. */
const MAX_TABLES = 500

/**
 * Reads the tables defined on a sheet, from top to bottom. Damaged ones are ignored, since the rows don't depend on
 * them.
 * @param part of the sheet
 */
export async function readDefinedTables(
  zip: ZipArchive,
  part: string,
  signal: AbortSignal,
): Promise<readonly DefinedTable[]> {
  const tables: DefinedTable[] = []
  try {
    const found = (await readRelations(zip, part, signal)).filter(({ type }) => type.endsWith('/table'))
    if (found.length > MAX_TABLES) return []
    for (const { path } of found) {
      const entry = zip.entries.get(path.toLowerCase())
      if (!entry) continue
      const open = (name: string, attributes: ReadonlyMap<string, string>): void => {
        const table = name === 'table' ? tableOf(attributes) : null
        if (table) tables.push(table)
      }
      await readXml(zip, entry, MAX_PART, { open }, signal)
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
  return tables.toSorted((a, b) => a.range.top - b.range.top || a.range.left - b.range.left)
}

function tableOf(attributes: ReadonlyMap<string, string>): DefinedTable | null {
  const range = rangeOf(attributes.get('ref') ?? '')
  const header = Number(attributes.get('headerRowCount') ?? 1)
  const totals = Number(attributes.get('totalsRowCount') ?? 0)
  const rows = range ? range.bottom - range.top + 1 - header - totals : 0
  if (!range || !Number.isFinite(range.right) || !(header >= 0 && header <= 1) || !(totals >= 0) || !(rows >= 0))
    return null
  return {
    name: attributes.get('displayName') ?? attributes.get('name') ?? '',
    range,
    hasHeader: header === 1,
    totals,
  }
}

/** Names given by Excel itself: `Table1`, `Tabelle2`. */
const GIVEN =
  /^(table|tabelle|tableau|tabla|tabela|tabella|tabel|tabell|taulukko|tabulka|táblázat|tablo|таблица|テーブル|表|표)_?\d+$/iu

/** A table's place on a sheet, from its definition or found in the rows outside. */
interface TableOnSheet {
  readonly title: string
  readonly range: Range
  readonly defined?: DefinedTable
}

/** Compares a sheet's rows with the tables defined on it. */
export class DefinedTables {
  /**
   * Whether rows continue below a table's end, or cells are directly beside one: other programs add these without
   * updating the definition.
   */
  private isLoose = false
  private readonly beside = new BlockScout(true)
  private readonly titles = new Map<number, string>()
  private last = 0
  private readonly tables: readonly DefinedTable[]

  constructor(tables: readonly DefinedTable[]) {
    this.tables = tables
  }

  /** The table, if it's the only one on the sheet. */
  get only(): DefinedTable | undefined {
    return this.tables.length === 1 ? this.tables[0] : undefined
  }

  /** @param sample creates a copy of the row */
  take(row: Row, sample: () => SampleRow): void {
    if (this.tables.length === 0 || this.isLoose) return
    const { number } = row
    const near = this.tables.filter(({ range }) => number >= range.top && number <= range.bottom + 1)
    const outside: number[] = []
    for (let slot = 0; slot < row.count; slot++) {
      const column = row.column[slot]
      if (near.some(({ range }) => isWithin(range, number, column))) continue
      outside.push(column)
      this.isLoose ||= near.some(({ range }) => adjoins(range, number, column))
    }
    if (outside.length === 0) return
    const cells = (): SampleRow => ({ number, cells: sample().cells.filter(({ column }) => outside.includes(column)) })
    if (outside.length === 1 && this.tables.some(({ range }) => range.top > number && range.top <= number + 2)) {
      const [cell] = cells().cells
      if (cell?.kind === 'text') this.titles.set(number, cell.text.trim())
    }
    this.beside.take({ number, follows: number <= this.last + 1, columns: outside, count: outside.length }, cells)
    this.last = number
  }

  /** The sheet's tables, and remarks outside them; null if definitions don't account for all rows. */
  found(): { readonly tables: readonly TableOnSheet[]; readonly remarks: readonly string[] } | null {
    if (this.tables.length === 0 || this.isLoose) return null
    const beside = this.beside.outside(this.tables.map(({ range }) => range))
    if (!beside) return null
    const tables = [
      ...this.tables.map((defined) => ({ title: this.titleOf(defined), range: defined.range, defined })),
      ...beside.parts,
    ]
    return { tables: tables.toSorted((a, b) => a.range.top - b.range.top), remarks: beside.remarks }
  }

  /** The name that the person gave the table, or a text above it. */
  private titleOf({ name, range }: DefinedTable): string {
    if (!GIVEN.test(name)) return name
    return this.titles.get(range.top - 1) ?? this.titles.get(range.top - 2) ?? name
  }
}

const isWithin = (range: Range, row: number, column: number): boolean =>
  row >= range.top && row <= range.bottom && column >= range.left && column <= range.right

/** Whether a cell is directly below a table, or directly beside it. */
const adjoins = (range: Range, row: number, column: number): boolean =>
  row <= range.bottom
    ? row >= range.top && (column === range.right + 1 || column === range.left - 1)
    : row === range.bottom + 1 && column >= range.left && column <= range.right
