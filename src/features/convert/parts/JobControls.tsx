import Download from 'lucide-react/icons/download'
import { useId } from 'react'
import { TARGET_FORMATS } from '../../../contract/formats.ts'
import { Button } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/fields/Field.tsx'
import { useConvert } from '../context.tsx'
import { planProblems } from '../../../tables/edits.ts'
import { canConvert, isBusy, isHeld, nameOf, type Job, type Where } from '../model/job.ts'
import { obstacleOf } from '../model/service.ts'
import { stemOf } from '../../../tables/names.ts'
import { useDownload } from '../queue-actions.ts'
import { useServiceFacts } from '../use-service.ts'
import css from './Card.module.css'

const TARGETS = TARGET_FORMATS.map(({ id, displayName }) => ({ value: id, label: displayName }))

/** What to convert to, and the one next step: Convert, Cancel or Download. */
export function JobControls({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const select = useId()
  if (job.stage.kind === 'failed' && !job.inspection && !job.combination) return null
  return (
    <>
      <div className={css.target}>
        <label htmlFor={select}>Convert to</label>
        <Select
          id={select}
          value={job.target}
          options={TARGETS}
          disabled={isBusy(job)}
          onChange={(target) => store.setTarget(job.id, target)}
        />
      </div>
      {job.combination ? null : <WhereSelect job={job} />}
      <NextStep job={job} />
    </>
  )
}

function NextStep({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const download = useDownload()
  const facts = useServiceFacts()
  const barred = job.where === 'service' && obstacleOf(job, facts) !== null
  if (isBusy(job) || job.stage.kind === 'reading') {
    return <Button onClick={() => store.cancel(job.id)}>Cancel</Button>
  }
  const { result } = job
  if (job.stage.kind === 'done' && result) {
    return (
      <Button
        look="primary"
        icon={<Download aria-hidden />}
        disabled={isHeld(result)}
        onClick={() => download(result.outputs, `${stemOf(nameOf(job))}.zip`)}
      >
        Download
      </Button>
    )
  }
  return (
    <Button
      look="primary"
      disabled={!canConvert(job) || (job.plan !== null && planProblems(job.plan).length > 0) || barred}
      onClick={() => store.convert(job.id)}
    >
      Convert
    </Button>
  )
}

/** Where a file is converted: in this browser, or through the service unless something speaks against it. */
function WhereSelect({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const obstacle = obstacleOf(job, useServiceFacts())
  return (
    <Select
      aria-label="Where"
      title={obstacle?.text}
      className={css.where}
      value={job.where}
      options={[
        { value: 'browser', label: 'In this browser' },
        {
          value: 'service',
          label: obstacle ? `Through the service (${obstacle.short})` : 'Through the service',
          disabled: obstacle !== null,
        },
      ]}
      disabled={isBusy(job)}
      onChange={(where: Where) => store.setWhere(job.id, where)}
    />
  )
}
