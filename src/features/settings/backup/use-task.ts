import { explain, isDiskFull, problem, type Problem } from '../../shared/problem.ts'
import { useTask as useRunning } from '../../../ui/hooks/use-task.ts'

interface TaskOptions {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/** Something long that can be cancelled, one at a time. */
export interface Task {
  readonly running: boolean
  /** From 0 to 1; null while it isn't known. */
  readonly progress: number | null
  readonly error: Problem | null
  readonly start: (work: (options: TaskOptions) => Promise<void>) => void
  readonly cancel: () => void
}

const discardNothing = (): Promise<void> => Promise.resolve()

/** It's cancelled when the screen is left. */
export function useTask(): Task {
  const { state, start, cancel } = useRunning<number | null, null>(discardNothing)
  return {
    running: state.kind === 'running',
    progress: state.kind === 'running' ? state.progress : null,
    error: state.kind === 'failed' ? explained(state.error) : null,
    start: (work) =>
      void start(async (signal, onProgress) => {
        await work({ signal, onProgress: (done, total) => onProgress(total > 0 ? done / total : null) })
        return null
      }),
    cancel,
  }
}

function explained(cause: unknown): Problem {
  return isDiskFull(cause)
    ? problem(
        'There isn’t enough room on this disk. Nothing was changed.',
        'Free some space, or delete datasets, and try again.',
      )
    : explain(cause, null)
}
