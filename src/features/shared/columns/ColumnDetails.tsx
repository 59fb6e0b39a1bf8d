import { useState, type ReactNode } from 'react'
import type { ColumnPatch, ColumnPlan, InspectedColumn, ValueFormat } from '../../../tables/plan.ts'
import { SelectField, TextField, TypedField } from '../../../ui/fields/Field.tsx'
import { plural } from '../../../ui/format.ts'
import { FLAGS } from '../../../tables/labels.ts'
import { isNumeric, isTemporal, parseType, TypeNameError } from '../../../tables/types.ts'
import { CheckFields } from './CheckFields.tsx'
import css from './Columns.module.css'
import { MINUTES_PATTERN, patternExample, patternProblem, isoExample } from '../../../tables/meaning.ts'
import { joinWithCommas, splitAtCommas } from '../../../lib/text.ts'

const DATES = [
  '%d.%m.%Y',
  '%d/%m/%Y',
  '%m/%d/%Y',
  '%d-%m-%Y',
  '%Y/%m/%d',
  '%Y%m%d',
  '%d.%m.%y',
  '%d/%m/%y',
  '%m/%d/%y',
  '%d %b %Y',
  '%d. %B %Y',
  '%B %d, %Y',
  '%Y年%m月%d日',
]
const MOMENTS = ['%d.%m.%Y %H:%M', '%d/%m/%Y %H:%M', '%m/%d/%Y %I:%M %p', '%Y-%m-%d %H:%M', '%s', '%s.%f', '%Q', '%s%f']
const TIMES = ['%H:%M', '%I:%M %p']
const patternsFor = (type: string): readonly string[] =>
  type === 'DATE' ? DATES : type === 'TIME' ? TIMES : [...MOMENTS, ...DATES]
const ISO = 'iso'
const OTHER = 'other'
const HOURS = 'hours'

interface Props {
  readonly column: InspectedColumn
  readonly plan: ColumnPlan | undefined
  readonly locked: boolean
  readonly onChange: (patch: ColumnPatch) => void
  /** Wraps the fields for checks; without it, there are none. */
  readonly formOfChecks: FormOfChecks | undefined
}

/** Wraps fields in a form that reports their errors. */
export type FormOfChecks = (fields: ReactNode) => ReactNode

/** Why a column has its type, and how to read its text. */
export function ColumnDetails({ column, plan, locked, onChange, formOfChecks }: Props) {
  const type = plan?.type ?? column.type
  const format = plan?.format ?? {}
  const set = (patch: ValueFormat): void => onChange({ format: withoutEmpty({ ...format, ...patch }) })
  return (
    <div className={css.detail}>
      <p>{column.reason}</p>
      {column.flags.map((flag) => (
        <p key={flag}>
          <strong>{FLAGS[flag].label}.</strong> {FLAGS[flag].text}
        </p>
      ))}
      <p className={css.faint}>
        {column.nulls === 0 ? 'No nulls in any row' : `${plural(column.nulls, 'null')} in all rows`}
      </p>
      <TextField
        label="Type"
        error={typeProblem(type)}
        hint="Any type by its DuckDB name, such as DECIMAL(12,3)"
        mono
        value={type}
        disabled={locked}
        onChange={(next) => onChange({ type: next })}
      />
      {isTemporal(type) ? <DateFields type={type} format={format} locked={locked} onChange={set} /> : null}
      {type === 'INTERVAL' ? (
        <SelectField
          label="5:06 is"
          value={format.dateFormat === MINUTES_PATTERN ? MINUTES_PATTERN : HOURS}
          disabled={locked}
          options={[
            { value: HOURS, label: 'hours and minutes' },
            { value: MINUTES_PATTERN, label: 'minutes and seconds' },
          ]}
          onChange={(value) => set({ dateFormat: value === HOURS ? undefined : value })}
        />
      ) : null}
      {isNumeric(type) ? <NumberFields format={format} locked={locked} onChange={set} /> : null}
      {type === 'BOOLEAN' ? <BooleanFields format={format} locked={locked} onChange={set} /> : null}
      {formOfChecks?.(
        <CheckFields
          of={column.source || column.name}
          type={type}
          decimalMark={format.decimalMark}
          checks={plan?.checks ?? {}}
          locked={locked}
          onChange={(checks) => onChange({ checks })}
        />,
      )}
    </div>
  )
}

