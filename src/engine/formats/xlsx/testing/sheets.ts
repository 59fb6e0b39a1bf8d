import { expect } from 'vitest'
import type { Inspection } from '../../../../tables/plan.ts'
import { columnName } from '../../../../tables/range.ts'
import type { XlsxSettings } from '../../../../tables/settings.ts'
import { inspect, makeBook, readRows } from './read.ts'

/* Tests only: creates and reads small workbooks. */

export type Cell = string | number | null

/** A sheet's XML with these rows; empty rows are omitted. */
export function sheetOf(rows: readonly (readonly Cell[])[], merges: readonly string[] = []): string {
  const cell = (value: Cell, column: number, row: number): string => {
    const at = `r="${columnName(column)}${row + 1}"`
    if (value === null) return ''
    return typeof value === 'number' ? `<c ${at}><v>${value}</v></c>` : `<c ${at} t="str"><v>${value}</v></c>`
  }
  const data = rows.map((cells, i) =>
    cells.length === 0
      ? ''
      : `<row r="${i + 1}">${cells.map((value, column) => cell(value, column, i)).join('')}</row>`,
  )
  const merged = merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  return `<?xml version="1.0"?><worksheet><sheetData>${data.join('')}</sheetData>${merged ? `<mergeCells>${merged}</mergeCells>` : ''}</worksheet>`
}

export const book = (...sheets: string[]): File => makeBook({ sheets })

/** Inspects a workbook, and reads its tables. */
export async function whole(file: File, given: Partial<XlsxSettings> = {}) {
  const inspection = await inspect(file, { kind: 'xlsx', ...given })
  const tables = []
  for (const { name, columns, notes, proposals = [], rows } of inspection.tables) {
    const read = await readRows(file, { table: name, settings: inspection.settings })
    expect(read.rows).toHaveLength(rows)
    tables.push({
      name,
      names: columns.map((column) => column.name),
      types: columns.map(({ type }) => type),
      rows: read.rows,
      notes: notes.map(({ message }) => message),
      proposals,
    })
  }
  return { tables, settings: inspection.settings as XlsxSettings, inspection }
}

export const apply = (inspection: Inspection, code: string): Partial<XlsxSettings> => {
  const proposal = inspection.tables.flatMap(({ proposals = [] }) => proposals).find((each) => each.code === code)
  if (proposal?.change.kind !== 'reading') throw new Error(`no proposal ${code}`)
  return proposal.change.settings as Partial<XlsxSettings>
}
