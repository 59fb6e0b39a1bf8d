import Ban from 'lucide-react/icons/ban'
import Check from 'lucide-react/icons/check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleX from 'lucide-react/icons/circle-x'
import { Spinner } from '../../../ui/Spinner.tsx'
import { findAgain } from './text.ts'
import type { Step } from './types.ts'
import css from './Steps.module.css'

const ICONS = { waiting: CircleDashed, running: Spinner, done: Check, failed: CircleX, cancelled: Ban } as const
const WORDS = { waiting: 'not run', running: 'runs', done: 'done', failed: 'failed', cancelled: 'cancelled' } as const

interface Props {
  readonly steps: readonly Step[]
  readonly text: string
  readonly onGoTo: (range: { readonly from: number; readonly to: number }) => void
}

/** The statements of a script, with the outcome of each. */
export function Steps({ steps, text, onGoTo }: Props) {
  return (
    <ol className={css.list} aria-label="Statements">
      {steps.map((step, i) => {
        const Icon = ICONS[step.outcome]
        const place = findAgain(text, step.statement, step.from)
        return (
          <li key={step.from} className={css.step} data-outcome={step.outcome}>
            <Icon aria-hidden />
            <button type="button" disabled={!place} onClick={() => (place ? onGoTo(place) : undefined)}>
              <span className={css.number}>{i + 1}</span>
              <code>{step.statement.replaceAll(/\s+/g, ' ').slice(0, 160)}</code>
            </button>
            <span className={css.note}>{step.outcome === 'done' && step.note ? step.note : WORDS[step.outcome]}</span>
          </li>
        )
      })}
    </ol>
  )
}
