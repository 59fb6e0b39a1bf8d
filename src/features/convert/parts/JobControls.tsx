import Download from 'lucide-react/icons/download'
import { useId } from 'react'
import { TARGET_FORMATS } from '../../../contract/formats.ts'
import { Button } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/fields/Field.tsx'
import type { MenuEntry } from '../../../ui/overlays/Menu.tsx'
import { useConvert, useIsOnly } from '../context.tsx'
import { canConvert, isBusy, isHeld, nameOf, type Job, type Where } from '../model/job.ts'
import { obstacleOf, type ServiceFacts } from '../model/service.ts'
import { problemsOf } from '../model/splitting.ts'
import { useDownload } from '../queue-actions.ts'
import { useServiceFacts } from '../use-service.ts'
import css from './Card.module.css'
import { stemOf } from '../../../tables/file-names.ts'

export const TARGETS = TARGET_FORMATS.map(({ id, displayName }) => ({ value: id, label: displayName }))

/** The target format and the next step: Convert, Cancel or Download. */
export function JobControls({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const select = useId()
  if (!hasControls(job)) return null
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

/** The same for a line among many. */
export function LineControls({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  if (!hasControls(job)) return null
  return (
    <>
      <Select
        compact
        aria-label="Convert to"
        className={css.lineTarget}
        value={job.target}
        options={TARGETS}
        disabled={isBusy(job)}
        onChange={(target) => store.setTarget(job.id, target)}
      />
      <NextStep job={job} size="small" />
    </>
  )
}

const hasControls = ({ stage, inspection, combination }: Job): boolean =>
  stage.kind !== 'failed' || inspection !== null || combination !== undefined

function NextStep({ job, size }: { readonly job: Job; readonly size?: 'small' }) {
  const { store } = useConvert()
  const look = useIsOnly() ? 'primary' : 'secondary'
  const download = useDownload()
  const facts = useServiceFacts()
  const barred = job.where === 'service' && obstacleOf(job, facts) !== null
  if (isBusy(job) || job.stage.kind === 'reading') {
    return (
      <Button size={size} onClick={() => store.cancel(job.id)}>
        Cancel
      </Button>
    )
  }
  const { result } = job
  if (job.stage.kind === 'done' && result) {
    return (
      <Button
        look={look}
        size={size}
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
      look={look}
      size={size}
      disabled={!canConvert(job) || problemsOf(job).length > 0 || barred}
      onClick={() => store.convert(job.id)}
    >
      Convert
    </Button>
  )
}

/** Less frequent actions, for the card's menu. */
export function useMore(job: Job): readonly MenuEntry[] {
  const { store } = useConvert()
  const facts = useServiceFacts()
  if (job.combination || !hasControls(job) || isChosen(job, facts)) return []
  const obstacle = obstacleOf(job, facts)
  const name = 'Convert through the service'
  return [
    {
      key: 'service',
      label: obstacle ? `${name} (${obstacle.short})` : name,
      disabled: obstacle !== null || isBusy(job),
      onSelect: () => store.setWhere(job.id, 'service'),
    },
    { note: obstacle?.text ?? 'The service runs in this browser: this shows what a program gets from it.' },
  ]
}

/** Whether the card shows where the file is converted. */
const isChosen = ({ where }: Job, { remote }: ServiceFacts): boolean => where === 'service' || remote

/** Chooses where to convert a file: in this browser, or through the service if that's possible. */
function WhereSelect({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const facts = useServiceFacts()
  if (!isChosen(job, facts)) return null
  const obstacle = obstacleOf(job, facts)
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
