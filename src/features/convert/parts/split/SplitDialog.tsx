import { useState } from 'react'
import type { Split } from '../../../../tables/reshape/types.ts'
import { plural } from '../../../../ui/format.ts'
import { FormDialog } from '../../../../ui/overlays/Dialog.tsx'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import { splitProblemOf, usualSplit } from '../../model/splitting.ts'
import { SplitFields } from './SplitFields.tsx'
import { useSplitting } from './use-splitting.ts'

interface Props {
  readonly jobs: readonly Job[]
  readonly onClose: () => void
}

/** Asks how to split the tables of files. */
export default function SplitDialog({ jobs, onClose }: Props) {
  const { store } = useConvert()
  const splitting = useSplitting(jobs)
  const [only] = jobs
  const [chosen, setChosen] = useState<Split | null | undefined>(only?.split)
  const split = chosen === undefined ? usualSplit(splitting.columns, splitting.ahead) : chosen
  const what = only && jobs.length === 1 ? `“${only.file.name}”` : plural(jobs.length, 'file')
  return (
    <FormDialog
      title={`Split ${what}`}
      description={`${jobs.length === 1 ? 'It' : 'Each'} becomes several files when it’s converted, with one receipt over all of them.`}
      action={split ? 'Split' : 'Don’t split'}
      disabled={splitProblemOf(jobs, split) !== undefined}
      onClose={onClose}
      onSubmit={() => {
        store.together(jobs, ({ id }) => store.setSplit(id, split))
        onClose()
      }}
    >
      <SplitFields {...splitting} jobs={jobs} split={split} onChange={setChosen} />
    </FormDialog>
  )
}
