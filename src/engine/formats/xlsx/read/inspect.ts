import type { FormatId } from '../../../../contract/formats.ts'
import { formatCount } from '../../../../lib/counts.ts'
import type { Inspection, Note, Proposal } from '../../../../tables/plan.ts'
import { named, type ReadSettings, type XlsxSettings } from '../../../../tables/settings.ts'
import { TextSums } from '../../../kernel/text-sums.ts'
import { BlockScout, type Part, tablesProposal } from '../../layout/blocks.ts'
import { totalProposal, unnamedTotalProposal } from '../../layout/ends.ts'
import { NO_SUBTOTALS, type Subtotals, subtotalsProposal, wrongSubtotalsNote } from '../../layout/subtotals.ts'
import type { SampleRow } from '../../layout/cells.ts'
import type { EngineContext } from '../../types.ts'
import { CellText } from './text/cell-text.ts'
import { type DefinedTable, freeName, type Sheet, type SheetFacts, type Workbook } from './book.ts'
import { DefinedTables } from './defined-tables.ts'
import { printRange, type Range } from '../../../../tables/range.ts'
import type { Row } from './row.ts'
import { allMerges } from './merged-values.ts'
import {
  completeSettings,
  definedSettings,
  repeatsMerged,
  type TableFound,
  type TableSettings,
  tableSettings,
  xlsxSettings,
} from './settings.ts'
import { SheetInspector } from './sheet-inspector.ts'
import { sampleRow, TableRows } from './table-rows.ts'
import { SubtotalRows, TotalCheck } from './total-check.ts'

/**
 * Inspects all rows of all sheets: header rows, columns with types that hold for all values, and notes. A sheet is read
 * again if it has several tables, remarks after its table, or a row that looks like a total.
 * @throws {EngineError}
 */
export async function inspectWorkbook(
  workbook: Workbook,
  format: FormatId,
  given: Partial<ReadSettings>,
  context: EngineContext,
): Promise<Inspection> {
  const settings = xlsxSettings(given)
  const sums = new TextSums()
  const found: TableFound[] = []
  const names = new Set(workbook.sheets.map(({ name }) => name))
  const before = { bytes: 0, rows: 0 }
  let { unkept } = workbook.strings
  for (const sheet of workbook.sheets) {
    const reading = new SheetReading(workbook, sheet, settings, { sums, names, context, before: { ...before } })
    const tables = await reading.inspect()
    found.push(...tables)
    unkept += reading.unkept
    before.bytes += sheet.bytes
    before.rows += tables.reduce((rows, { table }) => rows + table.rows, 0)
    context.progress(before)
  }
  return {
    format,
    settings: completeSettings(settings, found),
    tables: found.map(({ table }) => table),
    notes: [...workbook.notes, ...unkeptNote(unkept)],
  }
}

/** Excel drops white space that isn't marked with `xml:space`; other programs and we keep it. */
function unkeptNote(texts: number): Note[] {
  if (texts === 0) return []
  const [have, dont] = texts === 1 ? ['1 text has', 'it'] : [`${formatCount(texts)} texts have`, 'them']
  return [
    {
      code: 'outer-spaces',
      message: `${have} spaces or line breaks at an end that Excel doesn’t show: the file doesn’t mark ${dont} to be kept. They are read all the same.`,
      count: texts,
    },
  ]
}

interface Shared {
  readonly sums: TextSums
  /** Names of tables that are already used. */
  readonly names: Set<string>
  readonly context: EngineContext
  /** Totals of the sheets before this one. */
  readonly before: { readonly bytes: number; readonly rows: number }
}

/** A table's name, and its place on the sheet: null if it's the only one. */
interface TablePlace extends Pick<Part, 'footers'> {
  readonly name: string
  readonly range: Range | null
  readonly defined?: DefinedTable
}

/** Longer titles are cut to make names. */
const MAX_NAME = 60

/** Finds and inspects the tables of one sheet. */
class SheetReading {
  unkept = 0
  private readonly workbook: Workbook
  private readonly sheet: Sheet
  private readonly settings: XlsxSettings
  private readonly shared: Shared

  constructor(workbook: Workbook, sheet: Sheet, settings: XlsxSettings, shared: Shared) {
    this.workbook = workbook
    this.sheet = sheet
    this.settings = settings
    this.shared = shared
  }

