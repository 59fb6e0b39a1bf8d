import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import css from './Field.module.css'

interface LabelProps {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with the input. It's announced when it appears. */
  readonly error?: ReactNode
}

interface FieldProps extends LabelProps {
  readonly className?: string
  /** Receives the ids for the control, its hint and its error. */
  readonly children: (ids: ControlIds) => ReactNode
}

export interface ControlIds {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
}

/** A label above a control, and a hint or an error below it. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const described = [error ? errorId : '', hint ? hintId : ''].filter(Boolean).join(' ')
  return (
    <div className={cx(css.field, className)}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      {children({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {error ? (
        <p id={errorId} role="alert" className={css.error}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={hintId} className={css.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
  readonly disabled?: boolean
}

interface SelectProps<T extends string> extends Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  readonly value: T
  readonly options: readonly Option<T>[]
  readonly onChange: (value: T) => void
  readonly compact?: boolean
}

/** The browser's own select, which works with every keyboard, screen reader and phone. */
export function Select<T extends string>({ value, options, onChange, compact, className, ...rest }: SelectProps<T>) {
  return (
    <select
      {...rest}
      className={cx(css.control, css.select, compact && css.compact, className)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** A select with its label. */
export function SelectField<T extends string>({
  label,
  hint,
  error,
  className,
  ...select
}: SelectProps<T> & LabelProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(ids) => <Select {...ids} {...select} />}
    </Field>
  )
}

interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly onChange: (value: string) => void
  readonly compact?: boolean
  readonly mono?: boolean
}

export function TextInput({ onChange, compact, mono, className, ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      className={cx(css.control, compact && css.compact, mono && css.mono, className)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** A line of text with its label. */
export function TextField({ label, hint, error, className, ...input }: TextInputProps & LabelProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(ids) => <TextInput {...ids} {...input} />}
    </Field>
  )
}

interface TypedInputProps extends Omit<ComponentProps<typeof TextInput>, 'defaultValue'> {
  /** The current value, as text. */
  readonly value: string
}

/** Shows the current value or, while somebody types, what they typed, whether or not it's valid so far. */
export function TypedInput({ value, onChange, ...rest }: TypedInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      {...rest}
      value={typed ?? value}
      onChange={(text) => {
        setTyped(text)
        onChange(text)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** A `TypedInput` with a label. */
export function TypedField({ label, hint, error, className, ...input }: TypedInputProps & LabelProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(ids) => <TypedInput {...ids} {...input} />}
    </Field>
  )
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly onChange: (value: string) => void
}

export function TextArea({ onChange, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={3}
      {...rest}
      className={cx(css.control, css.area, className)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** A text area with a label. */
export function TextAreaField({ label, hint, error, className, ...area }: TextAreaProps & LabelProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(ids) => <TextArea {...ids} {...area} />}
    </Field>
  )
}

interface CheckProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly disabled?: boolean
}

/** A checkbox followed by its label. */
export function Check({ checked, onChange, label, hint, disabled }: CheckProps) {
  const hintId = useId()
  return (
    <div className={css.check}>
      <label className={css.checkLabel}>
        <input
          type="checkbox"
          className={css.box}
          checked={checked}
          disabled={disabled}
          aria-describedby={hint ? hintId : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint ? (
        <p id={hintId} className={css.checkHint}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}
