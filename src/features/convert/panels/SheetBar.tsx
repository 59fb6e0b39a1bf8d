import type { Inspection } from '../../../tables/plan.ts'
import { formatCount } from '../../../ui/format.ts'
import { useConvert } from '../context.tsx'
import { type Job, isBusy } from '../model/job.ts'
import css from './Panel.module.css'

export interface TableProps {
  readonly job: Job
  readonly inspection: Inspection
  /** Index of the sheet shown. */
  readonly table: number
  readonly onTable: (table: number) => void
}

/** A workbook's sheets: which to convert, and which to show. Renders nothing for a file with a single table. */
export function SheetBar({ job, inspection, table, onTable }: TableProps) {
  const { store } = useConvert()
  if (inspection.tables.length < 2) return null
  return (
    <ul className={css.sheets} aria-label="Sheets">
      {inspection.tables.map((sheet, i) => (
        <li key={sheet.name} className={css.sheet} data-active={i === table}>
          <input
            type="checkbox"
            aria-label={`Convert sheet ${sheet.name ?? i + 1}`}
            checked={job.plan?.tables[i]?.include ?? false}
            disabled={isBusy(job) || sheet.columns.length === 0}
            onChange={(event) => store.includeTable(job.id, i, event.currentTarget.checked)}
          />
          <button type="button" aria-pressed={i === table} onClick={() => onTable(i)}>
            {sheet.name}
            <span>
              {formatCount(sheet.rows)}
              {sheet.hidden ? ', hidden' : ''}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
