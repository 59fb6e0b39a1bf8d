import Undo from 'lucide-react/icons/undo-2'
import { useMemo, useState } from 'react'
import { shortened } from '../../../../lib/text.ts'
import type { TablePlan } from '../../../../tables/plan.ts'
import { isCut } from '../../../../tables/rejected.ts'
import { cx } from '../../../../ui/cx.ts'
import { IconButton } from '../../../../ui/Button.tsx'
import { TextArea, TypedInput } from '../../../../ui/fields/Field.tsx'
import { type DataColumn, DataTable } from '../../../../ui/table/DataTable.tsx'
import type { Job } from '../../model/job.ts'
import { excerptOf, isLongText, LongText } from './LongText.tsx'
import { RowPlace, whereOf } from '../../../shared/RejectedRowsTable.tsx'
import { type Cells, type MendableRow, useTriedRows } from './use-mendable-rows.ts'
import css from './Mend.module.css'

interface Props {
  readonly job: Job
  /** Index of the table in the job. */
  readonly at: number
  readonly table: TablePlan
  readonly rows: readonly MendableRow[]
  readonly locked: boolean
  readonly onMend: (row: MendableRow, cells: Cells) => void
  readonly onUndo: (row: MendableRow) => void
}

/** Rows that don't fit, editable by cell, or as text if they can't be split into cells. */
export function MendGrid({ job, at, table, rows, locked, onMend, onUndo }: Props) {
  // Columns with problems come first, since in a wide table they would be out of sight.
  const included = useMemo(() => {
    const wrong = new Set(rows.map(({ rejected }) => rejected.column))
    const all = table.columns.filter(({ include }) => include)
    return [...all.filter(({ source }) => wrong.has(source)), ...all.filter(({ source }) => !wrong.has(source))]
  }, [table, rows])
  const columns = useMemo(
    (): DataColumn[] => [
      { key: 'line', header: 'Line', width: 96, align: 'end' },
      { key: 'problem', header: 'What is wrong', width: 270, prose: true },
      { key: 'raw', header: 'As it stands in the file', width: 300 },
      ...included.map(({ index, name }) => ({ key: `c${index}`, header: name, width: 150 })),
    ],
    [included],
  )
  const renderCell = (index: number, column: number): React.ReactNode => {
    const row = rows[index]
    if (!row) return null
    const { rejected, mended, problem } = row
    const where = whereOf(rejected)
    if (column === 0) return <Place row={row} locked={locked} onUndo={() => onUndo(row)} />
    if (column === 1) return <ProblemText problem={problem} />
    if (column === 2) {
      return mended ? (
        <span title={shortened(rejected.raw, 1000)}>{excerptOf(rejected.raw)}</span>
      ) : isCut(rejected) ? (
        <span className={css.state}>Too long: mend it in the file</span>
      ) : isLongText(rejected.raw) ? (
        <RawText job={job} at={at} row={row} label={`the text of ${where}`} locked={locked} onMend={onMend} />
      ) : (
        <RawInput job={job} at={at} row={row} label={`Text of ${where}`} locked={locked} onMend={onMend} />
      )
    }
    const plan = included[column - 3]
    if (!plan || !mended) return null
    const value = mended[plan.index] ?? ''
    const isWrong = problem?.column === plan.source
    const change = (text: string): void => onMend(row, mended.with(plan.index, text === '' ? null : text))
    if (isLongText(value)) {
      const label = `${plan.name}, ${where}`
      return <LongText label={label} text={value} disabled={locked} invalid={isWrong} onSave={change} />
    }
    return (
      <TypedInput
        compact
        mono
        className={css.cell}
        aria-label={`${plan.name}, ${where}`}
        aria-invalid={isWrong}
        disabled={locked}
        value={value}
        onChange={change}
      />
    )
  }
  return (
    <DataTable
      label="Rows that don’t fit"
      editable
      columns={columns}
      rowCount={rows.length}
      rowKey={(row) => rows[row]?.rejected.row ?? row}
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
  locked,
  onUndo,
}: {
  readonly row: MendableRow
  readonly locked: boolean
  readonly onUndo: () => void
}) {
  const { rejected, problem } = row
  return (
    <span className={css.place}>
      {row.changed ? (
        <IconButton label={`Undo the changes of ${whereOf(rejected)}`} disabled={locked} onClick={onUndo}>
          <Undo aria-hidden />
        </IconButton>
      ) : null}
      <RowPlace row={rejected} message={problem === null ? 'Fits' : problem?.message} />
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

interface RawProps extends Pick<Props, 'job' | 'at' | 'locked' | 'onMend'> {
  readonly row: MendableRow
  readonly label: string
}

/** The cells of a row's text; null if it can't be split, or until that's known. */
function useCells({ job, at, row: { rejected } }: Pick<RawProps, 'job' | 'at' | 'row'>, text: string): Cells | null {
  const typed = useMemo(() => (text === rejected.raw ? [] : [{ ...rejected, raw: text }]), [rejected, text])
  return useTriedRows(job, at, typed)?.[0]?.cells ?? null
}

/** A row's text that's long or has several lines, edited in a dialog. */
function RawText(props: RawProps) {
  const { row, label, locked, onMend } = props
  const [text, setText] = useState(row.rejected.raw)
  const cells = useCells(props, text)
  return (
    <LongText
      label={label}
      text={row.rejected.raw}
      disabled={locked}
      invalid
      problem={cells ? null : 'This isn’t one row with a field for each column.'}
      onType={setText}
      onSave={() => cells && onMend(row, cells)}
    />
  )
}

/** A row's text: checked while somebody types, and saved as cells on blur. */
function RawInput({ job, at, row, label, locked, onMend }: RawProps) {
  const [text, setText] = useState(row.rejected.raw)
  const cells = useCells({ job, at, row }, text)
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
    />
  )
}
