import { ErrorBoundary } from '../../../ui/ErrorBoundary.tsx'
import type { StoredJob } from '../context.tsx'
import type { Job } from '../model/job.ts'
import { JobCard } from './JobCard.tsx'
import { StoredCard } from './StoredCard.tsx'
import css from '../ConvertScreen.module.css'

interface Props {
  readonly live: readonly Job[]
  readonly stored: readonly StoredJob[]
  /** Whether cards begin unfolded. */
  readonly open: boolean
}

/** The files of this tab, then those of earlier visits and other tabs. */
export default function Cards({ live, stored, open }: Props) {
  return (
    <>
      <div className={css.cards}>
        {live.map((job) => (
          <ErrorBoundary key={job.id} what={`The card of “${job.file.name}”`}>
            <JobCard job={job} startOpen={open} />
          </ErrorBoundary>
        ))}
      </div>
      {stored.length > 0 && live.length > 0 ? <h2 className={css.section}>Earlier</h2> : null}
      <div className={css.cards}>
        {stored.map(({ record, state }) => (
          <ErrorBoundary key={record.id} what={`The card of “${record.fileName}”`}>
            <StoredCard record={record} state={state} startOpen={open} />
          </ErrorBoundary>
        ))}
      </div>
    </>
  )
}
