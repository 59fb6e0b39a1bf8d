import SplitIcon from 'lucide-react/icons/split'
import type { Split } from '../../../../tables/reshape/types.ts'
import { Button } from '../../../../ui/Button.tsx'
import { NumberField, SelectField } from '../../../../ui/fields/Field.tsx'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import { describeSplit } from '../../model/splitting.ts'
import css from '../Card.module.css'

interface Props {
  /** That it can be split by. */
  readonly columns: readonly string[]
  readonly split: Split | null
  readonly onChange: (split: Split | null) => void
}

const ROWS = 100_000

/** Whether a table becomes one file or several, and which. */
export function SplitFields({ columns, split, onChange }: Props) {
  const [first] = columns
  const choose = (by: 'one' | Split['by']): void => {
    if (by === 'rows') onChange({ by, rows: ROWS })
    else if (by === 'column' && first !== undefined) onChange({ by, column: first })
    else onChange(null)
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
        <SelectField
          label="Column"
          hint="At most 1,000 different values. Rows without a value become a file of their own."
          value={split.column}
          options={[...new Set([...columns, split.column])].map((name) => ({ value: name, label: name }))}
          onChange={(column) => onChange({ by: 'column', column })}
        />
      ) : null}
      {split?.by === 'rows' ? (
        <NumberField
          label="Rows in a file"
          value={split.rows}
          onChange={(rows) => (rows > 0 ? onChange({ by: 'rows', rows }) : undefined)}
        />
      ) : null}
    </>
  )
}

/** Says that a table is to become several files, and takes that back. */
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
