import css from './Steps.module.css'

interface StepsProps {
  readonly label: string
  readonly steps: readonly string[]
  /** Index of the current step; -1 before the first. */
  readonly at: number
}

/** Steps in their order: those done, the current one, and those to come. */
export function Steps({ label, steps, at }: StepsProps) {
  return (
    <ol className={css.steps} aria-label={label}>
      {steps.map((step, i) => (
        <li
          key={step}
          data-state={i < at ? 'done' : i === at ? 'now' : 'next'}
          aria-current={i === at ? 'step' : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  )
}
