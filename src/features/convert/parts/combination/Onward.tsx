import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import type { ConvertProgress } from '../../../../engine/client.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { useTask, type TaskState } from '../../../../ui/use-task.ts'
import { useConvert, usePublish, useQueryFiles } from '../../context.tsx'
import { isConvertible, type Combination } from '../../model/combination.ts'
import { toFailure } from '../../model/failure.ts'
import { isBusy, type Job } from '../../model/job.ts'
import { combinedFile, type CombinedFile } from '../../store/combined-file.ts'
import { FailureNotice } from '../FailureNotice.tsx'

type Next = 'query' | 'publish'

interface Onward {
  readonly state: TaskState<ConvertProgress, CombinedFile>
  readonly next: Next
  /** Takes the combined table to where it's queried or published; null while it can't be made. */
  readonly start: ((next: Next) => void) | null
  readonly cancel: () => void
  /** Takes a file along though something speaks against it. */
  readonly goOn: (file: File) => void
}

// What was handed over is in use elsewhere: it goes with the page.
const keep = (): Promise<void> => Promise.resolve()

/** What makes a combined table a file that other screens take. */
export function useOnward(job: Job, combination: Combination): Onward {
  const services = useConvert()
  const publish = usePublish()
  const query = useQueryFiles()
  const [next, setNext] = useState<Next>('query')
  const { state, start, cancel } = useTask<ConvertProgress, CombinedFile>(keep)
  const hand = (to: Next, file: File): void => {
    if (to === 'query') query([{ file, plan: null }])
    else publish([{ file, plan: null, changed: false }])
  }
  const begin = (to: Next): void => {
    setNext(to)
    void start(async (signal, onProgress) => {
      const made = await combinedFile(job, combination, services, { signal, onProgress })
      if (made.held === '') hand(to, made.file)
      return made
    })
  }
  const isPossible = isConvertible(combination) && !isBusy(job) && state.kind !== 'running'
  return { state, next, start: isPossible ? begin : null, cancel, goOn: (file) => hand(next, file) }
}

/** How far the combined table is that is to be queried or published, and what speaks against it. */
export function OnwardStatus({
  state,
  next,
  cancel,
  goOn,
  combination,
}: Onward & { readonly combination: Combination }) {
  if (state.kind === 'idle') return null
  if (state.kind === 'failed') return <FailureNotice failure={toFailure(state.error)} />
  if (state.kind === 'running') {
    const { progress } = state
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
        <p>Combining the files</p>
        <Progress label="Combining" value={value} />
      </Notice>
    )
  }
  const { held, file } = state.result
  // Columns may have been matched otherwise since.
  if (held === '' || state.result.combination !== combination) return null
  return (
    <Notice
      tone="warn"
      live="alert"
      icon={<TriangleAlert aria-hidden />}
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
