import { Button } from '../../../ui/Button.tsx'
import { AsideNotice } from '../../shared/AsideNotice.tsx'
import { useConvert, useIsAside } from '../context.tsx'
import type { Note } from '../../../tables/plan.ts'
import { openProposals } from '../../../tables/proposals.ts'
import { Proposals } from '../../shared/proposals/Proposals.tsx'
import { isBusy, isRead, type Job } from '../model/job.ts'
import { rejectedAhead } from '../model/rejected-ahead.ts'
import { Doubts } from './Notes.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { RecipeSuggestion } from './RecipeSuggestion.tsx'
import { CancelledNotice, FailedNotice, ProblemsNotice, QueuedNotice } from './StageNotices.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { needsParquet, obstacleOf } from '../model/service.ts'
import { problemsOf } from '../model/splitting.ts'
import { ShapeLine } from '../panels/shape/ShapeLine.tsx'
import { SplitLine } from './split/SplitFields.tsx'
import { useServiceFacts } from '../use-service.ts'
import { ConvertingLine, ReadingBar, ReadingLine, ServiceLine } from './ProgressLine.tsx'
import { useMemo } from 'react'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import { previewProposal } from '../store/preview-proposal.ts'
import css from './Card.module.css'

/** A file's state, and what needs the person's attention before it can be converted. */
export function CardStatus({
  job,
  folded,
  onReview,
}: {
  readonly job: Job
  /** Whether it's one of many: then its height stays the same while it's read, so that those below don't move. */
  readonly folded: boolean
  readonly onReview: () => void
}) {
  const { stage } = job
  const { store } = useConvert()
  const aside = useIsAside(job)
  // While it's read again, its height stays the same, so that tabs and fields below don't move under the pointer.
  const steady = folded || job.inspection !== null
  if (stage.kind === 'reading' && !steady) return <ReadingLine progress={stage.progress} wanted={job.wanted} />
  if (stage.kind === 'queued') return <QueuedNotice />
  if (stage.kind === 'converting' && job.where === 'service') {
    return <ServiceLine progress={stage.service} pace={stage.pace} prepares={needsParquet(job)} />
  }
  if (stage.kind === 'converting') return <ConvertingLine progress={stage.progress} pace={stage.pace} />
  if (stage.kind === 'failed') return <FailedNotice id={job.id} failure={stage.failure} />
  if (stage.kind === 'done') return null
  // What its rows and columns may mean is of no use yet.
  if (aside && stage.kind === 'ready') {
    return <AsideNotice effect="“Convert all” leaves it out." onTake={() => store.includeTable(job.id, 0, true)} />
  }
  return (
    <>
      {stage.kind === 'reading' ? <ReadingBar progress={stage.progress} /> : null}
      {stage.kind === 'ready' && stage.cancelled ? <CancelledNotice /> : null}
      <Problems job={job} />
      <EncodingGuess job={job} />
      <Doubts notes={notesOf(job).filter(({ code }) => code !== 'encoding-guess')} />
      <ShapeLine job={job} />
      <SplitLine job={job} />
      {job.where === 'service' ? <ThroughService job={job} /> : null}
      <RejectedRowsAhead job={job} onReview={onReview} />
      <JobProposals job={job} />
      <RecipeSuggestion job={job} />
    </>
  )
}

function JobProposals({ job }: { readonly job: Job }) {
  const { client, store } = useConvert()
  const { inspection, plan, request } = job
  const open = useMemo(
    () => (inspection && plan ? openProposals(inspection, plan, request) : []),
    [inspection, plan, request],
  )
  if (!inspection) return null
  return (
    <Proposals
      inspection={inspection}
      proposals={open}
      locked={isBusy(job) || !isRead(job)}
      applied={job.applied}
      onPreview={(placed) => previewProposal(client, job, placed)}
      onApply={(chosen) => store.applyProposals(job.id, chosen)}
      onUndo={() => store.undoProposals(job.id)}
    />
  )
}