  async inspect(): Promise<TableFound[]> {
    const { name } = this.sheet
    const scout = new BlockScout(true)
    const defined = new DefinedTables(this.sheet.defined ?? [])
    const cells = new CellText(this.workbook)
    let last = 0
    const all: TablePlace = { name, range: null, footers: [] }
    const only: TablePlace = defined.only ? { ...all, defined: defined.only } : all
    const whole = this.inspectorOf(only)
    const facts = await this.pass((row) => {
      const { number, count, column } = row
      const extent = { number, follows: number <= last + 1, columns: column, count }
      const sample = (): SampleRow => sampleRow(row, cells)
      scout.take(extent, sample)
      defined.take(row, sample)
      last = number
      whole.take(row)
    }, whole)
    // If the person says where the table is, the sheet has only that one, whatever follows.
    const hasRange = tableSettings(this.settings, name).range !== null
    const found = defined.found()
    if (found) {
      const places = this.definedPlaces(found)
      const isOne = places.length === 1 || (hasRange && defined.only !== undefined)
      if (isOne && !repeatsMerged(this.settings, name))
        return [await this.finish(whole, facts, { ...only, footers: found.remarks }, [])]
      return this.eachOf(isOne ? places.slice(0, 1) : places, facts, [])
    }
    const parts = scout.parts(this.settings.blocks === true)
    const isOne = parts.length === 0 || (parts.length === 1 && hasRange)
    const proposals = hasRange ? [] : textTables(scout.parts(true), parts.length, name)
    if (isOne && only === all && !repeatsMerged(this.settings, name))
      return [await this.finish(whole, facts, all, proposals)]
    const places = parts.map((part, i) => ({ ...part, name: parts.length === 1 ? name : this.nameOf(part, i) }))
    return this.eachOf(isOne ? [all] : places, facts, proposals)
  }

  /** Reads the sheet again for each of its tables. */
  private async eachOf(
    places: readonly TablePlace[],
    facts: SheetFacts,
    proposals: readonly Proposal[],
  ): Promise<TableFound[]> {
    this.shared.sums.take([])
    const found: TableFound[] = []
    for (const table of places) {
      const merges = repeatsMerged(this.settings, table.name) ? allMerges(this.sheet, facts) : []
      const inspector = this.inspectorOf(table, merges)
      const own = await this.pass((row) => inspector.take(row), inspector)
      found.push(await this.finish(inspector, own, table, found.length === 0 ? proposals : []))
    }
    return found
  }

  /** The places of tables that are defined in Excel, and of others outside them. */
  private definedPlaces({ tables, remarks }: NonNullable<ReturnType<DefinedTables['found']>>): TablePlace[] {
    return tables.map((table, i) => ({
      ...table,
      name: tables.length === 1 ? this.sheet.name : this.nameOf(table, i),
      footers: i === 0 ? remarks : [],
    }))
  }

  /** A table is named by its title; without one, the first is named like the sheet, and others get a number. */
  private nameOf({ title }: Pick<Part, 'title'>, before: number): string {
    const { names } = this.shared
    if (title !== '') return freeName(title.slice(0, MAX_NAME), names)
    return before === 0 ? this.sheet.name : freeName(this.sheet.name, names)
  }

  private settingsOf({ name, range, defined }: TablePlace, merges?: readonly Range[]): TableSettings {
    const own = tableSettings(this.settings, name, merges)
    if (defined && !own.range) return definedSettings(this.settings, name, own, defined)
    // What the person's range leaves out is reported, but outside a detected range are other tables or its footer.
    return own.range ? { ...own, around: range } : { ...own, range }
  }

  private inspectorOf(table: TablePlace, merges?: readonly Range[]): SheetInspector {
    return new SheetInspector(this.workbook, this.sheet, table.name, this.settingsOf(table, merges), this.shared.sums)
  }

  /** Reads the whole sheet, or its first rows if no more are wanted. */
  private async pass(take: (row: Row) => void, counted: { readonly count: number }): Promise<SheetFacts> {
    const { context, before } = this.shared
    const stream = await this.sheet.open(take, context.signal)
    try {
      while (await stream.step()) {
        context.progress({ bytes: before.bytes + stream.consumed, rows: before.rows + counted.count })
        if (counted.count >= (context.mostRows ?? Infinity)) break
      }
    } finally {
      await stream.close()
    }
    this.unkept = stream.facts.unkept
    return stream.facts
  }

