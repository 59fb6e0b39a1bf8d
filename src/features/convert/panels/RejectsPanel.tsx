import type { Inspection, RejectedRow } from '../../../tables/plan.ts'
import type { Job } from '../model/job.ts'
import { RejectsTable } from './RejectsTable.tsx'
import css from './Panel.module.css'

/** The rows that don't fit: those of the last conversion, else those found when reading. */
export function RejectsPanel({ job, inspection }: { readonly job: Job; readonly inspection: Inspection }) {
  const { rows, count } = rejectsOf(job, inspection)
  return (
    <div className={css.panel}>
      <RejectsTable rows={rows} count={count} />
    </div>
  )
}

function rejectsOf(job: Job, inspection: Inspection): { rows: readonly RejectedRow[]; count: number } {
  if (job.stage.kind === 'done' && job.result) return { rows: job.result.rejected, count: job.result.rejectedCount }
  const found = inspection.tables.flatMap((table) => table.rejected)
  // A preview sees what the person's own types reject, which reading couldn't know.
  const previewed = job.previews.flatMap((preview) => preview.rejected)
  const count = inspection.tables.reduce((sum, table) => sum + table.rejectedCount, 0)
  return previewed.length > found.length ? { rows: previewed, count: previewed.length } : { rows: found, count }
}
