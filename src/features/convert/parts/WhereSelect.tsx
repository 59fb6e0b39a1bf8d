import { Select } from '../../../ui/Field.tsx'
import { useConvert } from '../context.tsx'
import { isBusy, type Job } from '../model/job.ts'
import { obstacleOf, type Where } from '../model/service.ts'
import { useServiceFacts } from '../use-service.ts'
import css from './Card.module.css'

/** Where a file is converted: in this browser, or through the service unless something speaks against it. */
export function WhereSelect({ job }: { readonly job: Job }) {
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
