import { memo, useDeferredValue, useId, useState } from 'react'
import { useConvert, useIsOnly, usePublish, useQueryFiles } from '../context.tsx'
import type { Combination } from '../../../tables/combine/combination.ts'
import { planProblems } from '../../../tables/edits.ts'
import { isHeld, nameOf, rowsIn, type Job } from '../model/job.ts'
import { withDraftApplied } from '../model/changes.ts'
import { needsParquet } from '../model/service.ts'
import { useRemove } from '../queue-actions.ts'
import { Card } from './Card.tsx'
import { CardStatus } from './CardStatus.tsx'
import { CombinationStatus } from './combination/CombinationStatus.tsx'
import { JobControls, useMore } from './JobControls.tsx'
import { type DetailTab, JobDetails } from './JobDetails.tsx'
import { OnwardStatus, useOnward } from './Onward.tsx'
import { Result } from './Result.tsx'
import { SelectBox } from './selection/Selection.tsx'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../ui/format.ts'
import { describeSettings, formatName, tableCount } from '../../../tables/labels.ts'
import css from './Card.module.css'

interface Props {
  readonly job: Job
  readonly startOpen: boolean
  /** Whether selecting it would make sense. */
  readonly selectable?: boolean
  /** Turns it back into one line among many. */
  readonly onFold?: ((id: string) => void) | undefined
}

/** The card of a file in this tab, or of a combination: facts, state, result and details. */
export const JobCard = memo(function JobCard({ job, startOpen, selectable = false, onFold }: Props) {
  const { store } = useConvert()
  const remove = useRemove()
  const publish = usePublish()
  const query = useQueryFiles()
  const [open, setOpen] = useState(startOpen)
  const [tab, setTab] = useState<DetailTab>('preview')
  const only = useIsOnly()
  const more = useMore(job)
  const details = useId()
  const { result, stage, inspection, plan, combination } = job
  const name = nameOf(job)
  // In a list of several cards, a card folds its details when it's converted, to make room for the others.
  const [was, setWas] = useState(stage.kind)
  if (was !== stage.kind) {
    setWas(stage.kind)
    if (stage.kind === 'done' && result && !only && !combination && !isHeld(result)) setOpen(false)
  }
  const corrected = job.edits.length > 0 || Object.keys(job.request).length > 0
  const publishable = inspection && plan && planProblems(plan).length === 0
  const onward = useOnward(job)
  const { start } = onward
  const takes = (next: 'query' | 'publish'): (() => void) | undefined => {
    if (combination || withDraftApplied(job).shape) return start ? () => start(next) : undefined
    if (!publishable) return undefined
    return next === 'query'
      ? () => query([{ file: job.file, plan: corrected ? plan : null }])
      : () => publish([{ file: job.file, plan, inspection, changed: needsParquet(job) }])
  }
  // The card shows at once that the file is read; its tables are rendered in the background, so that the page isn't
  // blocked.
  const known = inspection !== null || combination !== undefined
  const detailed = useDeferredValue(open && known, false)
  const review = (): void => {
    setOpen(true)
    setTab('rejected')
    // The panel only exists after rendering.
    requestAnimationFrame(() => document.querySelector(`#${CSS.escape(details)}`)?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <Card
      id={job.id}
      name={name}
      format={combination ? job.target : (inspection?.format ?? null)}
      meta={combination ? metaOfCombined(combination) : metaOf(job)}
      stage={stage.kind}
      open={open}
      select={selectable && !combination ? <SelectBox id={job.id} name={name} /> : null}
      onToggle={onFold ? () => onFold(job.id) : known ? () => setOpen(!open) : undefined}
      more={more}
      onRemove={() => remove({ ids: [job.id] })}
      onQuery={takes('query')}
      onPublish={takes('publish')}
      controls={<JobControls job={job} />}
    >
      {combination ? (
        <CombinationStatus job={job} combination={combination} />
      ) : (
        <CardStatus job={job} folded={!startOpen} onReview={review} />
      )}
      <OnwardStatus {...onward} job={job} />
      {result ? (
        <Result
          fileName={name}
          result={result}
          stale={stage.kind !== 'done'}
          open={open}
          onReview={combination ? undefined : review}
          onAgree={() => store.agree(job.id)}
        />
      ) : null}
      {open && detailed ? (
        <div id={details} className={css.details}>
          <JobDetails job={job} tab={tab} onTab={setTab} />
        </div>
      ) : null}
    </Card>
  )
})

function metaOf({ file, inspection }: Job): string[] {
  const size = formatBytes(file.size)
  if (!inspection) return [size]
  const { tables } = inspection
  const rows = rowsIn(inspection)
  const words = [formatName(inspection.format, inspection.notes), ...describeSettings(inspection.settings), size]
  if (tables.length > 1) words.push(tableCount(inspection))
  words.push(plural(rows, 'row'))
  const [only] = tables
  if (only && tables.length === 1) words.push(plural(only.columns.length, 'column'))
  return [...new Set(words)]
}

function metaOfCombined({ parts, matched, choices }: Combination): string[] {
  const sizes = new Map(parts.map(({ job, size }) => [job, size]))
  const words = [
    parts.length === sizes.size ? plural(parts.length, 'file') : plural(parts.length, 'table'),
    formatBytes([...sizes.values()].reduce((sum, size) => sum + size, 0)),
  ]
  if (!matched) return words
  const { inputs, columns } = matched.matching
  const rows = inputs.reduce((sum, input) => sum + input.rows, 0)
  const added = Number(choices.fileColumn) + Number(choices.rowColumn)
  return [...words, plural(rows, 'row'), plural(columns.filter(({ include }) => include).length + added, 'column')]
}
