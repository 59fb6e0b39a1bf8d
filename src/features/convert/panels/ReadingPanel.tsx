import type { Inspection } from '../../../tables/plan.ts'
import { ReadingFields } from '../../shared/reading/ReadingFields.tsx'
import { useConvert } from '../context.tsx'
import { isBusy, type Job } from '../model/job.ts'

/** How the file is read. */
export default function ReadingPanel({ job, inspection }: { readonly job: Job; readonly inspection: Inspection }) {
  const { store } = useConvert()
  return (
    <ReadingFields
      inspection={inspection}
      request={job.request}
      locked={isBusy(job)}
      onSettings={(patch, typing) => store.setSettings(job.id, patch, typing)}
      onFormat={(format) => store.setFormat(job.id, format)}
      onReset={() => store.resetSettings(job.id)}
    />
  )
}
