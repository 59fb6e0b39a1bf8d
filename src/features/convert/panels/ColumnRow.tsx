import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useState } from 'react'
import type { ColumnPlan, InspectedColumn } from '../../../tables/plan.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { Select, TextInput } from '../../../ui/Field.tsx'
import { Popover } from '../../../ui/Popover.tsx'
import { useConvert } from '../context.tsx'
import type { ColumnPatch } from '../../../tables/edits.ts'
import type { Job } from '../model/job.ts'
import { FLAGS, typeOptions } from '../../../tables/words.ts'
import { ColumnDetails } from './ColumnDetails.tsx'
import css from './Columns.module.css'

interface Props {
  readonly job: Job
  readonly table: number
  readonly column: InspectedColumn
  readonly plan: ColumnPlan | undefined
  readonly locked: boolean
  readonly place: { readonly position: number; readonly count: number; readonly top: number; readonly height: number }
}

/** One column: what was found, and what it's to be. */
export function ColumnRow({ job, table, column, plan, locked, place }: Props) {
  const { store } = useConvert()
  const set = (patch: ColumnPatch): void => store.setColumn(job.id, table, column.index, patch)
  const include = plan?.include ?? true
  const name = column.source || column.name
  const type = plan?.type ?? column.type
  return (
    <li
      className={css.row}
      data-out={!include}
      aria-setsize={place.count}
      aria-posinset={place.position}
      style={{ transform: `translateY(${place.top}px)`, height: place.height }}
    >
      <input
        type="checkbox"
        className={css.include}
        aria-label={`Include ${name}`}
        checked={include}
        disabled={locked}
        onChange={(event) => set({ include: event.currentTarget.checked })}
      />
      <NameInput
        label={`Name of ${name}`}
        value={plan?.name ?? column.name}
        disabled={locked || !include}
        onChange={(next) => set({ name: next })}
      />
      <Select
        compact
        className={css.type}
        aria-label={`Type of ${name}`}
        value={type}
        options={typeOptions(column.type, type)}
        disabled={locked || !include}
        onChange={(next) => set({ type: next })}
      />
      <div className={css.why}>
        <Flags column={column} />
        <p title={column.reason}>{type === column.type ? column.reason : `Set by you. Found: ${column.reason}`}</p>
      </div>
      <Popover
        title={column.source || column.name}
        trigger={
          <IconButton label={`Details of ${name}`} className={css.more}>
            <SlidersHorizontal aria-hidden />
          </IconButton>
        }
      >
        <ColumnDetails column={column} plan={plan} locked={locked || !include} onChange={set} />
      </Popover>
    </li>
  )
}

function Flags({ column }: { readonly column: InspectedColumn }) {
  if (column.flags.length === 0) return null
  return (
    <span className={css.flags}>
      {column.flags.map((flag) => (
        <Badge key={flag} tone={FLAGS[flag].risk ? 'warn' : 'neutral'} title={FLAGS[flag].text}>
          {FLAGS[flag].label}
        </Badge>
      ))}
    </span>
  )
}

/** Keeps what is typed until the plan has caught up, so that the caret stays where it is. */
function NameInput(props: { label: string; value: string; disabled: boolean; onChange: (value: string) => void }) {
  const { label, value, disabled, onChange } = props
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      compact
      className={css.name}
      aria-label={label}
      aria-invalid={(typed ?? value) === ''}
      value={typed ?? value}
      disabled={disabled}
      onChange={(next) => {
        setTyped(next)
        onChange(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
