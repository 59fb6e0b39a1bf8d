import type { ReactNode } from 'react'
import { CheckedForm } from '../../../ui/fields/CheckedField.tsx'
import { NONE_MISTYPED } from '../../../ui/fields/mistyped.ts'
import { useConvert } from '../context.tsx'
import { withMistyped } from '../model/changes.ts'
import type { FieldsPanel, Job } from '../model/job.ts'

interface Props {
  /** The jobs to set; fields show the first one's values. */
  readonly jobs: readonly Job[]
  readonly panel: FieldsPanel
  readonly children: ReactNode
}

/** Keeps invalid input of a panel's fields in the jobs, which can't be converted until it's corrected. */
export function JobFields({ jobs, panel, children }: Props) {
  const { store } = useConvert()
  return (
    <CheckedForm
      mistyped={jobs[0]?.mistyped?.[panel] ?? NONE_MISTYPED}
      onMistyped={(change) =>
        store.together(jobs, ({ id }) => store.update(id, (job) => withMistyped(job, panel, change)))
      }
    >
      {children}
    </CheckedForm>
  )
}
