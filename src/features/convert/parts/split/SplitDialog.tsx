import { useState } from 'react'
import type { Split } from '../../../../tables/reshape/types.ts'
import { Button } from '../../../../ui/Button.tsx'
import { plural } from '../../../../ui/format.ts'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import form from '../../../shared/Form.module.css'
import { SplitFields } from './SplitFields.tsx'
import { useSplitColumns } from './use-split-columns.ts'

interface Props {
  readonly jobs: readonly Job[]
  readonly onClose: () => void
}

/** Asks how the tables of files are to become several files each. */
export default function SplitDialog({ jobs, onClose }: Props) {
  const { store } = useConvert()
  const columns = useSplitColumns(jobs)
  const [first] = columns
  const [chosen, setChosen] = useState<Split | null | undefined>(jobs[0]?.split)
  const usual: Split = first === undefined ? { by: 'rows', rows: 100_000 } : { by: 'column', column: first }
  const split = chosen === undefined ? usual : chosen
  const apply = (): void => {
    for (const { id } of jobs) store.setSplit(id, split)
    onClose()
  }
  const [only] = jobs
  const what = only && jobs.length === 1 ? `“${only.file.name}”` : plural(jobs.length, 'file')
  return (
    <Dialog
      title={`Split ${what}`}
      description="Each becomes several files when it’s converted, with one receipt over all of them."
      open
      onClose={onClose}
      action={
        <Button look="primary" onClick={apply}>
          {split ? 'Split' : 'Don’t split'}
        </Button>
      }
    >
      <div className={form.form}>
        <SplitFields columns={columns} split={split} onChange={setChosen} />
      </div>
    </Dialog>
  )
}
