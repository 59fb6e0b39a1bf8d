import { useId, type ReactNode } from 'react'
import css from './Choices.module.css'

interface Choice<T extends string> {
  readonly value: T
  readonly label: string
  readonly hint?: ReactNode
  readonly icon?: ReactNode
}

interface ChoicesProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly choices: readonly Choice<T>[]
  /** What is wrong, or why it can't be changed. */
  readonly error?: ReactNode
}

/** A choice of a few, each with an explanation: radio buttons that look like cards. */
export function Choices<T extends string>({ label, value, onChange, choices, error }: ChoicesProps<T>) {
  const name = useId()
  return (
    <fieldset role="radiogroup" aria-label={label} className={css.group}>
      <legend className={css.legend}>{label}</legend>
      <div className={css.cards}>
        {choices.map((choice) => (
          <label key={choice.value} className={css.card}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              aria-describedby={choice.hint ? `${name}-${choice.value}` : undefined}
              onChange={() => onChange(choice.value)}
            />
            <span className={css.words}>
              <span className={css.name}>
                {choice.icon}
                {choice.label}
              </span>
            </span>
            {choice.hint ? (
              <span id={`${name}-${choice.value}`} aria-hidden className={css.hint}>
                {choice.hint}
              </span>
            ) : null}
          </label>
        ))}
      </div>
      {error ? (
        <p role="alert" className={css.error}>
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
