import type { ShownRun } from './types.ts'
import css from './ResultArea.module.css'

/** Notes about a run's rows, shown above them. */
export function Notes({ run }: { readonly run: ShownRun | null }) {
  const line = (note: string, sample: boolean) => (
    <p key={note} className={css.note} data-sample={sample || undefined}>
      {note}
    </p>
  )
  return (
    <>
      {run?.samples?.map((note) => line(note, true))}
      {run?.summary?.notes?.map((note) => line(note, false))}
    </>
  )
}
