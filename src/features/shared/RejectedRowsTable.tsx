import { useMemo } from 'react'
import type { RejectedRow } from '../../tables/plan.ts'
import { REASONS } from '../../tables/labels.ts'
import { type DataColumn, DataTable } from '../../ui/table/DataTable.tsx'
import { formatCount } from '../../ui/format.ts'

const FILE: DataColumn = { key: 'file', header: 'File', width: 150 }

const COLUMNS: readonly DataColumn[] = [
  { key: 'line', header: 'Line', width: 84, align: 'end' },
  { key: 'reason', header: 'Reason', width: 170, prose: true },
  { key: 'message', header: 'What is wrong', width: 330, prose: true },
  { key: 'column', header: 'Column', width: 150 },
  { key: 'raw', header: 'As it stands in the file', width: 560 },
]

interface Props {
  readonly label?: string
  readonly rows: readonly RejectedRow[]
}

/** Rows that don't fit: where each is, why it doesn't, and what stands there. */
export function RejectedRowsTable({ label = 'Rows that don’t fit', rows }: Props) {
  const ofFiles = rows.some(({ file }) => file !== undefined)
  const cells = useMemo(
    () =>
      rows.map((row) => {
        const words = [placeOf(row), REASONS[row.reason], row.message, row.column ?? '', row.raw]
        return ofFiles ? [row.file ?? '', ...words] : words
      }),
    [rows, ofFiles],
  )
  return (
    <DataTable
      label={label}
      columns={ofFiles ? [FILE, ...COLUMNS] : COLUMNS}
      rowCount={rows.length}
      rowHeader={null}
      headHeight={34}
      maxHeight={322}
      renderCell={(row, column) => {
        const value = cells[row]?.[column] ?? ''
        return <span title={value}>{value}</span>
      }}
    />
  )
}

/** Where a row is: its line in the file, or its number where files have no lines. */
export function placeOf({ line, row }: Pick<RejectedRow, 'line' | 'row'>): string {
  return line === null ? `row ${formatCount(row)}` : String(line)
}
