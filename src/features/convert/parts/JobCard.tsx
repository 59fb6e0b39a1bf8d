import { memo, useDeferredValue, useId, useState } from 'react'
import { useConvert, useIsOnly, usePublish, useQueryFiles } from '../context.tsx'
import { planProblems } from '../../../tables/edits.ts'
import { isHeld, type Job } from '../model/job.ts'
import { meant } from '../model/changes.ts'
import { needsParquet } from '../model/service.ts'
import { useRemove } from '../queue-actions.ts'
import { CardHeader } from './CardHeader.tsx'
import { CardStatus } from './CardStatus.tsx'
import { JobControls, useMore } from './JobControls.tsx'
import { type DetailTab, JobDetails } from './JobDetails.tsx'
import { OnwardStatus, useOnward } from './Onward.tsx'
import { Result } from './Result.tsx'
import { SelectBox } from './selection/Selection.tsx'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../ui/format.ts'
import { describeSettings, formatName } from '../../../tables/labels.ts'
import css from './Card.module.css'

interface Props {
  readonly job: Job
  readonly startOpen: boolean
  /** Whether there is something that it could be selected for. */
  readonly selectable?: boolean
  /** Makes it one line among many again. */
  readonly onFold?: ((id: string) => void) | undefined
}

/** A file of this tab: what it is, what becomes of it, and all that can be said about it. */
export const JobCard = memo(function JobCard({ job, startOpen, selectable = false, onFold }: Props) {
  const { store } = useConvert()
  const remove = useRemove()
  const publish = usePublish()
  const query = useQueryFiles()
  const [open, setOpen] = useState(startOpen)
  const [tab, setTab] = useState<DetailTab>('preview')
  const only = useIsOnly()
  const more = useMore(job)
  const heading = useId()
  const details = useId()
  const { result, stage, inspection, plan } = job
  // Among others, what is done makes room for the next.
  const [was, setWas] = useState(stage.kind)
  if (was !== stage.kind) {
    setWas(stage.kind)
    if (stage.kind === 'done' && result && !only && !isHeld(result)) setOpen(false)
  }
  const corrected = job.edits.length > 0 || Object.keys(job.request).length > 0
  const publishable = inspection && plan && planProblems(plan).length === 0
  const onward = useOnward(job)
  const { start } = onward
  const takes = (next: 'query' | 'publish'): (() => void) | undefined => {
    if (meant(job).shape) return start ? () => start(next) : undefined
    if (!publishable) return undefined
    return next === 'query'
      ? () => query([{ file: job.file, plan: corrected ? plan : null }])
      : () => publish([{ file: job.file, plan, inspection, changed: needsParquet(job) }])
  }
  // The card says at once that the file is read; its tables follow in slices that never hold up the page.
  const detailed = useDeferredValue(open && inspection !== null, false)
  const review = (): void => {
    setOpen(true)
    setTab('rejected')
    // The panel is there only after the render.
    requestAnimationFrame(() => document.querySelector(`#${CSS.escape(details)}`)?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <section aria-labelledby={heading} className={css.card} data-stage={stage.kind} data-folded={!open}>
      <CardHeader
        id={job.id}
        heading={heading}
        name={job.file.name}
        format={inspection?.format ?? null}
        meta={<CardMeta job={job} />}
        open={open}
        select={selectable ? <SelectBox id={job.id} name={job.file.name} /> : null}
        onToggle={onFold ? () => onFold(job.id) : inspection ? () => setOpen(!open) : undefined}
        more={more}
        onRemove={() => remove({ ids: [job.id] })}
        onQuery={takes('query')}
        onPublish={takes('publish')}
      >
        <JobControls job={job} />
      </CardHeader>
      <CardStatus job={job} folded={!startOpen} onReview={review} />
      <OnwardStatus {...onward} job={job} />
      {result ? (
        <Result
          fileName={job.file.name}
          result={result}
          stale={stage.kind !== 'done'}
          open={open}
          onReview={isHeld(result) ? review : undefined}
          onAgree={() => store.agree(job.id)}
        />
      ) : null}
      {open && detailed && inspection ? (
        <div id={details} className={css.details}>
          <JobDetails job={job} inspection={inspection} tab={tab} onTab={setTab} />
        </div>
      ) : null}
    </section>
  )
})

/** What a file is, in one line. */
function CardMeta({ job }: { readonly job: Job }) {
  return (
    <p className={css.meta}>
      {metaOf(job).map((word) => (
        <span key={word}>{word}</span>
      ))}
    </p>
  )
}

function metaOf({ file, inspection }: Job): string[] {
  const size = formatBytes(file.size)
  if (!inspection) return [size]
  const { tables } = inspection
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const words = [formatName(inspection.format, inspection.notes), ...describeSettings(inspection.settings), size]
  if (tables.length > 1) words.push(`${tables.length} sheets`)
  words.push(plural(rows, 'row'))
  const [only] = tables
  if (only && tables.length === 1) words.push(plural(only.columns.length, 'column'))
  return [...new Set(words)]
}
