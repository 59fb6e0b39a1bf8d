import { formatInfo } from '../../../contract/formats.ts'
import { plural } from '../../../lib/counts.ts'
import { grouped, openProposals } from '../../../tables/proposals.ts'
import { isHeld, type Job, leftOutCountOf, rowsIn } from './job.ts'
import type { JobRecord, StoredState } from './records.ts'
import { problemsOf } from './splitting.ts'

/** A summary of a file in one line. */
export interface LineWords {
  /** Null until they're counted. */
  readonly rows: string | null
  readonly state: string
  /** `warn` if the person should look at it, `bad` if they must. */
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
}

/** @param aside whether it's a text about the other files */
export function wordsOf(job: Job, aside = false): LineWords {
  const { inspection, stage } = job
  const rows = inspection && plural(rowsIn(inspection), 'row')
  return { rows, ...(aside && stage.kind === 'ready' ? ASIDE : stateWords(job)) }
}

const ASIDE: StateWords = { state: 'A text, left out', tone: 'plain' }

type StateWords = Omit<LineWords, 'rows'>

function stateWords(job: Job): StateWords {
  const { stage, result } = job
  switch (stage.kind) {
    case 'reading':
      return { state: job.wanted ? 'Reading, then it’s converted' : 'Reading', tone: 'plain' }
    case 'queued':
      return { state: 'Waiting for its turn', tone: 'plain' }
    case 'converting':
      return { state: convertingWords(stage.progress), tone: 'plain' }
    case 'failed':
      return { state: stage.failure.message, tone: 'bad' }
    case 'done':
      return result && isHeld(result) ? unfit(result.rejectedCount) : { state: 'Converted, verified', tone: 'good' }
    case 'ready':
      return readyWords(job, stage.cancelled === true)
  }
}

function convertingWords(progress: Extract<Job['stage'], { kind: 'converting' }>['progress']): string {
  if (!progress || progress.totalBytes === 0) return 'Converting'
  const share = Math.floor((100 * Math.min(progress.bytes, progress.totalBytes)) / progress.totalBytes)
  return `${progress.phase === 'convert' ? 'Converting' : 'Verifying'}, ${share} %`
}

function readyWords(job: Job, cancelled: boolean): StateWords {
  const [problem] = problemsOf(job)
  if (problem !== undefined) return { state: problem, tone: 'bad' }
  const rejected = leftOutCountOf(job)
  if (rejected > 0) return unfit(rejected)
  const { inspection, plan } = job
  const open = inspection && plan ? grouped(openProposals(inspection, plan)).length : 0
  if (open > 0) return { state: plural(open, 'proposal'), tone: 'warn' }
  return { state: cancelled ? 'Cancelled' : 'Ready', tone: 'plain' }
}

const unfit = (count: number): StateWords => ({
  state: `${plural(count, 'row')} ${count === 1 ? 'doesn’t' : 'don’t'} fit`,
  tone: 'warn',
})

export function storedWords({ result, failure }: JobRecord, state: StoredState): LineWords {
  const rows = null
  switch (state) {
    case 'finished':
      if (!result) return { rows, state: 'Converted', tone: 'good' }
      if (isHeld(result)) return { rows, ...unfit(result.rejectedCount) }
      return { rows, state: `Converted to ${formatInfo(result.target).displayName}`, tone: 'good' }
    case 'elsewhere':
      return { rows, state: 'Open in another tab', tone: 'plain' }
    case 'failed':
      return { rows, state: failure?.message ?? 'Failed', tone: 'bad' }
    case 'interrupted':
      return { rows, state: 'Interrupted', tone: 'plain' }
  }
}
