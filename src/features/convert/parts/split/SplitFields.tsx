import SplitIcon from 'lucide-react/icons/split'
import type { Split } from '../../../../tables/reshape/types.ts'
import { plural } from '../../../../lib/counts.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CheckedField } from '../../../../ui/fields/CheckedField.tsx'
import { SelectField } from '../../../../ui/fields/Field.tsx'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import { describeSplit, type FewValues, splitProblemOf, USUAL_ROWS, usualSplit } from '../../model/splitting.ts'
import css from '../Card.module.css'
import type { Splitting } from './use-splitting.ts'

interface Props extends Splitting {
  readonly jobs: readonly Job[]
  readonly split: Split | null
  readonly onChange: (split: Split | null) => void
}

/** Whether to write a table to one file or several, and how to split it. */
export function SplitFields({ columns, dates, ahead, jobs, split, onChange }: Props) {
  const problem = splitProblemOf(jobs, split)
  const [first] = columns
  const choose = (by: 'one' | Split['by']): void => {
    if (by === 'rows') onChange({ by, rows: USUAL_ROWS })
    else if (by === 'column' && first !== undefined) {
      const usual = usualSplit(columns, ahead)
      onChange(usual.by === by ? usual : { by, column: ahead?.[0]?.column ?? first })
    } else onChange(null)
  }
  return (
    <>
      <SelectField
        label="Files"
        hint={split ? 'They’re downloaded together, as one ZIP file.' : undefined}
        value={split?.by ?? 'one'}
        options={[
          { value: 'one', label: 'One for each table' },
          { value: 'column', label: 'One for each value of a column', disabled: first === undefined },
          { value: 'rows', label: 'One for every so many rows' },
        ]}
        onChange={choose}
      />
      {split?.by === 'column' ? (
        <>
          <SelectField
            label="Column"
            hint={`${split.period ? '' : valuesHint(ahead, split.column)}At most 1,000 different ${split.period ?? 'value'}s. Rows without a value become a file of their own.`}
            error={problem}
            value={split.column}
            options={[...new Set([...columns, split.column])].map((name) => ({ value: name, label: name }))}
            onChange={(column) => onChange(dates.includes(column) ? { ...split, column } : { by: 'column', column })}
          />
          {split.period !== undefined || dates.includes(split.column) ? (
            <SelectField
              label="A file for each"
              value={split.period ?? 'value'}
              options={[
                { value: 'value', label: 'Value' },
                { value: 'month', label: 'Month' },
                { value: 'year', label: 'Year' },
              ]}
              onChange={(each) =>
                onChange({ by: 'column', column: split.column, ...(each === 'value' ? {} : { period: each }) })
              }
            />
          ) : null}
        </>
      ) : null}
      {split?.by === 'rows' ? (
        <CheckedField
          label="Rows in a file"
          inputMode="numeric"
          error={problem}
          value={String(split.rows)}
          check={(text) => splitProblemOf(jobs, byRows(text)) ?? null}
          onChange={(text) => onChange(byRows(text))}
        />
      ) : null}
    </>
  )
}

/** @returns 0 rows per file, which is refused, if the text isn't a whole number */
const byRows = (text: string): Split => ({ by: 'rows', rows: /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0 })

/** The number of a column's values, judging by the first rows. */
function valuesHint(ahead: readonly FewValues[] | null, column: string): string {
  const found = ahead?.find((each) => each.column === column)
  if (!found) return ''
  const { values, rows, areAll } = found
  return `${plural(values, 'different value')}${areAll ? '' : ` in the first ${plural(rows, 'row')}`}. `
}

/** Says that a table will be split, with a button to undo that. */
export function SplitLine({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  if (!job.split) return null
  return (
    <p className={css.split}>
      <SplitIcon aria-hidden />
      <span>Becomes {describeSplit(job.split)}.</span>
      <Button size="small" look="quiet" onClick={() => store.setSplit(job.id, null)}>
        Make one file
      </Button>
    </p>
  )
}
