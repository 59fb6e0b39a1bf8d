import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { SelectField, type Option } from '../../../../ui/fields/Field.tsx'
import type { Aggregate, ChartSpec, FurtherMeasure, Mark } from '../../types.ts'
import {
  AGGREGATES,
  MARKS,
  RULES,
  changed,
  isMeasured,
  nextMeasure,
  whyNotAggregate,
  whyNotFurther,
  whyNotMark,
  type Slot,
} from './model/choices.ts'
import { isNumeric, type Field } from './model/fields.ts'
import css from './Encodings.module.css'

interface Props {
  readonly spec: ChartSpec
  readonly fields: readonly Field[]
  readonly rows: number
  readonly onSpec: (spec: ChartSpec) => void
}

/** Choices for the mark and the encodings. Disabled options say why. */
export function Encodings({ spec, fields, rows, onSpec }: Props) {
  const rule = RULES[spec.mark]
  const change = (part: Partial<ChartSpec>): void => onSpec(changed(spec, part, fields, rows))
  const marks = MARKS.map(({ mark, label }): Option<Mark> => option(mark, label, whyNotMark(mark, fields)))
  const aggregates = aggregateOptions((each) => whyNotAggregate(each, spec, rows))
  const isCells = spec.mark === 'heatmap'
  const { more = [] } = spec
  const next = rule.several && spec.y !== null ? nextMeasure(spec, fields, rows) : null
  return (
    <fieldset aria-label="Chart settings" className={css.bar}>
      <SelectField label="Chart" compact value={spec.mark} options={marks} onChange={(mark) => change({ mark })} />
      <Column label="X" slot={rule.x} value={spec.x} fields={fields} onChange={(x) => change({ x })} />
      <Column
        label="Y"
        slot={rule.y}
        value={spec.y}
        fields={fields}
        onChange={(y) => change({ y })}
        none="Count of rows"
      />
      <SelectField
        label="Aggregate"
        compact
        value={spec.aggregate}
        options={aggregates}
        onChange={(aggregate) => change({ aggregate })}
      />
      <Column
        label="Color"
        slot={more.length > 0 ? null : rule.color}
        value={spec.color}
        fields={fields}
        onChange={(color) => change({ color })}
        none={isCells ? 'Count of rows' : 'None'}
        whyNot={more.length > 0 ? 'By measure' : undefined}
      />
      {rule.size ? (
        <Column
          label="Size"
          slot={rule.size}
          value={spec.size ?? null}
          fields={fields}
          onChange={(size) => change({ size: size ?? undefined })}
          none="All alike"
        />
      ) : null}
      {rule.several && spec.y !== null ? (
        <Button
          size="small"
          look="quiet"
          className={css.add}
          icon={<Plus aria-hidden />}
          disabled={!next}
          onClick={() => (next ? change({ more: [...more, next] }) : undefined)}
        >
          Measure
        </Button>
      ) : null}
      {more.map((_, i) => (
        <Further
          key={i}
          index={i}
          spec={spec}
          fields={fields}
          rows={rows}
          onMore={(chosen) => change({ more: chosen })}
        />
      ))}
    </fieldset>
  )
}

interface FurtherProps {
  readonly index: number
  readonly spec: ChartSpec
  readonly fields: readonly Field[]
  readonly rows: number
  readonly onMore: (more: readonly FurtherMeasure[]) => void
}

/** An additional measure. */
function Further({ index, spec, fields, rows, onMore }: FurtherProps) {
  const { more = [] } = spec
  const own = more[index]
  if (!own) return null
  const number = index + 2
  const change = (part: Partial<FurtherMeasure>): void => onMore(more.with(index, { ...own, ...part }))
  const slot: Slot = {
    takes: (field) => isNumeric(field) && !isMeasured(spec, index, { ...own, y: field.key }),
    needs: 'a number that isn’t drawn yet',
    required: true,
    prefers: [],
  }
  const aggregates = aggregateOptions((each) =>
    isMeasured(spec, index, { ...own, aggregate: each }) ? 'drawn already' : whyNotFurther(each, spec, rows),
  )
  return (
    <div className={css.further}>
      <Column
        label={`Y ${number}`}
        slot={slot}
        value={own.y}
        fields={fields}
        onChange={(y) => change({ y: y ?? own.y })}
      />
      <SelectField
        label={`Aggregate ${number}`}
        compact
        value={own.aggregate}
        options={aggregates}
        onChange={(aggregate) => change({ aggregate })}
      />
      <SelectField<'left' | 'right'>
        label={`Axis ${number}`}
        compact
        value={own.right ? 'right' : 'left'}
        options={[
          { value: 'left', label: 'Left' },
          { value: 'right', label: 'Right' },
        ]}
        onChange={(side) => change({ right: side === 'right' })}
      />
      <IconButton
        label={`Remove Y ${number}`}
        className={css.add}
        onClick={() => onMore(more.filter((_, i) => i !== index))}
      >
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

interface ColumnProps {
  readonly label: string
  readonly slot: Slot | null
  readonly value: string | null
  readonly fields: readonly Field[]
  readonly onChange: (key: string | null) => void
  /** Label of the option for no column. */
  readonly none?: string
  /** Why it can't be chosen. */
  readonly whyNot?: string | undefined
}

const NONE = '\u0000none'
/** Limit of a select's options: nobody looks through ten thousand. */
const OPTIONS = 500

function Column({ label, slot, value, fields, onChange, none = 'None', whyNot = 'Not in this chart' }: ColumnProps) {
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
    : [{ value: NONE, label: whyNot }]
  return (
    <SelectField
      label={label}
      compact
      disabled={!slot}
      value={value ?? NONE}
      options={options}
      onChange={(key) => onChange(key === NONE ? null : key)}
    />
  )
}

function option<T extends string>(value: T, label: string, whyNot: string | null): Option<T> {
  return whyNot === null ? { value, label } : { value, label: `${label} (${whyNot})`, disabled: true }
}

function aggregateOptions(whyNot: (aggregate: Aggregate) => string | null): Option<Aggregate>[] {
  const all = Object.keys(AGGREGATES) as Aggregate[]
  return all.map((each) => option(each, AGGREGATES[each], whyNot(each)))
}
