import { useMemo } from 'react'
import type { RejectedRow } from '../../../../tables/plan.ts'
import { type DataColumn, DataTable } from '../../../../ui/table/DataTable.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { REASONS } from '../../../../tables/labels.ts'
import css from '../Panel.module.css'

const FILE: DataColumn = { key: 'file', header: 'File', width: 150 }

const COLUMNS: readonly DataColumn[] = [
  { key: 'line', header: 'Line', width: 84, align: 'end' },
  { key: 'reason', header: 'Reason', width: 170, className: css['plain'] ?? '' },
  { key: 'message', header: 'What is wrong', width: 330, className: css['plain'] ?? '' },
  { key: 'column', header: 'Column', width: 150 },
  { key: 'raw', header: 'As it stands in the file', width: 560 },
]

/** The rows that a conversion left out: where, why, and what stands there. */
export function RejectedRowsTable({ rows, count }: { readonly rows: readonly RejectedRow[]; readonly count: number }) {
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
    <>
      <DataTable
        label="Rows that don’t fit"
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
      <p className={css.foot}>
        {count > rows.length
          ? `The first ${rows.length} of ${formatCount(count)}. All of them can be downloaded as CSV.`
          : `All ${formatCount(count)} of them. They’re kept apart, never changed and never dropped unsaid.`}
      </p>
    </>
  )
}

/** Where a row is: its line in the file, or its number where files have no lines. */
export function placeOf({ line, row }: Pick<RejectedRow, 'line' | 'row'>): string {
  return line === null ? `row ${formatCount(row)}` : String(line)
}
