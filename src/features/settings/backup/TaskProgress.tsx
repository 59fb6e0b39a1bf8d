import { Button } from '../../../ui/Button.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import type { Task } from './use-task.ts'
import css from '../Settings.module.css'

/** How far something is, and a way to stop it. */
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
