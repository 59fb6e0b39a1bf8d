import type { EngineClient, Preview } from '../../../engine/client.ts'
import { applyEdits } from '../../../tables/edits.ts'
import type { ImportPlan } from '../../../tables/plan.ts'
import { applyProposals, type PlacedProposal } from '../../../tables/proposals.ts'
import type { Job } from '../model/job.ts'

const SHOWN = 5

/** What a proposal would make of a column's first values, before and after. Nothing is changed. */
export async function previewProposal(
  client: Pick<EngineClient, 'preview'>,
  job: Job,
  placed: PlacedProposal,
): Promise<readonly (readonly [from: string | null, to: string | null])[]> {
  const { file, inspection, plan } = job
  const { table, column } = placed
  if (!inspection || !plan || table === null || column === null) return []
  const applied = applyEdits(inspection, applyProposals(inspection, job, [placed]).edits)
  const of = (whole: ImportPlan): Promise<Preview> =>
    client.preview(file, { plan: alone(whole, table, column), table }, {})
  const [now, then] = await Promise.all([of(plan), of(applied)])
  // Rejected rows are missing from the preview, so values before and after couldn't be matched.
  if (now.rejected.length > 0 || then.rejected.length > 0) return []
  return now.rows.slice(0, SHOWN).map((row, i) => [row[0] ?? null, then.rows[i]?.[0] ?? null] as const)
}

/** A plan for a single column of a table. */
function alone(plan: ImportPlan, table: number, column: number): ImportPlan {
  const tables = plan.tables.map((planned, at) => ({
    ...planned,
    columns: planned.columns.map((each) => ({ ...each, include: at === table && each.index === column })),
  }))
  return { ...plan, tables }
}
