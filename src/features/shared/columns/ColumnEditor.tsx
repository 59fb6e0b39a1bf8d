import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useMemo } from 'react'
import { columnAt } from '../../../tables/plan.ts'
import type { ColumnPatch, ColumnPlan, InspectedColumn, Proposal, TablePlan } from '../../../tables/plan.ts'
import { openOf } from '../../../tables/proposals.ts'
import { PLAIN_TEXT } from '../../../tables/meaning.ts'
import { FLAGS, typeOptions } from '../../../tables/labels.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { type Change, ProposalButton } from '../proposals/ProposalButton.tsx'
import { UnfoldButton, type UnfoldProps } from '../reading/UnfoldButton.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { scrollable } from '../../../ui/table/DataTable.tsx'
import { Select, TypedInput } from '../../../ui/fields/Field.tsx'
import { Popover } from '../../../ui/overlays/Popover.tsx'
import { useNarrow } from '../../../ui/hooks/use-media.ts'
import { evenOffsets, spanOf, useViewport } from '../../../ui/table/use-span.ts'
import { ColumnDetails, type FormOfChecks } from './ColumnDetails.tsx'
import css from './Columns.module.css'

const HEIGHT = 64
const NARROW_HEIGHT = 158

type Reading = Omit<UnfoldProps, 'column' | 'disabled'>

interface Props {
  readonly label: string
  /** The columns to show. */
  readonly columns: readonly InspectedColumn[]
  readonly plan: TablePlan | undefined
  readonly locked: boolean
  readonly onChange: (column: number, patch: ColumnPatch) => void
  /** Applies a proposal for a column. */
  readonly onApply: (column: number, proposal: Proposal) => void
  /** Shows what a proposal would make of the first values. */
  readonly onPreview?: (column: number, proposal: Proposal) => Promise<readonly Change[]>
  /** Wraps the fields for checks; without it, there are none. */
  readonly formOfChecks?: FormOfChecks
  /** How the file is read, and what changes that; without it, nested columns can't be unfolded. */
  readonly reading?: Reading | undefined
}

/** Columns with what was found in each, to exclude, rename or change the type. Only those in view are rendered. */
export function ColumnEditor({ label, columns, plan, locked, onChange, onApply, onPreview, ...more }: Props) {
  const [view, ref] = useViewport()
  const height = useNarrow() ? NARROW_HEIGHT : HEIGHT
  const offsets = useMemo(() => evenOffsets(columns.length, height), [columns.length, height])
  const { start, end } = spanOf(offsets, view.top, view.top + view.height, 12)
  return (
    <div ref={ref} className={css.scroll} {...scrollable(label)}>
      <ul aria-label={label} style={{ height: offsets[columns.length] }} className={css.list}>
        {columns.slice(start, end).map((column, i) => (
          <Row
            key={column.index}
            column={column}
            plan={columnAt(plan?.columns ?? [], column.index)}
            locked={locked}
            place={{ position: start + i + 1, count: columns.length, top: offsets[start + i] ?? 0, height }}
            onChange={(patch) => onChange(column.index, patch)}
            onApply={(proposal) => onApply(column.index, proposal)}
            formOfChecks={more.formOfChecks}
            reading={more.reading}
            onPreview={onPreview && ((proposal) => onPreview(column.index, proposal))}
          />
        ))}
      </ul>
    </div>
  )
}

/** Why a column has its type, unless it's plain text, which goes without saying. */
function reasonOf({ type, reason }: InspectedColumn, planned: string): string {
  if (planned !== type) return `Set by you. Found: ${reason}`
  return reason === PLAIN_TEXT ? '' : reason
}

interface RowProps {
  readonly column: InspectedColumn
  readonly plan: ColumnPlan | undefined
  readonly locked: boolean
  readonly place: { readonly position: number; readonly count: number; readonly top: number; readonly height: number }
  readonly onChange: (patch: ColumnPatch) => void
  readonly onApply: (proposal: Proposal) => void
  readonly formOfChecks: FormOfChecks | undefined
  readonly reading: Reading | undefined
  readonly onPreview?: (proposal: Proposal) => Promise<readonly Change[]>
}

/** A column as found and as planned. */
function Row({ column, plan, locked, place, onChange, onApply, onPreview, formOfChecks, reading }: RowProps) {
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
        onChange={(event) => onChange({ include: event.currentTarget.checked })}
      />
      <TypedInput
        compact
        className={css.name}
        aria-label={`Name of ${name}`}
        aria-invalid={plan?.name === ''}
        value={plan?.name ?? column.name}
        disabled={locked || !include}
        onChange={(next) => onChange({ name: next })}
      />
      <Select
        compact
        className={css.type}
        aria-label={`Type of ${name}`}
        value={type}
        options={typeOptions(column.type, type)}
        disabled={locked || !include}
        onChange={(next) => onChange({ type: next })}
      />
      <div className={css.why}>
        <div className={css.flags}>
          <Flags column={column} />
          {reading ? <UnfoldButton {...reading} column={column} disabled={locked} /> : null}
          {openOf(column, plan).map((proposal) => (
            <ProposalButton
              key={proposal.label}
              proposal={proposal}
              disabled={locked}
              onPreview={onPreview}
              onApply={() => onApply(proposal)}
            />
          ))}
        </div>
        <p title={column.reason}>{reasonOf(column, type)}</p>
      </div>
      <Popover
        title={name}
        trigger={
          <IconButton label={`Details of ${name}`} className={css.more}>
            <SlidersHorizontal aria-hidden />
          </IconButton>
        }
      >
        <ColumnDetails
          column={column}
          plan={plan}
          locked={locked || !include}
          onChange={onChange}
          formOfChecks={formOfChecks}
        />
      </Popover>
    </li>
  )
}

function Flags({ column }: { readonly column: InspectedColumn }) {
  return column.flags.map((flag) => (
    <Badge key={flag} tone={FLAGS[flag].risk ? 'warn' : 'neutral'} title={FLAGS[flag].text}>
      {FLAGS[flag].label}
    </Badge>
  ))
}
