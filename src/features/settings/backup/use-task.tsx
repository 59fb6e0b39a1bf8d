import { explain, isDiskFull, problem, type Problem } from '../../shared/problem.ts'
import { useTask as useRunning } from '../../../ui/hooks/use-task.ts'
import { Button } from '../../../ui/Button.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import css from '../Settings.module.css'

interface TaskOptions {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/** A long task that can be cancelled; one at a time. */
export interface Task {
  readonly running: boolean
  /** From 0 to 1; null if it isn't known. */
  readonly progress: number | null
  readonly error: Problem | null
  readonly start: (work: (options: TaskOptions) => Promise<void>) => void
  readonly cancel: () => void
}

/** The task is cancelled when the screen is left. */
export function useTask(): Task {
  const { state, start, cancel } = useRunning<number | null, null>()
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

/** A task's progress, with a button to cancel it. */
export function TaskProgress({ label, task }: { readonly label: string; readonly task: Task }) {
  const percent = task.progress === null ? '' : `, ${Math.floor(task.progress * 100)} %`
  return (
    <div className={css.progress} style={{ flex: 1 }}>
      <div className={css.progressLine}>
        <output>{label}…</output>
        <span>{percent.slice(2)}</span>
        <Button size="small" onClick={task.cancel}>
          Cancel
        </Button>
      </div>
      <Progress label={label} value={task.progress} />
    </div>
  )
}
