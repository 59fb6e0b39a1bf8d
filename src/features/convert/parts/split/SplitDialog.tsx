import { useRef, useState } from 'react'
import type { Split } from '../../../../tables/reshape/types.ts'
import { Button } from '../../../../ui/Button.tsx'
import { plural } from '../../../../ui/format.ts'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import { splitProblemOf, usualSplit, valuesAhead } from '../../model/splitting.ts'
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
  const [only] = jobs
  const fields = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<Split | null | undefined>(only?.split)
  const split = chosen === undefined ? usualSplit(columns, valuesAhead(jobs, columns)) : chosen
  const apply = (): void => {
    if (splitProblemOf(jobs, split) !== undefined) {
      fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
      return
    }
    for (const { id } of jobs) store.setSplit(id, split)
    onClose()
  }
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
      <div ref={fields} className={form.form}>
        <SplitFields columns={columns} jobs={jobs} split={split} onChange={setChosen} />
      </div>
    </Dialog>
  )
}
