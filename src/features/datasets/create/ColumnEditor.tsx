import { useMemo } from 'react'
import type { ColumnPlan, InspectedColumn, InspectedTable, TablePlan } from '../../../tables/plan.ts'
import { FLAGS, typeOptions } from '../../../tables/words.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { scrollable } from '../../../ui/DataTable.tsx'
import { Select, TextInput } from '../../../ui/Field.tsx'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { evenOffsets, spanOf, useViewport } from '../../../ui/use-span.ts'
import { useDatasets } from '../context.tsx'
import type { DraftTable } from '../model/draft.ts'
import css from './Columns.module.css'

interface Props {
  readonly found: InspectedTable
  readonly plan: TablePlan | undefined
  readonly table: DraftTable
  readonly locked: boolean
}

const HEIGHT = 46
const NARROW_HEIGHT = 92

/** The columns of a table to be: left out, renamed, given another type. */
export function ColumnEditor({ found, plan, table, locked }: Props) {
  const [view, ref] = useViewport()
  const height = useNarrow() ? NARROW_HEIGHT : HEIGHT
  const { columns } = found
  const offsets = useMemo(() => evenOffsets(columns.length, height), [columns.length, height])
  const { start, end } = spanOf(offsets, view.top, view.top + view.height, 6)
  return (
    <div ref={ref} className={css.scroll} {...scrollable(`Columns of ${table.name}`)}>
      <ul aria-label={`Columns of ${table.name}`} className={css.list} style={{ height: offsets[columns.length] }}>
        {columns.slice(start, end).map((column, i) => (
          <Row
            key={column.index}
            column={column}
            plan={plan?.columns[column.index]}
            table={table}
            locked={locked}
            place={{ position: start + i + 1, count: columns.length, top: offsets[start + i] ?? 0, height }}
          />
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  readonly column: InspectedColumn
  readonly plan: ColumnPlan | undefined
  readonly table: DraftTable
  readonly locked: boolean
  readonly place: { readonly position: number; readonly count: number; readonly top: number; readonly height: number }
}

function Row({ column, plan, table, locked, place }: RowProps) {
  const { creation } = useDatasets()
  const include = plan?.include ?? true
  const type = plan?.type ?? column.type
  const label = column.source || column.name
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
        aria-label={`Include ${label}`}
        checked={include}
        disabled={locked}
        onChange={(event) => creation.setColumn(table, column.index, { include: event.currentTarget.checked })}
      />
      <TextInput
        compact
        className={css.name}
        aria-label={`Rename ${label}`}
        aria-invalid={plan?.name === ''}
        value={plan?.name ?? column.name}
        disabled={locked || !include}
        onChange={(name) => creation.setColumn(table, column.index, { name })}
      />
      <Select
        compact
        className={css.type}
        aria-label={`Type of ${label}`}
        value={type}
        options={typeOptions(column.type, type)}
        disabled={locked || !include}
        onChange={(next) => creation.setColumn(table, column.index, { type: next })}
      />
      <p className={css.why} title={column.reason}>
        {column.flags.map((flag) => (
          <Badge key={flag} tone={FLAGS[flag].risk ? 'warn' : 'neutral'} title={FLAGS[flag].text}>
            {FLAGS[flag].label}
          </Badge>
        ))}
        <span>{type === column.type ? column.reason : `Set by you. Found: ${column.type}`}</span>
      </p>
    </li>
  )
}
