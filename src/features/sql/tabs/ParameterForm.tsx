import { distinctNames } from '../../../lib/duckdb-sql/index.ts'
import { useId, useEffect, useRef, useState } from 'react'
import type { ParameterValue } from '../../../engine/client.ts'
import { Check, Select, TextInput } from '../../../ui/fields/Field.tsx'
import type { StatementProblem } from '../results/problem.ts'
import type { Runner } from '../results/runner.ts'
import type { SqlTab } from '../types.ts'
import css from './ParameterForm.module.css'

type Type = ParameterValue['type']

const TYPES: readonly { readonly value: Type; readonly label: string }[] = [
  { value: 'VARCHAR', label: 'Text' },
  { value: 'BIGINT', label: 'Integer' },
  { value: 'DECIMAL(38,9)', label: 'Decimal' },
  { value: 'DOUBLE', label: 'Floating point' },
  { value: 'BOOLEAN', label: 'Boolean' },
  { value: 'DATE', label: 'Date' },
  { value: 'TIMESTAMP', label: 'Date and time' },
]
const HINTS: Partial<Record<Type, string>> = {
  DATE: '2024-01-31',
  TIMESTAMP: '2024-01-31 14:30:00',
  BOOLEAN: 'true or false',
  BIGINT: '42',
  DOUBLE: '1.5e3',
  'DECIMAL(38,9)': '19.90',
}

interface Props {
  readonly values: SqlTab['parameters']
  readonly names: readonly string[]
  /** Of the last run: the field that it lacks gets the focus. */
  readonly problem?: StatementProblem | null
  readonly onChange: (values: SqlTab['parameters']) => void
  readonly onRun: () => void
}

/** Problems whose field got the focus, which stays where it goes then. */
const answered = new WeakSet<StatementProblem>()

/** Fields for the values of `$name`, `$1` and `?`. */
export function ParameterForm({ values, names, problem, onChange, onRun }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!problem || answered.has(problem)) return
    const missing = names.find((name) => name.toLowerCase() === problem.missing?.toLowerCase())
    const field = form.current?.elements.namedItem(missing?.toLowerCase() ?? '')
    if (!(field instanceof HTMLElement)) return
    answered.add(problem)
    field.focus()
  }, [problem, names])
  return (
    <form
      ref={form}
      aria-label="Parameters"
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        onRun()
      }}
    >
      {names.map((name) => (
        <Parameter
          key={name.toLowerCase()}
          name={name}
          value={valueOf(values, name)}
          onChange={(value) => onChange(withParameter(values, name, value))}
        />
      ))}
      {/* Enter in any of the fields runs the statement. */}
      <button type="submit" hidden aria-label="Use these values" />
    </form>
  )
}

function valueOf(parameters: SqlTab['parameters'], name: string): ParameterValue | null {
  const found = Object.entries(parameters).find(([each]) => each.toLowerCase() === name.toLowerCase())
  return found?.[1] ?? null
}

interface ParameterProps {
  readonly name: string
  readonly value: ParameterValue | null
  readonly onChange: (value: ParameterValue) => void
}

function Parameter({ name, value, onChange }: ParameterProps) {
  const id = useId()
  const { type = 'VARCHAR', text = '' } = value ?? {}
  const wrong = value ? valueProblem(value) : null
  return (
    <div className={css.parameter}>
      <label htmlFor={id} className={css.name}>
        ${name}
      </label>
      <TextInput
        id={id}
        name={name.toLowerCase()}
        compact
        mono
        value={text ?? ''}
        disabled={text === null}
        placeholder={text === null ? 'NULL' : (HINTS[type] ?? '')}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(next) => onChange({ type, text: next })}
      />
      <Select
        compact
        aria-label={`Type of $${name}`}
        value={type}
        options={TYPES}
        onChange={(next) => onChange({ type: next, text })}
      />
      <Check label="NULL" checked={text === null} onChange={(none) => onChange({ type, text: none ? null : '' })} />
      {wrong ? (
        <p id={`${id}-wrong`} className={css.wrong}>
          {wrong}
        </p>
      ) : null}
    </div>
  )
}

const SHAPES: Partial<Record<ParameterValue['type'], readonly [RegExp, string]>> = {
  BIGINT: [/^[+-]?\d{1,19}$/, 'A whole number, such as 42.'],
  DOUBLE: [/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$|^[+-]?(inf(inity)?|nan)$/i, 'A number, such as 1.5 or 2e9.'],
  'DECIMAL(38,9)': [/^[+-]?(\d{1,29}(\.\d{0,9})?|\.\d{1,9})$/, 'A number with up to 9 decimals, such as 19.90.'],
  BOOLEAN: [/^(true|false)$/i, 'true or false.'],
  DATE: [/^\d{4}-\d{2}-\d{2}$/, 'A date such as 2024-01-31.'],
  TIMESTAMP: [/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?$/, 'Such as 2024-01-31 14:30:00.'],
}

/** Describes the expected form if a value doesn't have it; null if it may be valid, which the engine decides. */
function valueProblem({ type, text }: ParameterValue): string | null {
  const shape = SHAPES[type]
  if (!shape || text === null) return null
  return shape[0].test(text.trim()) ? null : shape[1]
}

/** Delay after typing before the text is parsed, in milliseconds. */
const PAUSE = 250
const NONE: readonly string[] = []

/**
 * Names of the parameters in a text's statements (a number for `?`), in order of first use.
 * @param runner its session parses the text
 */
export function useParameters(runner: Runner | null, text: string): readonly string[] {
  const [names, setNames] = useState(NONE)
  // A text without these characters needn't be parsed.
  const may = /\?|\$[\p{L}\p{N}_]/u.test(text)
  useEffect(() => {
    if (!may || !runner) return
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      runner
        .session()
        .split(text, { signal })
        .then(
          (statements) =>
            setNames(
              distinctNames(
                statements.flatMap(({ parameters }) => parameters),
                (name) => name,
              ),
            ),
          // While a text can't be parsed, it keeps its parameters.
          () => undefined,
        )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [may, runner, text])
  return may ? names : NONE
}

/** Sets a parameter, or removes it (null). */
function withParameter(
  parameters: Readonly<Record<string, ParameterValue>>,
  name: string,
  value: ParameterValue | null,
): Readonly<Record<string, ParameterValue>> {
  const others = Object.entries(parameters).filter(([each]) => each.toLowerCase() !== name.toLowerCase())
  return Object.fromEntries(value ? [...others, [name, value]] : others)
}