  /** @param proposals other proposals for the table */
  private async finish(
    first: SheetInspector,
    facts: SheetFacts,
    table: TablePlace,
    proposals: readonly Proposal[],
  ): Promise<TableFound> {
    first.end()
    const subtotals = await this.subtotalsIn(first)
    const byRule = named(this.settings.leaveOutSubtotals, table.name) === true
    if (!byRule || subtotals.right.length === 0) {
      const totals = await this.totalProposals(first, table.name, byRule ? NO_SUBTOTALS : subtotals)
      return this.concluded(first, facts, table, { proposals: [...totals, ...proposals], wrong: subtotals.wrong })
    }
    this.shared.sums.take([])
    const leftOut = new Set([...first.settings.leftOut, ...subtotals.right.map(({ row }) => row)])
    const { sheet, shared } = this
    const inspector = new SheetInspector(this.workbook, sheet, table.name, { ...first.settings, leftOut }, shared.sums)
    const own = await this.pass((row) => inspector.take(row), inspector)
    inspector.end()
    const totals = await this.totalProposals(inspector, table.name, NO_SUBTOTALS)
    return this.concluded(inspector, own, table, { proposals: [...totals, ...proposals], wrong: subtotals.wrong })
  }

  private concluded(
    inspector: SheetInspector,
    facts: SheetFacts,
    place: TablePlace,
    { proposals, wrong }: { readonly proposals: readonly Proposal[]; readonly wrong: Subtotals['wrong'] },
  ): TableFound {
    const { range, skipLast, leftOut } = inspector.settings
    const { table, ...found } = inspector.finish(facts, proposals, place)
    const notes = [...table.notes, ...wrongSubtotalsNote(wrong, 'row', inspector.total?.number)]
    return {
      ...found,
      table: { ...table, notes },
      skipLast,
      leftOut,
      sheet: this.sheet.name,
      range: range && printRange(range),
    }
  }

  /** The rows of a table that call themselves totals. */
  private async subtotalsIn(inspector: SheetInspector): Promise<Subtotals> {
    if (!inspector.subtotals.found) return NO_SUBTOTALS
    const rows = new SubtotalRows(new CellText(this.workbook), inspector.width)
    await this.eachRow(inspector, inspector.settings.skipLast, (row) => rows.take(row))
    return rows.found
  }

  /** Proposes to leave out subtotals, or a total at the table's end. */
  private async totalProposals(inspector: SheetInspector, name: string, { right }: Subtotals): Promise<Proposal[]> {
    const { total, settings } = inspector
    // Only at the end, it's the table's total.
    if (right.some(({ row }) => total === null || row < total.number)) {
      const proposal = subtotalsProposal(right, 'row', { kind: 'xlsx', leaveOutSubtotals: { [name]: true } })
      if (total === null || right.some(({ row }) => row === total.number)) return [proposal]
      const skipLast = { [name]: settings.skipLast + total.below + 1 }
      return [proposal, totalProposal(total.label, 0, { kind: 'xlsx', skipLast }, total.below)]
    }
    if (total === null && !inspector.mayEndUnnamed) return []
    const check = new TotalCheck(new CellText(this.workbook))
    const below = total?.below ?? 0
    await this.eachRow(inspector, settings.skipLast + below, (row) => check.take(row))
    const columns = check.columns(total !== null)
    const change = { kind: 'xlsx', skipLast: { [name]: settings.skipLast + below + 1 } } as const
    if (total !== null) return [totalProposal(total.label, columns, change, below)]
    return columns > 0 ? [unnamedTotalProposal(columns, change)] : []
  }

  /** Reads a table's rows once more. */
  private async eachRow(inspector: SheetInspector, skipLast: number, data: (row: Row) => void): Promise<void> {
    const { headerRow, headerRows } = inspector.rows
    const settings = { ...inspector.settings, headerRow, headerRows, skipLast }
    const rows = new TableRows(new CellText(this.workbook), settings, { header: () => undefined, data })
    await this.pass((row) => rows.take(row), inspector)
    rows.finish()
  }
}

/** Proposes to read blocks of texts as tables, too, if the sheet then has more tables. */
function textTables(parts: readonly Part[], found: number, sheet: string): Proposal[] {
  if (parts.length < 2 || parts.length <= found) return []
  const tables = parts.map(({ title, range }, i) => ({
    name: title.slice(0, MAX_NAME) || (i === 0 ? sheet : `${sheet} (${i + 1})`),
    from: range.top,
  }))
  return [tablesProposal(tables, { whole: 'sheet', row: 'row' }, { kind: 'xlsx', blocks: true })]
}