function notesOf({ inspection, plan }: Job): Note[] {
  const chosen = inspection?.tables.filter((_, i) => plan?.tables[i]?.include) ?? []
  return [...(inspection?.notes ?? []), ...chosen.flatMap((table) => table.notes)]
}

function Problems({ job }: { readonly job: Job }) {
  const problems = problemsOf(job)
  const { previewFailure } = job
  if (problems.length > 0) return <ProblemsNotice problems={problems} />
  return previewFailure ? <FailureNotice failure={previewFailure} /> : null
}

/** What converting through the service means, or why it isn't possible. */
function ThroughService({ job }: { readonly job: Job }) {
  const obstacle = obstacleOf(job, useServiceFacts())
  if (obstacle) {
    return (
      <Notice tone="warn" live="status">
        <p>
          <strong>{obstacle.text}</strong> Convert it in this browser instead.
        </p>
      </Notice>
    )
  }
  return (
    <p className={css.quiet}>
      {needsParquet(job)
        ? 'The service can’t know how you want this file read. So the table is sent as you planned it, as Parquet made in this browser.'
        : 'The file is uploaded, converted by the service and downloaded; then it’s compared with yours in this browser.'}
    </p>
  )
}

/** Says before converting that rows don't fit or, once all are corrected, that they now do. */
function RejectedRowsAhead({ job, onReview }: { readonly job: Job; readonly onReview: () => void }) {
  const words = rejectedAhead(job)
  if (words === null) return null
  const { said, after, isMended } = words
  return (
    <Notice
      tone={isMended ? 'good' : 'warn'}
      live="status"
      actions={
        <Button size="small" onClick={onReview}>
          Review rows
        </Button>
      }
    >
      <p>
        <strong>{said}</strong> {after}
      </p>
    </Notice>
  )
}

/** Says that a file's encoding is a guess, with the file's own text in the most likely ones to choose from. */
function EncodingGuess({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const { inspection } = job
  if (!inspection?.notes.some(({ code }) => code === 'encoding-guess') || !('encoding' in inspection.settings))
    return null
  const { kind, encoding } = inspection.settings
  const encodings = toldApart(inspection.encodings ?? [], encoding)
  const samples = excerpts(encodings.map(({ sample }) => sample))
  return (
    <Notice tone="warn" live="status" icon={<CircleQuestionMark aria-hidden />}>
      <p>
        <strong>Encoding is a guess.</strong> Choose the one that reads right.
      </p>
      <ul className={css.guesses} aria-label="Encodings">
        {encodings.map((candidate, i) => (
          <li key={candidate.encoding}>
            <button type="button" onClick={() => store.setSettings(job.id, { kind, encoding: candidate.encoding })}>
              <q>{samples[i]}</q>
              <span>
                {candidate.label}
                {candidate.encoding === encoding ? ', as shown' : ''}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** The encodings that read the line differently, since the line can't help to choose between others. */
export function toldApart<T extends { readonly encoding: string; readonly sample: string }>(
  encodings: readonly T[],
  chosen: string,
): readonly T[] {
  const current = encodings.find(({ encoding }) => encoding === chosen)
  const ordered = current ? [current, ...encodings] : encodings
  const apart = encodings.filter((each) => ordered.find(({ sample }) => sample === each.sample) === each)
  return apart.length > 1 ? apart : encodings
}

/** Characters to show before the first difference. */
const BEFORE = 16

/** The line as read by several encodings, from shortly before they first differ. */
export function excerpts(lines: readonly string[]): string[] {
  const [first = '', ...others] = lines
  const differs = Array.from(first).findIndex((char, i) => others.some((line) => Array.from(line)[i] !== char))
  return lines.map((line) =>
    differs > BEFORE
      ? `…${Array.from(line)
          .slice(differs - BEFORE)
          .join('')}`
      : line,
  )
}
