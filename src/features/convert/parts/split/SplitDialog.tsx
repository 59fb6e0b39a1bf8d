import { useState } from 'react'
import type { Split } from '../../../../tables/reshape/split.ts'
import { Button } from '../../../../ui/Button.tsx'
import { plural } from '../../../../ui/format.ts'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import { columnsOfAll } from '../../model/splitting.ts'
import form from '../../../shared/Form.module.css'
import { SplitFields } from './SplitFields.tsx'

interface Props {
  readonly jobs: readonly Job[]
  readonly onClose: () => void
}

/** Asks how the tables of files are to become several files each. */
export default function SplitDialog({ jobs, onClose }: Props) {
  const { store } = useConvert()
  const columns = columnsOfAll(jobs)
  const [first] = columns
  const [split, setSplit] = useState<Split | null>(
    () => jobs[0]?.split ?? (first === undefined ? { by: 'rows', rows: 100_000 } : { by: 'column', column: first }),
  )
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
        <SplitFields columns={columns} split={split} onChange={setSplit} />
      </div>
    </Dialog>
  )
}
