import { useId, useState } from 'react'
import type { ResultColumn } from '../../../../engine/client.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { Field, Select, TextInput } from '../../../../ui/fields/Field.tsx'
import { condition, OPERATORS, operatorsOf, type Operator } from './statement.ts'
import css from './Result.module.css'

interface Props {
  readonly column: ResultColumn
  /** What the active cell holds: likely what is meant. */
  readonly suggestion: string | null
  readonly onFilter: (condition: string) => void
  readonly onClose: () => void
}

/** Which rows to keep, by one column. */
export function FilterDialog({ column, suggestion, onFilter, onClose }: Props) {
  const form = useId()
  const operators = operatorsOf(column.type)
  const [operator, setOperator] = useState<Operator>(operators[0] ?? 'null')
  const [value, setValue] = useState(suggestion ?? '')
  const [error, setError] = useState<string | null>(null)
  const { hasValue } = OPERATORS[operator]
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
        {hasValue ? (
          <Field label="Value" hint={column.type} error={error}>
            {(ids) => (
              <TextInput
                {...ids}
                mono
                value={value}
                onChange={(next) => {
                  setValue(next)
                  setError(null)
                }}
              />
            )}
          </Field>
        ) : null}
      </form>
    </Dialog>
  )
}
