import { useId, useState } from 'react'
import type { ResultColumn, TopValue } from '../../../../engine/client.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { Check, Field, Select, TextArea, TextInput } from '../../../../ui/fields/Field.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { cellText } from './Cell.tsx'
import { condition, linesOf, OPERATORS, operatorsOf, type Operator } from './statement.ts'
import css from './Result.module.css'

interface Props {
  readonly column: ResultColumn
  /** What the active cell holds: likely what is meant. */
  readonly suggestion: string | null
  /** The column's most frequent values. */
  readonly frequent: readonly TopValue[]
  readonly onFilter: (condition: string) => void
  readonly onClose: () => void
}

/** Characters; statistics cut their texts there. */
const LONGEST = 200

/** Which rows to keep, by one column. */
export function FilterDialog({ column, suggestion, frequent, onFilter, onClose }: Props) {
  const form = useId()
  const operators = operatorsOf(column.type)
  const [operator, setOperator] = useState<Operator>(operators[0] ?? 'null')
  const [value, setValue] = useState(suggestion ?? '')
  const [error, setError] = useState<string | null>(null)
  const { hasValue } = OPERATORS[operator]
  const change = (next: string): void => {
    setValue(next)
    setError(null)
  }
  const submit = (): void => {
    try {
      onFilter(condition(column, operator, value))
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      setError(cause.message)
    }
  }
  return (
    <Dialog
      title={`Filter by “${column.name}”`}
      description="Writes the condition into the statement and runs it."
      open
      onClose={onClose}
      action={
        <Button look="primary" type="submit" form={form}>
          Filter
        </Button>
      }
    >
      <form
        id={form}
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label="Rows where it">
          {(ids) => (
            <Select
              {...ids}
              value={operator}
              options={operators.map((own) => ({ value: own, label: OPERATORS[own].label }))}
              onChange={(next) => {
                setOperator(next)
                setError(null)
              }}
            />
          )}
        </Field>
        {operator === 'one-of' ? (
          <>
            <Field label="Values" hint={`${column.type}, one in each line`} error={error}>
              {(ids) => <TextArea {...ids} rows={4} value={value} onChange={change} />}
            </Field>
            <Frequent values={frequent} chosen={linesOf(value)} onChange={(lines) => change(lines.join('\n'))} />
          </>
        ) : hasValue ? (
          <Field label="Value" hint={column.type} error={error}>
            {(ids) => <TextInput {...ids} mono value={value} onChange={change} />}
          </Field>
        ) : null}
      </form>
    </Dialog>
  )
}

interface FrequentProps {
  readonly values: readonly TopValue[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** The column's most frequent values, to be ticked. */
function Frequent({ values, chosen, onChange }: FrequentProps) {
  // A line of the field has to be all of the value.
  const offered = values.filter(({ text }) => text !== '' && text.length < LONGEST && !/[\r\n]/.test(text))
  if (offered.length === 0) return null
  return (
    <fieldset className={css.frequent}>
      <legend>Frequent values</legend>
      {offered.map(({ text, count }) => (
        <Check
          key={text}
          label={`${cellText(text)} (${formatCount(count)})`}
          checked={chosen.includes(text)}
          onChange={(checked) => onChange(checked ? [...chosen, text] : chosen.filter((each) => each !== text))}
        />
      ))}
    </fieldset>
  )
}
