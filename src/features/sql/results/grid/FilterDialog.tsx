import { useState } from 'react'
import type { ColumnStats, ResultColumn, ResultSet } from '../../../../engine/client.ts'
import { FormDialog } from '../../../../ui/overlays/Dialog.tsx'
import { Field, SelectField, TextArea, TextField } from '../../../../ui/fields/Field.tsx'
import { lineOf, placeOf, type Range } from './range.ts'
import { RangeFields } from './RangeFields.tsx'
import { condition, linesOf, OPERATORS, operatorsOf, type Operator } from './statement.ts'
import { ValueList } from './ValueList.tsx'
import css from './Result.module.css'

interface Props {
  readonly set: ResultSet
  /** Index of the column. */
  readonly column: number
  /** The active cell's value, as a default. */
  readonly suggestion: string | null
  /** Null until they are known. */
  readonly stats: ColumnStats | null
  readonly onFilter: (conditions: readonly string[]) => void
  readonly onClose: () => void
}

type Choice = Operator | 'between'

/** Most values that a list offers. */
const FEW = 1000
const NO_COLUMN: ResultColumn = { name: '', type: 'VARCHAR' }

/** The default choice: a range or a list if the column allows it, unless there's a cell's value. */
function firstChoice(choices: readonly Choice[], suggestion: string | null, stats: ColumnStats | null): Choice {
  const first = choices[0] ?? 'null'
  if (suggestion !== null) return first
  if (choices.includes('between') && stats?.histogram) return 'between'
  return choices.includes('one-of') && stats?.top && (stats.distinct?.count ?? Infinity) <= FEW ? 'one-of' : first
}

/** The conditions of a range. One end may be empty. */
function rangeConditions(column: ResultColumn, { from, to }: Range): readonly string[] {
  if (from.trim() === '' && to.trim() === '') throw new RangeError('Write where the range begins or ends.')
  const [low, high] = [placeOf(column.type, from), placeOf(column.type, to)]
  if (low !== null && high !== null && low > high) throw new RangeError('This is more than the range’s end.')
  return [
    ...(from.trim() === '' ? [] : [condition(column, 'at-least', from)]),
    ...(to.trim() === '' ? [] : [condition(column, 'at-most', to)]),
  ]
}

/** Filters by a column. */
export function FilterDialog({ set, column: index, suggestion, stats, onFilter, onClose }: Props) {
  const column = set.columns[index] ?? NO_COLUMN
  const choices = choicesOf(column.type)
  const [operator, setOperator] = useState(() => firstChoice(choices, suggestion, stats))
  const [value, setValue] = useState(suggestion ?? '')
  const [range, setRange] = useState<Range>({ from: '', to: '' })
  const [error, setError] = useState<string | null>(null)
  const change = (next: string): void => {
    setValue(next)
    setError(null)
  }
  const submit = (): void => {
    try {
      onFilter(operator === 'between' ? rangeConditions(column, range) : [condition(column, operator, value)])
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      setError(cause.message)
    }
  }
  return (
    <FormDialog
      title={`Filter by “${column.name}”`}
      description="Writes the condition into the statement and runs it."
      action="Filter"
      className={css.form}
      onClose={onClose}
      onSubmit={submit}
    >
      <SelectField
        label="Rows where it"
        value={operator}
        options={choices.map((own) => ({ value: own, label: labelOf(own) }))}
        onChange={(next) => {
          setOperator(next)
          setError(null)
        }}
      />
      {operator === 'between' ? (
        <RangeFields
          type={column.type}
          line={lineOf(column.type, stats)}
          range={range}
          error={error}
          onChange={(next) => {
            setRange(next)
            setError(null)
          }}
        />
      ) : operator === 'one-of' ? (
        <>
          <Field label="Values" hint={`${column.type}, one per line`} error={error}>
            {(ids) => <TextArea {...ids} rows={3} value={value} onChange={change} />}
          </Field>
          <ValueList
            set={set}
            column={index}
            frequent={stats?.top?.values ?? []}
            chosen={linesOf(value)}
            onChange={(lines) => change(lines.join('\n'))}
          />
        </>
      ) : OPERATORS[operator].hasValue ? (
        <TextField label="Value" hint={column.type} error={error} mono value={value} onChange={change} />
      ) : null}
    </FormDialog>
  )
}

/** Ranges need a type with an order. */
function choicesOf(type: string): readonly Choice[] {
  const operators = operatorsOf(type)
  return operators.includes('less') && !operators.includes('contains') ? [...operators, 'between'] : operators
}

const labelOf = (choice: Choice): string => (choice === 'between' ? 'is between' : OPERATORS[choice].label)
