import { printSum } from '../../../../lib/bytes.ts'
import { columnNames } from '../../../../tables/names.ts'
import { blankColumnProposals } from '../../layout/name-proposals.ts'
import type { InspectedColumn, InspectedTable, Note, Proposal } from '../../../../tables/plan.ts'
import type { TextSums } from '../../../kernel/text-sums.ts'
import { textMeanings } from '../../../columns/infer/table.ts'
import { fillProposals, GROUP_CELLS, GroupScout } from '../../layout/group-labels.ts'
import { groupsProposal, isUnits, unitsProposal } from '../../layout/header-rows.ts'
import { FEWEST_ROWS, isTotalLabel, MAX_REMARKS } from '../../layout/ends.ts'
import { SubtotalScout } from '../../layout/subtotals.ts'
import type { Sheet, SheetFacts, Workbook } from './book.ts'
import { CellInference } from './cell-inference.ts'
import { CellText } from './text/cell-text.ts'
import { groupNames, groupRowsAbove, type HeaderFound, type NameRow, namesOf } from './names.ts'
import type { Range } from '../../../../tables/range.ts'
import { RowHead, SHARED, STRING, type Row, sumCells } from './row.ts'
import type { TableSettings } from './settings.ts'
import { beginsIn, mergedProposals, type NotedPlace, notesOf, type TotalRow } from './notes.ts'
import { TableRows } from './table-rows.ts'
import { firstTexts } from './total-check.ts'

/** Rows directly above the header that may be part of it. */
const KEPT_TITLES = 3

interface FoundTable {
  readonly table: InspectedTable
  readonly headerRow: number | null
  readonly headerRows: number
}

/** Inspects one of a sheet's tables. */
export class SheetInspector {
  /** Number of data rows. */
  count = 0
  /** Number of rows above the header that aren't empty. */
  titleRows = 0
  hiddenRows = 0
  firstRow = 0
  lastRow = 0
  readonly isHidden: boolean
  readonly rows: TableRows
  readonly settings: TableSettings
  /** Whether any row before the end may be a subtotal. */
  readonly subtotals = new SubtotalScout()
  /** Whether the first columns, from the one with the first value on, name groups of rows. */
  private readonly groups = new GroupScout()
  private left = -1
  private readonly columns = new Map<number, CellInference>()
  private readonly byPosition: (CellInference | undefined)[] = []
  private readonly header: NameRow[] = []
  private readonly titles: NameRow[] = []
  private readonly last = new RowHead()
  /** The last row that isn't a remark, which is a row with a single text; and the number of remarks after it. */
  private readonly full = new RowHead()
  private remarks = 0
  private readonly sums: TextSums
  private readonly cells: CellText
  private readonly workbook: Workbook
  readonly name: string

  /**
   * @param name the table's
   * @param sums empty; they are cleared at the end
   */
  constructor(workbook: Workbook, sheet: Sheet, name: string, settings: TableSettings, sums: TextSums) {
    this.sums = sums
    this.workbook = workbook
    this.isHidden = sheet.hidden
    this.name = name
    this.settings = settings
    this.cells = new CellText(workbook)
    this.rows = new TableRows(this.cells, settings, {
      header: (row) => this.header.push(this.namesIn(row)),
      data: (row) => this.data(row),
      title: (row) => this.title(row),
    })
  }

  take(row: Row): void {
    this.rows.take(row)
  }

  /** Call after the last row. */
  end(): void {
    this.rows.finish()
  }

  private title(row: Row): void {
    this.titleRows++
    if (this.settings.headerRow !== undefined) return
    if (this.titles.length === KEPT_TITLES) this.titles.shift()
    this.titles.push(this.namesIn(row))
  }

  private namesIn(row: Row): NameRow {
    const texts = new Map<number, string>()
    for (let slot = 0; slot < row.count; slot++) texts.set(row.column[slot], this.cells.rawString(row, slot))
    return { number: row.number, texts }
  }

  private data(row: Row): void {
    this.count++
    if (this.firstRow === 0) this.firstRow = row.number
    this.lastRow = row.number
    if (row.hidden) this.hiddenRows++
    sumCells(this.sums, row, this.workbook.strings)
    for (let slot = 0; slot < row.count; slot++) this.inferenceOf(row.column[slot]).observe(row, slot, this.cells)
    if (this.subtotals.isLooking) this.scout(row)
    if (this.groups.isLooking && row.count > 0) this.scoutGroups(row)
    this.last.keep(row)
    if (this.isRemark(row)) {
      this.remarks++
      return
    }
    this.remarks = 0
    this.full.keep(row)
  }

  /** Number of columns with values. */
  get width(): number {
    return this.columns.size
  }

  private scout(row: Row): void {
    this.subtotals.take(
      () => row.count < this.width,
      () => firstTexts(row, this.cells),
    )
  }

  private scoutGroups(row: Row): void {
    if (this.left < 0) this.left = Math.min(...row.column.subarray(0, row.count))
    const { left, cells } = this
    const width = Math.max(...this.columns.keys()) + 1 - left
    const texts = Array.from({ length: Math.min(width, GROUP_CELLS) }, () => '')
    let hasText = false
    for (let slot = 0; slot < row.count; slot++) {
      const text = cells.rawString(row, slot)
      if (text !== '') hasText = true
      if (row.column[slot] - left in texts) texts[row.column[slot] - left] = text
    }
    if (hasText) this.groups.take(texts)
  }

  private inferenceOf(column: number): CellInference {
    const known = this.byPosition[column]
    if (known) return known
    while (this.byPosition.length < column) this.byPosition.push(undefined)
    const inference = new CellInference()
    this.byPosition[column] = inference
    this.columns.set(column, inference)
    return inference
  }

