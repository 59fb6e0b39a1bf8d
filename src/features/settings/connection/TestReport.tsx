import CircleCheck from 'lucide-react/icons/circle-check'
import CircleMinus from 'lucide-react/icons/circle-minus'
import CircleX from 'lucide-react/icons/circle-x'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Spinner } from '../../../ui/Spinner.tsx'
import type { StepState } from './findings.ts'
import { STEPS, type Report, type Step, type StepId } from './probe.ts'
import own from './Connection.module.css'

const ICONS = { ok: CircleCheck, warn: TriangleAlert, bad: CircleX, skipped: CircleMinus } as const
const WORDS: Readonly<Record<StepState, string>> = {
  ok: 'works',
  warn: 'works with limits',
  bad: 'doesn’t work',
  skipped: 'not tried',
}

interface Props {
  readonly steps: readonly Step[]
  readonly report: Report | null
  readonly running: boolean
}

/** The connection test's results, line by line as they arrive. */
export function TestReport({ steps, report, running }: Props) {
  const waiting = (Object.keys(STEPS) as StepId[]).filter((id) => !steps.some((step) => step.id === id))
  const ordered = (Object.keys(STEPS) as StepId[]).flatMap((id) => steps.find((step) => step.id === id) ?? [])
  const tried = ordered.filter(({ state }) => state !== 'skipped')
  const skipped = ordered.filter(({ state }) => state === 'skipped')
  return (
    <section aria-label="Test result" aria-busy={running} className={own.report}>
      <p className={own.verdict} data-state={report ? (report.usable ? 'ok' : 'bad') : 'running'}>
        {report ? verdict(report) : 'Testing…'}
      </p>
      <ol>
        {tried.map(({ id, state, text, remedy }) => {
          const Icon = ICONS[state]
          return (
            <li key={id} className={own.step} data-state={state}>
              <Icon aria-hidden />
              <span className={own.stepName}>
                {STEPS[id]}
                <span className="visually-hidden">: {WORDS[state]}. </span>
              </span>
              <span className={own.stepText}>
                {text}
                {remedy ? <span className={own.remedy}>{remedy}</span> : null}
              </span>
            </li>
          )
        })}
        {skipped.length > 0 ? (
          <li className={own.step} data-state="skipped">
            <CircleMinus aria-hidden />
            <span className={own.stepName}>Not tried</span>
            <span className={own.stepText}>
              {skipped.map(({ id }) => STEPS[id]).join(', ')}: what they need isn’t there.
            </span>
          </li>
        ) : null}
        {running && waiting[0] ? (
          <li className={own.step} data-state="running">
            <Spinner />
            <span className={own.stepName}>{STEPS[waiting[0]]}</span>
            <span className={own.stepText}>…</span>
          </li>
        ) : null}
      </ol>
    </section>
  )
}

function verdict({ usable, steps }: Report): string {
  if (!usable) return 'Rowhouse can’t work with this connection yet.'
  const limits = steps.filter(({ state }) => state === 'warn').length
  return limits === 0 ? 'Everything works.' : `It works, with ${limits === 1 ? 'one limit' : `${limits} limits`}.`
}
