import { useState } from 'react'
import type { ConvertProgress } from '../../../engine/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { useTask, type TaskState } from '../../../ui/hooks/use-task.ts'
import { useConvert, usePublish, useQueryFiles } from '../context.tsx'
import { planProblems } from '../../../tables/edits.ts'
import { isConvertible } from '../../../tables/combine/combination.ts'
import { toFailure } from '../model/failure.ts'
import { isBusy, type Job } from '../model/job.ts'
import { withDraftApplied } from '../model/changes.ts'
import { isSameSource, tableFile, type TableFile } from '../store/table-file.ts'
import { FailureNotice } from './FailureNotice.tsx'

type Next = 'query' | 'publish'

interface Onward {
  readonly state: TaskState<ConvertProgress, TableFile>
  readonly next: Next
  /** Passes the table to SQL or Datasets; null while it can't be made. */
  readonly start: ((next: Next) => void) | null
  readonly cancel: () => void
  /** Passes on a file although it has problems. */
  readonly goOn: (file: File) => void
}

/** Makes the combined or shaped table a file that can be passed to other screens. */
export function useOnward(shown: Job): Onward {
  const job = withDraftApplied(shown)
  const services = useConvert()
  const publish = usePublish()
  const query = useQueryFiles()
  const [next, setNext] = useState<Next>('query')
  // A file that was passed on is in use elsewhere, so it isn't removed.
  const { state, start, cancel } = useTask<ConvertProgress, TableFile>()
  const hand = (to: Next, file: File): void => {
    if (to === 'query') query([{ file, plan: null }])
    else publish([{ file, plan: null, changed: false }])
  }
  const begin = (to: Next): void => {
    setNext(to)
    void start(async (signal, onProgress) => {
      const made = await tableFile(job, services, { signal, onProgress })
      signal.throwIfAborted()
      if (made.held === '') hand(to, made.file)
      return made
    })
  }
  const { combination, plan, shape } = job
  // A file's own tables are passed on as they are, so nothing has to be made.
  const isMade = combination ? isConvertible(combination) : shape && plan && planProblems(plan).length === 0
  const isPossible = isMade && !isBusy(job) && state.kind !== 'running'
  return { state, next, start: isPossible ? begin : null, cancel, goOn: (file) => hand(next, file) }
}

/** Progress of the table to be queried or published, and its problems. */
export function OnwardStatus({ state, next, cancel, goOn, job }: Onward & { readonly job: Job }) {
  if (state.kind === 'idle') return null
  if (state.kind === 'failed') return <FailureNotice failure={toFailure(state.error)} />
  if (state.kind === 'running') {
    const { progress } = state
    const what = job.combination ? 'Combining the files' : 'Running the statement'
    const value = progress && progress.totalBytes > 0 ? progress.bytes / progress.totalBytes : null
    return (
      <Notice
        tone="info"
        live="status"
        actions={
          <Button size="small" onClick={cancel}>
            Cancel
          </Button>
        }
      >
        <p>{what}</p>
        <Progress label={what} value={value} />
      </Notice>
    )
  }
  const { held, file } = state.result
  // Settings may have changed since it was made.
  if (held === '' || !isSameSource(state.result.source, withDraftApplied(job))) return null
  return (
    <Notice
      tone="warn"
      live="alert"
      actions={
        <Button size="small" onClick={() => goOn(file)}>
          {next === 'query' ? 'Query it anyway' : 'Publish it anyway'}
        </Button>
      }
    >
      <p>
        <strong>{held}</strong>
      </p>
      <p>Convert it to see them.</p>
    </Notice>
  )
}