  /** The last row, or the one above remarks, if it's labeled as a total. */
  get total(): TotalRow | null {
    if (this.count < 3 || this.columns.size < 2) return null
    const { remarks } = this
    const ends = [{ row: this.last.row, below: 0 }]
    if (remarks > 0 && remarks <= MAX_REMARKS && this.columns.size > 2)
      ends.push({ row: this.full.row, below: remarks })
    for (const { row, below } of ends) {
      const label = this.firstText(row)
      if (isTotalLabel(label)) return { label, number: row.number, below }
    }
    return null
  }

  /** Whether only the last row lacks its first cell, so that it may be a total without a name. */
  get mayEndUnnamed(): boolean {
    const first = this.byPosition.findIndex((column) => column !== undefined)
    const { row } = this.last
    if (this.count < FEWEST_ROWS || row.count < 2 || row.column[0] === first) return false
    return this.byPosition[first]?.filled === this.count - 1
  }

  /** Whether a row has a single cell, with text. */
  private isRemark(row: Row): boolean {
    return row.count === 1 && (row.kind[0] === SHARED || row.kind[0] === STRING)
  }

  /** The first non-blank text of a row. */
  firstText(row: Row): string {
    for (let slot = 0; slot < row.count; slot++) {
      const text = this.cells.rawString(row, slot).trim()
      if (text !== '') return text
    }
    return ''
  }

  /**
   * Call after `end`.
   * @param place remarks outside the table, and its definition in Excel
   */
  finish(facts: SheetFacts, proposals: readonly Proposal[], place: NotedPlace): FoundTable {
    const header = this.namesOf(facts.merges)
    const { indexes, sources, headerRow, headerRows } = header
    const columns: InspectedColumn[] = []
    const columnNotes: Note[] = []
    const names = columnNames(sources)
    const sums = this.sums.take(indexes)
    const meanings = textMeanings(
      indexes.map((index) => this.columns.get(index)?.textColumn() ?? null),
      names,
    )
    for (const [i, index] of indexes.entries()) {
      const source = sources[i]
      const name = names[i]
      const { flags, notes, ...found } = (this.columns.get(index) ?? new CellInference()).conclude(this.count)
      const isMerged = facts.merges.some((range) => range.left === index && beginsIn(this, range))
      const own = [
        ...(meanings[i].proposals ?? []),
        ...blankColumnProposals(headerRow === null ? null : source, flags),
        ...(isMerged ? [] : fillProposals(this.groups.found, index - this.left, { name, format: undefined, ...found })),
      ]
      columns.push({
        index,
        source,
        name,
        ...found,
        ...meanings[i],
        ...(own.length > 0 ? { proposals: own } : {}),
        flags: name !== source && headerRow !== null ? [...flags, 'renamed'] : flags,
        ...(sums === null ? {} : { checksum: printSum(sums[i]) }),
      })
      columnNotes.push(...notes.map((note) => ({ ...note, column: name })))
    }
    const all = [
      ...unitsProposals(this.name, header),
      ...this.groupsProposals(header, facts.merges),
      ...mergedProposals(this, columns, facts),
      ...proposals,
    ]
    const table: InspectedTable = {
      name: this.name,
      columns,
      rows: this.count,
      rejectedCount: 0,
      rejected: [],
      notes: [...notesOf(this, header, facts, place), ...columnNotes],
      ...(all.length > 0 ? { proposals: all } : {}),
      ...(this.isHidden ? { hidden: true } : {}),
    }
    return { table, headerRow, headerRows }
  }

  /** Proposes to make the row below the header part of it. */
  private groupsProposals({ headerRow, headerRows }: HeaderFound, merges: readonly Range[]): Proposal[] {
    const names = headerRows === 1 ? groupNames(this.rows.sample, headerRow, merges) : null
    if (names === null) return []
    const settings = { kind: 'xlsx', headerRow: { [this.name]: headerRow }, headerRows: { [this.name]: 2 } } as const
    return [groupsProposal(names, settings)]
  }

  /** The columns that have a name or values, and the rows that name them. */
  private namesOf(merges: readonly Range[]): HeaderFound {
    const { settings, titles } = this
    const named = this.header.flatMap(({ texts }) => [...texts.keys()])
    const indexes = [...new Set([...this.columns.keys(), ...named])].toSorted((a, b) => a - b)
    const { headerRow, headerRows } = this.rows
    if (headerRow === null) {
      return { indexes, sources: indexes.map(() => ''), headerRow, headerRows, units: null, groups: 0, isGuess: false }
    }
    const isGuess = settings.headerRow === undefined && settings.headerRows === undefined
    const groups = isGuess ? groupRowsAbove(titles, headerRow, indexes, merges) : 0
    const rows = [...titles.filter(({ number }) => number >= headerRow - groups), ...this.header]
    const last = rows.length > 1 ? rows.at(-1) : undefined
    return {
      indexes,
      sources: namesOf(rows, indexes, merges),
      headerRow: headerRow - groups,
      headerRows: headerRows + groups,
      units: last && isUnits([...last.texts.values()]) ? last : null,
      groups,
      isGuess,
    }
  }
}

/** Proposes to leave out units of measure below the names. */
function unitsProposals(table: string, { headerRow, headerRows, units }: HeaderFound): Proposal[] {
  if (units === null) return []
  const settings = {
    kind: 'xlsx',
    headerRow: { [table]: headerRow },
    headerRows: { [table]: headerRows - 1 },
    leaveOut: { [table]: [units.number] },
  } as const
  return [unitsProposal([...units.texts.values()], settings)]
}
