import Search from 'lucide-react/icons/search'
import { useMemo, useState } from 'react'
import type { InspectedColumn } from '../../../tables/plan.ts'
import { Button } from '../../../ui/Button.tsx'
import { scrollable } from '../../../ui/DataTable.tsx'
import { Check, TextInput } from '../../../ui/Field.tsx'
import { plural } from '../../../ui/format.ts'
import { evenOffsets, spanOf, useViewport } from '../../../ui/use-span.ts'
import { useConvert } from '../context.tsx'
import { isBusy } from '../model/job.ts'
import { FLAGS } from '../../../tables/words.ts'
import { ColumnRow } from './ColumnRow.tsx'
import { SaveRecipe } from './Recipes.tsx'
import { SheetBar, type TableProps } from './SheetBar.tsx'
import { useNarrow } from '../../../ui/use-narrow.ts'
import css from './Columns.module.css'
import panel from './Panel.module.css'

const HEIGHT = 64
const NARROW_HEIGHT = 158

/** Every column: its name, its type and why, what to look out for; all of it to be corrected. */
export default function ColumnsPanel(props: TableProps) {
  const { job, inspection, table } = props
  const { store } = useConvert()
  const [query, setQuery] = useState('')
  const [risky, setRisky] = useState(false)
  const columns = inspection.tables[table]?.columns
  const shown = useMemo(() => filtered(columns ?? [], query, risky), [columns, query, risky])
  const included = job.plan?.tables[table]?.columns.filter((column) => column.include).length ?? 0
  const locked = isBusy(job)
  const all = included === columns?.length
  return (
    <div className={panel.panel}>
      <SheetBar {...props} />
      <div className={css.tools}>
        <div className={css.search}>
          <Search aria-hidden />
          <TextInput compact aria-label="Find a column" placeholder="Find a column" value={query} onChange={setQuery} />
        </div>
        <Check checked={risky} onChange={setRisky} label="Only those to check" />
        <span className={css.count}>
          {included} of {plural(columns?.length ?? 0, 'column')} included
        </span>
        <Button
          size="small"
          look="quiet"
          disabled={locked}
          onClick={() => store.setAllColumns(job.id, table, { include: !all })}
        >
          {all ? 'Leave all out' : 'Include all'}
        </Button>
        <SaveRecipe job={job} inspection={inspection} />
      </div>
      <ColumnList {...props} columns={shown} locked={locked} />
    </div>
  )
}

function filtered(columns: readonly InspectedColumn[], query: string, risky: boolean): readonly InspectedColumn[] {
  const wanted = query.trim().toLowerCase()
  if (!wanted && !risky) return columns
  return columns.filter(
    (column) =>
      (!wanted || column.name.toLowerCase().includes(wanted) || column.source.toLowerCase().includes(wanted)) &&
      (!risky || column.flags.some((flag) => FLAGS[flag].risk)),
  )
}

interface ListProps extends TableProps {
  readonly columns: readonly InspectedColumn[]
  readonly locked: boolean
}

function ColumnList({ job, table, columns, locked }: ListProps) {
  const [view, ref] = useViewport()
  const height = useNarrow() ? NARROW_HEIGHT : HEIGHT
  const offsets = useMemo(() => evenOffsets(columns.length, height), [columns.length, height])
  const { start, end } = spanOf(offsets, view.top, view.top + view.height, 12)
  if (columns.length === 0) return <p className={panel.nothing}>No column is called that.</p>
  return (
    <div ref={ref} className={css.scroll} {...scrollable('Columns')}>
      <ul aria-label="Columns" style={{ height: offsets[columns.length] }} className={css.list}>
        {columns.slice(start, end).map((column, i) => (
          <ColumnRow
            key={column.index}
            job={job}
            table={table}
            column={column}
            plan={job.plan?.tables[table]?.columns[column.index]}
            locked={locked}
            place={{ position: start + i + 1, count: columns.length, top: offsets[start + i] ?? 0, height }}
          />
        ))}
      </ul>
    </div>
  )
}
