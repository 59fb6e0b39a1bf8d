import type { ColumnChecks } from '../../../tables/checks.ts'
import { isNumeric, isTemporal } from '../../../tables/types.ts'
import { Check, TypedField } from '../../../ui/fields/Field.tsx'
import css from './Columns.module.css'

interface Props {
  readonly type: string
  readonly checks: ColumnChecks
  readonly locked: boolean
  readonly onChange: (checks: ColumnChecks) => void
}

/** What the values of a column have to be: tried while the file is converted. */
export function CheckFields({ type, checks, locked, onChange }: Props) {
  const set = (patch: Partial<ColumnChecks>): void => onChange({ ...checks, ...patch })
  const isText = type === 'VARCHAR'
  const field = (label: string, value: string, change: (text: string) => void, hint?: string) => (
    <TypedField label={label} hint={hint} disabled={locked} value={value} onChange={(text) => change(text.trim())} />
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
          {field('Least', checks.minimum ?? '', (minimum) => set({ minimum }))}
          {field('Greatest', checks.maximum ?? '', (maximum) => set({ maximum }))}
        </div>
      ) : null}
      {isText ? (
        <>
          <div className={css.pair}>
            {field('Characters, at least', String(checks.minLength ?? ''), (text) => set({ minLength: countIn(text) }))}
            {field('Characters, at most', String(checks.maxLength ?? ''), (text) => set({ maxLength: countIn(text) }))}
          </div>
          {field(
            'Pattern',
            checks.pattern ?? '',
            (pattern) => set({ pattern }),
            'A regular expression for the whole value',
          )}
        </>
      ) : null}
      {field(
        'Only these values',
        checks.enum?.join(', ') ?? '',
        (text) => set({ enum: valuesIn(text) }),
        'Separated by commas',
      )}
    </fieldset>
  )
}

/** None where it's no count. */
const countIn = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)

const valuesIn = (text: string): string[] =>
  text
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean)
