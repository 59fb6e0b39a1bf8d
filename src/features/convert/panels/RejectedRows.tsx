import { useMemo } from 'react'
import type { Inspection, RejectedRow } from '../../../tables/plan.ts'
import { type DataColumn, DataTable } from '../../../ui/table/DataTable.tsx'
import { formatCount } from '../../../ui/format.ts'
import { REASONS } from '../../../tables/labels.ts'
import type { Job } from '../model/job.ts'
import css from './Panel.module.css'

const COLUMNS: readonly DataColumn[] = [
  { key: 'line', header: 'Line', width: 84, align: 'end' },
  { key: 'reason', header: 'Reason', width: 170, className: css['plain'] ?? '' },
  { key: 'message', header: 'What is wrong', width: 330, className: css['plain'] ?? '' },
  { key: 'column', header: 'Column', width: 150 },
  { key: 'raw', header: 'As it stands in the file', width: 560 },
]

/** Rows that don't fit, as data: where, why, and what stands there. */
export function RejectedRowsTable({ rows, count }: { readonly rows: readonly RejectedRow[]; readonly count: number }) {
  const cells = useMemo(
    () =>
      rows.map((row) => [row.line ?? `row ${row.row}`, REASONS[row.reason], row.message, row.column ?? '', row.raw]),
    [rows],
  )
  return (
    <>
      <DataTable
        label="Rows that don’t fit"
        columns={COLUMNS}
        rowCount={rows.length}
        rowHeader={null}
        headHeight={34}
        maxHeight={322}
        renderCell={(row, column) => {
          const value = cells[row]?.[column] ?? ''
          return <span title={String(value)}>{value}</span>
        }}
      />
      <p className={css.foot}>
        {count > rows.length
          ? `The first ${rows.length} of ${formatCount(count)}. After converting, all of them can be downloaded as CSV.`
          : `All ${formatCount(count)} of them. They’re kept apart, never changed and never dropped unsaid.`}
      </p>
    </>
  )
}

/** The rows that don't fit: those of the last conversion, else those found when reading. */
export function RejectedRowsPanel({ job, inspection }: { readonly job: Job; readonly inspection: Inspection }) {
  const { rows, count } = rejectedRowsOf(job, inspection)
  return (
    <div className={css.panel}>
      <RejectedRowsTable rows={rows} count={count} />
    </div>
  )
}

function rejectedRowsOf(job: Job, inspection: Inspection): { rows: readonly RejectedRow[]; count: number } {
  if (job.stage.kind === 'done' && job.result) return { rows: job.result.rejected, count: job.result.rejectedCount }
  const found = inspection.tables.flatMap((table) => table.rejected)
  // A preview sees what the person's own types reject, which reading couldn't know.
  const previewed = job.previews.flatMap((preview) => preview.rejected)
  const count = inspection.tables.reduce((sum, table) => sum + table.rejectedCount, 0)
  return previewed.length > found.length ? { rows: previewed, count: previewed.length } : { rows: found, count }
}
