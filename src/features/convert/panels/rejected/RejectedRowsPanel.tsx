import { useEffect, useState } from 'react'
import { NO_MENDS, replaceIn, withMend } from '../../../../tables/mends.ts'
import type { Mends, Replacement } from '../../../../tables/plan.ts'
import { allRows, formatCount, plural } from '../../../../ui/format.ts'
import { useConvert } from '../../context.tsx'
import { isBusy, isRead, rejectedOf } from '../../model/job.ts'
import { SheetBar, type TableProps } from '../SheetBar.tsx'
import { MendGrid } from './MendGrid.tsx'
import { MendTools, type SameFix } from './MendTools.tsx'
import { type Cells, type MendableRow, sameCells, sourcesOf, useMendableRows } from './use-mendable-rows.ts'
import panel from '../Panel.module.css'

/** The rows that don't fit, in a table in which they can be corrected. */
export default function RejectedRowsPanel(props: TableProps) {
  const { job, table } = props
  const { store } = useConvert()
  const { rows, count } = rejectedOf(job, table)
  const mends = job.plan?.tables[table]?.mends ?? NO_MENDS
  const mendable = useMendableRows(job, table, rows, mends)
  const [lastFix, setLastFix] = useState<Replacement | null>(null)
  const locked = isBusy(job) || !isRead(job)
  // A full check lists as many as can be shown; if there are more, replacements apply to the others.
  const all = rows.length >= count || table in job.checked
  useEffect(() => {
    if (!all && !locked) store.findRejected(job.id, table)
  }, [all, locked, store, job.id, table])
  const set = (next: Mends): void => store.setMends(job.id, table, next)
  const planned = job.plan?.tables[table]
  if (!planned || count === 0) {
    return (
      <div className={panel.panel}>
        <SheetBar {...props} />
        <p className={panel.nothing}>Every row fits.</p>
      </div>
    )
  }
  const sources = sourcesOf(planned)
  const replaced = (cells: Cells): Cells => replaceIn(cells, sources, mends.replacements)
  const mend = ({ rejected, cells: found, mended }: MendableRow, cells: Cells): void => {
    const { row, raw } = rejected
    set(withMend(mends, row, { row, raw, cells }))
    setLastFix(found && mended && fixOf(replaced(found), mended, cells, sources))
  }
  const undo = ({ rejected: { row, raw }, cells }: MendableRow): void => {
    // A row that replacements would change needs a correction of its own to stay as in the file.
    set(withMend(mends, row, cells && !sameCells(replaced(cells), cells) ? { row, raw, cells } : null))
    setLastFix(null)
  }
  const replace = (replacement: Replacement): void => {
    // The replacement also applies to rows already corrected by hand.
    const own = mends.rows.map((row) => ({ ...row, cells: replaceIn(row.cells, sources, [replacement]) }))
    set({ ...mends, rows: own, replacements: [...mends.replacements, replacement] })
    setLastFix(null)
  }
  const sameFix = lastFix && sameFixOf(lastFix, mendable ?? [], sources)
  return (
    <div className={panel.panel} aria-busy={mendable === null}>
      <SheetBar {...props} />
      <MendTools
        columns={planned.columns.filter(({ include }) => include)}
        rows={mendable ?? []}
        count={count}
        mends={mends}
        locked={locked}
        sameFix={sameFix}
        onReplace={replace}
        onChange={(next) => {
          set(next)
          setLastFix(null)
        }}
      />
      {mendable ? (
        <MendGrid table={planned} rows={mendable} locked={locked} onMend={mend} onUndo={undo} job={job} at={table} />
      ) : null}
      <p className={panel.foot}>
        {count > rows.length
          ? `The first ${formatCount(rows.length)} of ${plural(count, 'row')}. Find and replace applies to all of them.`
          : `${allRows(count)} that ${count === 1 ? 'doesn’t' : 'don’t'} fit.`}
      </p>
    </div>
  )
}

/**
 * The cell that was just changed, as a replacement to offer.
 * @param others what the cells are in other rows with the same text: with replacements, but uncorrected
 */
function fixOf(others: Cells, before: Cells, after: Cells, sources: readonly string[]): Replacement | null {
  const at = after.findIndex((cell, i) => cell !== (before[i] ?? null))
  const source = sources[at]
  const [find, replace] = [others[at] ?? '', after[at] ?? '']
  return source === undefined || find === replace ? null : { source, find, replace, whole: true }
}

function sameFixOf(fix: Replacement, rows: readonly MendableRow[], sources: readonly string[]): SameFix | null {
  const at = sources.indexOf(fix.source ?? '')
  const others = rows.filter(({ mended }) => mended && (mended[at] ?? '') === fix.find)
  return others.length > 0 ? { ...fix, count: others.length } : null
}
