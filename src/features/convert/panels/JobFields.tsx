import type { ReactNode } from 'react'
import { CheckedForm } from '../../../ui/fields/CheckedField.tsx'
import { NONE_MISTYPED } from '../../../ui/fields/mistyped.ts'
import { useConvert } from '../context.tsx'
import { withMistyped } from '../model/changes.ts'
import type { FieldsPanel, Job } from '../model/job.ts'

interface Props {
  /** Those that the fields are about; what stands in them is the first one's. */
  readonly jobs: readonly Job[]
  readonly panel: FieldsPanel
  readonly children: ReactNode
}

/** Keeps what is mistyped in a panel's fields with the jobs, which aren't converted until it's corrected. */
export function JobFields({ jobs, panel, children }: Props) {
  const { store } = useConvert()
  return (
    <CheckedForm
      mistyped={jobs[0]?.mistyped?.[panel] ?? NONE_MISTYPED}
      onMistyped={(change) => {
        for (const { id } of jobs) store.update(id, (job) => withMistyped(job, panel, change))
      }}
    >
      {children}
    </CheckedForm>
  )
}