function typeProblem(type: string): string | null {
  try {
    parseType(type)
    return null
  } catch (error) {
    if (error instanceof TypeNameError) return `“${type}” isn’t a type.`
    throw error
  }
}

interface FormatProps {
  readonly format: ValueFormat
  readonly locked: boolean
  readonly onChange: (patch: ValueFormat) => void
}

function DateFields({ type, format, locked, onChange }: FormatProps & { readonly type: string }) {
  const { dateFormat } = format
  const patterns = patternsFor(type)
  const [other, setOther] = useState(false)
  const problem = dateFormat === undefined ? null : patternProblem(dateFormat, type !== 'TIME')
  const isOther = other || (dateFormat !== undefined && !patterns.includes(dateFormat))
  return (
    <>
      <SelectField
        label="Written as"
        value={isOther ? OTHER : (dateFormat ?? ISO)}
        disabled={locked}
        options={[
          { value: ISO, label: `${isoExample(type)} (ISO 8601)` },
          ...patterns.map((pattern) => ({ value: pattern, label: patternExample(pattern) })),
          { value: OTHER, label: 'Other' },
        ]}
        onChange={(value) => {
          setOther(value === OTHER)
          if (value !== OTHER) onChange({ dateFormat: value === ISO ? undefined : value })
        }}
      />
      {isOther ? (
        <TextField
          label="Date format"
          error={problem && `This ${problem.what}. ${problem.remedy}`}
          hint="Parts such as %d %m %Y %H %M %S; anything else is literal"
          mono
          value={dateFormat ?? ''}
          disabled={locked}
          onChange={(next) => onChange({ dateFormat: next })}
        />
      ) : null}
    </>
  )
}

function NumberFields({ format, locked, onChange }: FormatProps) {
  return (
    <div className={css.pair}>
      <SelectField
        label="Decimal mark"
        value={format.decimalMark ?? '.'}
        disabled={locked}
        options={[
          { value: '.', label: 'Point  1.5' },
          { value: ',', label: 'Comma  1,5' },
        ]}
        onChange={(decimalMark) => onChange({ decimalMark })}
      />
      <SelectField
        label="Thousands"
        value={format.grouping ?? 'none'}
        disabled={locked}
        options={[
          { value: 'none', label: 'None' },
          { value: ',', label: 'Comma' },
          { value: '.', label: 'Point' },
          { value: ' ', label: 'Space' },
          { value: "'", label: 'Apostrophe' },
        ]}
        onChange={(grouping) => onChange(grouping === 'none' ? { grouping: undefined } : { grouping })}
      />
    </div>
  )
}

function BooleanFields({ format, locked, onChange }: FormatProps) {
  return (
    <div className={css.pair}>
      <TypedField
        label="True is"
        placeholder="true"
        disabled={locked}
        value={joinWithCommas(format.trueValues ?? [])}
        onChange={(text) => onChange({ trueValues: splitAtCommas(text) })}
      />
      <TypedField
        label="False is"
        placeholder="false"
        disabled={locked}
        value={joinWithCommas(format.falseValues ?? [])}
        onChange={(text) => onChange({ falseValues: splitAtCommas(text) })}
      />
    </div>
  )
}

/** Drops empty values, which mean the default. */
function withoutEmpty(format: ValueFormat): ValueFormat {
  const kept = Object.entries(format).filter(([key, value]: [string, unknown]) => {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return false
    return !(key === 'decimalMark' && value === '.')
  })
  return Object.fromEntries(kept) as ValueFormat
}
