import { Field as Labelled, Select, type Option } from '../../../../ui/fields/Field.tsx'
import type { Aggregate, ChartSpec, Mark } from '../../types.ts'
import { AGGREGATES, MARKS, RULES, changed, whyNotAggregate, whyNotMark, type Slot } from './model/choices.ts'
import type { Field } from './model/fields.ts'
import css from './Encodings.module.css'

interface Props {
  readonly spec: ChartSpec
  readonly fields: readonly Field[]
  readonly rows: number
  readonly onSpec: (spec: ChartSpec) => void
}

/** What is drawn, and by which columns. What can't be chosen says why. */
export function Encodings({ spec, fields, rows, onSpec }: Props) {
  const rule = RULES[spec.mark]
  const change = (part: Partial<ChartSpec>): void => onSpec(changed(spec, part, fields, rows))
  const marks = MARKS.map(({ mark, label }): Option<Mark> => option(mark, label, whyNotMark(mark, fields)))
  const names = Object.keys(AGGREGATES) as Aggregate[]
  const aggregates = names.map((each): Option<Aggregate> =>
    option(each, AGGREGATES[each], whyNotAggregate(each, spec, rows)),
  )
  const isCells = spec.mark === 'heatmap'
  return (
    <fieldset aria-label="Chart settings" className={css.bar}>
      <Labelled label="Chart">
        {(ids) => <Select {...ids} compact value={spec.mark} options={marks} onChange={(mark) => change({ mark })} />}
      </Labelled>
      <Column label="X" slot={rule.x} value={spec.x} fields={fields} onChange={(x) => change({ x })} />
      <Column
        label="Y"
        slot={rule.y}
        value={spec.y}
        fields={fields}
        onChange={(y) => change({ y })}
        none="Count of rows"
      />
      <Labelled label="Aggregate">
        {(ids) => (
          <Select
            {...ids}
            compact
            value={spec.aggregate}
            options={aggregates}
            onChange={(aggregate) => change({ aggregate })}
          />
        )}
      </Labelled>
      <Column
        label="Color"
        slot={rule.color}
        value={spec.color}
        fields={fields}
        onChange={(color) => change({ color })}
        none={isCells ? 'Count of rows' : 'None'}
      />
    </fieldset>
  )
}

interface ColumnProps {
  readonly label: string
  readonly slot: Slot | null
  readonly value: string | null
  readonly fields: readonly Field[]
  readonly onChange: (key: string | null) => void
  /** What it's called when there's none. */
  readonly none?: string
}

const NONE = '\u0000none'
/** A select of ten thousand options is of no use to anybody. */
const OPTIONS = 500

function Column({ label, slot, value, fields, onChange, none = 'None' }: ColumnProps) {
  const chosen = fields.find((field) => field.key === value)
  const listed = fields.slice(0, OPTIONS)
  if (chosen && !listed.includes(chosen)) listed.push(chosen)
  const options = slot
    ? [
        ...(slot.required ? [] : [{ value: NONE, label: none }]),
        ...listed.map((field) => option(field.key, field.key, slot.takes(field) ? null : `needs ${slot.needs}`)),
        ...(fields.length > listed.length
          ? [
              {
                value: '\u0000more',
                label: `${fields.length - listed.length} more: select fewer columns`,
                disabled: true,
              },
            ]
          : []),
      ]
    : [{ value: NONE, label: 'Not in this chart' }]
  return (
    <Labelled label={label}>
      {(ids) => (
        <Select
          {...ids}
          compact
          disabled={!slot}
          value={value ?? NONE}
          options={options}
          onChange={(key) => onChange(key === NONE ? null : key)}
        />
      )}
    </Labelled>
  )
}

function option<T extends string>(value: T, label: string, whyNot: string | null): Option<T> {
  return whyNot === null ? { value, label } : { value, label: `${label} (${whyNot})`, disabled: true }
}
