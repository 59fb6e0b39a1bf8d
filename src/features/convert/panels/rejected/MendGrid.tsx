import Undo from 'lucide-react/icons/undo-2'
import { useMemo, useState } from 'react'
import type { TablePlan } from '../../../../tables/plan.ts'
import { cx } from '../../../../ui/cx.ts'
import { IconButton } from '../../../../ui/Button.tsx'
import { TextArea, TypedInput } from '../../../../ui/fields/Field.tsx'
import { type DataColumn, DataTable } from '../../../../ui/table/DataTable.tsx'
import type { Job } from '../../model/job.ts'
import { placeOf } from './RejectedRowsTable.tsx'
import { type Cells, type MendableRow, useTriedRows } from './use-mendable-rows.ts'
import css from './Mend.module.css'
import panel from '../Panel.module.css'

interface Props {
  readonly job: Job
  /** Index of the table among those of the job. */
  readonly at: number
  readonly table: TablePlan
  readonly rows: readonly MendableRow[]
  readonly locked: boolean
  readonly onMend: (row: MendableRow, cells: Cells | null) => void
}

/** Rows that don't fit, to be edited by cell, or as text where they can't be taken apart. */
export function MendGrid({ job, at, table, rows, locked, onMend }: Props) {
  const included = useMemo(() => table.columns.filter(({ include }) => include), [table])
  const columns = useMemo(
    (): DataColumn[] => [
      { key: 'line', header: 'Line', width: 96, align: 'end' },
      { key: 'problem', header: 'What is wrong', width: 270, className: panel['plain'] ?? '' },
      { key: 'raw', header: 'As it stands in the file', width: 300 },
      ...included.map(({ index, name }) => ({ key: `c${index}`, header: name, width: 150 })),
    ],
    [included],
  )
  const renderCell = (index: number, column: number): React.ReactNode => {
    const row = rows[index]
    if (!row) return null
    const { rejected, mended, problem } = row
    const line = placeOf(rejected)
    const where = rejected.line === null ? line : `line ${line}`
    if (column === 0) return <Place row={row} line={line} locked={locked} onUndo={() => onMend(row, null)} />
    if (column === 1) return <ProblemText problem={problem} />
    if (column === 2) {
      return mended ? (
        <span title={rejected.raw}>{rejected.raw}</span>
      ) : (
        <RawInput job={job} at={at} row={row} label={`Text of ${where}`} locked={locked} onMend={onMend} />
      )
    }
    const plan = included[column - 3]
    if (!plan || !mended) return null
    return (
      <TypedInput
        compact
        mono
        className={css.cell}
        aria-label={`${plan.name}, ${where}`}
        aria-invalid={problem?.column === plan.source}
        disabled={locked}
        value={mended[plan.index] ?? ''}
        onChange={(text) => onMend(row, mended.with(plan.index, text === '' ? null : text))}
        onKeyDown={moveWithArrows}
      />
    )
  }
  return (
    <DataTable
      label="Rows that don’t fit"
      editable
      columns={columns}
      rowCount={rows.length}
      rowHeader={null}
      rowHeight={36}
      headHeight={34}
      maxHeight={380}
      renderCell={renderCell}
    />
  )
}

function Place({
  row,
  line,
  locked,
  onUndo,
}: {
  readonly row: MendableRow
  readonly line: string
  readonly locked: boolean
  readonly onUndo: () => void
}) {
  const isMended = row.mended !== null && row.problem !== row.rejected
  return (
    <span className={css.place}>
      {isMended ? (
        <IconButton label={`Undo the changes of line ${line}`} disabled={locked} onClick={onUndo}>
          <Undo aria-hidden />
        </IconButton>
      ) : null}
      {line}
    </span>
  )
}

function ProblemText({ problem }: { readonly problem: MendableRow['problem'] }) {
  if (problem === undefined) return <span className={css.state}>…</span>
  return problem === null ? (
    <span className={css.fits}>Fits</span>
  ) : (
    <span title={problem.message}>{problem.message}</span>
  )
}

/** A row as text: tried while somebody types, and taken over as cells when they're done. */
function RawInput({
  job,
  at,
  row,
  label,
  locked,
  onMend,
}: Pick<Props, 'job' | 'at' | 'locked' | 'onMend'> & { readonly row: MendableRow; readonly label: string }) {
  const { rejected } = row
  const [text, setText] = useState(rejected.raw)
  const typed = useMemo(() => (text === rejected.raw ? [] : [{ ...rejected, raw: text }]), [rejected, text])
  const cells = useTriedRows(job, at, typed)?.[0]?.cells ?? null
  return (
    <TextArea
      rows={1}
      spellCheck={false}
      className={cx(css.cell, css.raw)}
      aria-label={label}
      aria-invalid={!cells}
      disabled={locked}
      value={text}
      onChange={setText}
      onBlur={() => cells && onMend(row, cells)}
      onKeyDown={moveWithArrows}
    />
  )
}

/** Up and down lead to the same column of the row above or below, as in a spreadsheet. */
function moveWithArrows(event: React.KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  const isEnter = event.key === 'Enter' && !event.shiftKey
  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' || isEnter ? 1 : 0
  const cell = event.currentTarget.closest('td')
  if (step === 0 || !cell) return
  const row = cell.parentElement
  const next = step < 0 ? row?.previousElementSibling : row?.nextElementSibling
  const input = next?.querySelector<HTMLInputElement>(`td[aria-colindex="${cell.getAttribute('aria-colindex')}"] input`)
  event.preventDefault()
  // Leaving a field is what takes over its text.
  if (input) input.focus()
  else event.currentTarget.blur()
  input?.select()
}
