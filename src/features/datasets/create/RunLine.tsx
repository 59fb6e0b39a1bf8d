import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { plural } from '../../../ui/format.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { Steps } from '../../../ui/Steps.tsx'
import { STEPS, type Step, type TableRun } from '../model/publish.ts'
import css from './Create.module.css'

const WORDS: Readonly<Record<Step, string>> = { prepare: 'Prepare', sign: 'Sign', upload: 'Upload', load: 'Load' }

/** How far a table is, step by step, or how it ended. */
export function RunLine({ name, run }: { readonly name: string; readonly run: TableRun }) {
  if (run.kind === 'done') {
    return (
      <div className={css.end} data-tone="good">
        <CircleCheck aria-hidden />
        <div>
          <p>{plural(run.rows, 'row')} loaded</p>
          {run.notes.map((note) => (
            <p key={note} className={css.faint}>
              {note}
            </p>
          ))}
        </div>
      </div>
    )
  }
  if (run.kind === 'failed') {
    return (
      <div className={css.end} data-tone="bad" role="alert">
        <CircleAlert aria-hidden />
        <div>
          <p>
            {run.step === 'load' ? 'Not loaded' : run.step === 'upload' ? 'Not uploaded' : 'Not prepared'}:{' '}
            {run.problem.message}
          </p>
          {run.problem.place ? <p className={css.faint}>Where: {run.problem.place}.</p> : null}
          {run.problem.remedy ? <p className={css.faint}>{run.problem.remedy}</p> : null}
        </div>
      </div>
    )
  }
  const at = run.kind === 'waiting' ? -1 : STEPS.indexOf(run.step)
  return (
    <div className={css.run}>
      <Steps label={`Steps of ${name}`} steps={STEPS.map((step) => WORDS[step])} at={at} />
      {run.kind === 'running' ? <Progress label={`${WORDS[run.step]}: ${name}`} value={run.progress} /> : null}
    </div>
  )
}
