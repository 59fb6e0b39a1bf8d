import { useMemo, useState } from 'react'
import type { Preview } from '../../../engine/client.ts'
import { hasSource } from '../../../tables/source.ts'
import { Segments } from '../../../ui/fields/Segments.tsx'
import { allRows, formatCount, plural } from '../../../ui/format.ts'
import { Notes } from '../parts/Notes.tsx'
import { PreviewTable } from './PreviewTable.tsx'
import { SheetBar, type TableProps } from './SheetBar.tsx'
import { SourceTable } from './SourceTable.tsx'
import { emptyMark, nullMark } from '../../shared/value/Cell.tsx'
import css from './Panel.module.css'
import source from './SourceTable.module.css'

const VIEWS = [
  { value: 'read', label: 'As read' },
  { value: 'file', label: 'As in the file' },
] as const

/** The first rows as read by the plan, with unformatted values. */
export function PreviewPanel(props: TableProps) {
  const { job, inspection, table } = props
  const preview = job.previews[table]
  const found = inspection.tables[table]
  const notes = useMemo(() => [...inspection.notes, ...(found?.notes ?? [])], [inspection, found])
  const waiting = job.stage.kind === 'reading'
  const [view, setView] = useState<'read' | 'file'>('read')
  const views = hasSource(inspection.settings) ? (
    <div className={source.views}>
      <Segments label="Rows" value={view} onChange={setView} items={VIEWS} />
    </div>
  ) : null
  if (views && view === 'file') {
    return (
      <div className={css.panel} aria-busy={waiting}>
        <SheetBar {...props} />
        {views}
        <SourceTable {...props} />
        <Notes notes={notes} />
      </div>
    )
  }
  return (
    <div className={css.panel} aria-busy={waiting}>
      <SheetBar {...props} />
      {views}
      {preview && preview.columns.length > 0 ? (
        <PreviewTable preview={preview} dim={waiting} />
      ) : (
        <p className={css.nothing}>
          {found && found.columns.length === 0 ? 'This sheet is empty.' : 'Nothing to show.'}
        </p>
      )}
      {preview && found && preview.rows.length > 0 ? (
        <p className={css.foot}>
          {shownOf(preview, found.rows + found.rejectedCount)}
          {` · ${plural(preview.columns.length, 'column')}`}
          <span className={css.legend}>
            {nullMark()} no value {emptyMark()} text of no length
          </span>
        </p>
      ) : null}
      {preview && found && preview.columns.length > 0 && preview.rows.length === 0 ? (
        <p className={css.foot}>
          {found.rows + found.rejectedCount === 0
            ? 'Column names only: there are no rows.'
            : 'None of the first rows fit.'}
        </p>
      ) : null}
      <Notes notes={notes} />
    </div>
  )
}

/** Says which rows the preview shows: those that don't fit are missing. */
function shownOf({ rows, rejected }: Preview, all: number): string {
  if (rejected.length === 0)
    return rows.length < all ? `The first ${rows.length} of ${plural(all, 'row')}` : allRows(all)
  if (rows.length + rejected.length < all)
    return `The first ${plural(rows.length, 'row')} that fit, of ${formatCount(all)}`
  return `${rows.length} of ${plural(all, 'row')}: the ${rejected.length === 1 ? 'other one doesn’t' : 'others don’t'} fit`
}
