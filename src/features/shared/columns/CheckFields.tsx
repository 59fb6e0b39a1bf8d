import type { ColumnChecks } from '../../../tables/checks.ts'
import { expressionProblem } from '../../../tables/checking.ts'
import { isInteger, isNumeric, isTemporal } from '../../../tables/types.ts'
import { CheckedField } from '../../../ui/fields/CheckedField.tsx'
import { Check, TypedField } from '../../../ui/fields/Field.tsx'
import { numberProblem } from '../../../ui/fields/mistyped.ts'
import css from './Columns.module.css'
import { isoExample, valueProblem } from '../../../tables/meaning.ts'
import { joinWithCommas, splitAtCommas } from '../../../lib/text.ts'

interface Props {
  /** The column's name, for messages outside the fields. */
  readonly of: string
  readonly type: string
  /** The decimal mark in the file. */
  readonly decimalMark: string | undefined
  readonly checks: ColumnChecks
  readonly locked: boolean
  readonly onChange: (checks: ColumnChecks) => void
}

/** Checks of a column's values, which run during the conversion. */
export function CheckFields({ of, type, decimalMark, checks, locked, onChange }: Props) {
  const set = (patch: Partial<ColumnChecks>): void => onChange({ ...checks, ...patch })
  const isText = type === 'VARCHAR'
  const field = (
    label: string,
    value: string,
    change: (text: string) => void,
    { hint, error }: { readonly hint?: string; readonly error?: string | null },
  ) => (
    <TypedField
      label={label}
      hint={hint}
      error={error ?? undefined}
      disabled={locked}
      value={value}
      onChange={(text) => change(text.trim())}
    />
  )
  // Accepts the file's decimal mark, but stores checks in the common form.
  const inForm = (text: string): string => (decimalMark === ',' && COMMA.test(text) ? text.replace(',', '.') : text)
  const limit = (label: string, value: string, change: (text: string) => void) =>
    field(label, value, (text) => change(inForm(text)), {
      hint: `Such as ${isInteger(type) ? '1234' : isNumeric(type) ? '1234.5' : isoExample(type)}`,
      error: value === '' ? null : valueProblem(type, value),
    })
  const count = (label: string, value: number | undefined, change: (count: number | undefined) => void) => (
    <CheckedField
      label={label}
      fullLabel={`${of}: ${label}`}
      inputMode="numeric"
      disabled={locked}
      value={String(value ?? '')}
      check={(text) => (text.trim() === '' ? null : numberProblem(text, 0, 999_999_999))}
      onChange={(text) => change(text.trim() === '' ? undefined : Number(text))}
    />
  )
  return (
    <fieldset className={css.checks}>
      <legend>Check while converting</legend>
      <Check
        label="A value in every row"
        checked={checks.required ?? false}
        disabled={locked}
        onChange={(required) => set({ required })}
      />
      <Check
        label="No value twice"
        checked={checks.unique ?? false}
        disabled={locked}
        onChange={(unique) => set({ unique })}
      />
      {isNumeric(type) || isTemporal(type) ? (
        <div className={css.pair}>
          {limit('Least', checks.minimum ?? '', (minimum) => set({ minimum }))}
          {limit('Greatest', checks.maximum ?? '', (maximum) => set({ maximum }))}
        </div>
      ) : null}
      {isText ? (
        <>
          <div className={css.pair}>
            {count('Characters, at least', checks.minLength, (minLength) => set({ minLength }))}
            {count('Characters, at most', checks.maxLength, (maxLength) => set({ maxLength }))}
          </div>
          {field('Pattern', checks.pattern ?? '', (pattern) => set({ pattern }), {
            hint: 'A regular expression for the whole value',
            error: expressionProblem(checks.pattern ?? ''),
          })}
        </>
      ) : null}
      {field('Only these values', joinWithCommas(checks.enum ?? []), (text) => set({ enum: splitAtCommas(text) }), {
        hint: 'Separated by commas. Put a value that has a comma in quotes',
        error: (checks.enum ?? []).map((value) => valueProblem(type, value)).find((problem) => problem !== null),
      })}
    </fieldset>
  )
}

const COMMA = /^[+-]?\d*,\d+$/
