import { useId } from 'react'
import type { ParameterValue } from '../../../engine/client.ts'
import { Check, Select, TextInput } from '../../../ui/Field.tsx'
import { useSql } from '../context.tsx'
import type { SqlTab } from '../types.ts'
import { withParameter } from '../services.ts'
import { valueProblem } from './values.ts'
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
  readonly tab: SqlTab
  readonly names: readonly string[]
  readonly onRun: () => void
}

/** What the statements’ `$name` stand for. Kept with the tab. */
export function ParameterForm({ tab, names, onRun }: Props) {
  const { tabs } = useSql()
  const set = (name: string, value: ParameterValue): void =>
    tabs.change(tab.id, { parameters: withParameter(tabs.find(tab.id)?.parameters ?? tab.parameters, name, value) })
  return (
    <form
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
          value={valueOf(tab.parameters, name)}
          onChange={(value) => set(name, value)}
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
