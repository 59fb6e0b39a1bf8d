import type { ReactNode } from 'react'
import { capitalized, shortened } from '../../lib/text.ts'
import { type RejectedRow, MAX_RAW } from '../../tables/plan.ts'
import { REASONS } from '../../tables/labels.ts'
import { type DataColumn, DataTable } from '../../ui/table/DataTable.tsx'
import { isCut } from '../../tables/rejected.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { formatCount } from '../../ui/format.ts'
import { Popover } from '../../ui/overlays/Popover.tsx'
import { ValueDetails } from './value/ValueDetails.tsx'
import css from './RowPlace.module.css'

interface Column extends DataColumn {
  readonly of: (row: RejectedRow) => ReactNode
}

/** Characters of a row in the table; the button opens all of it. */
const SHOWN = 1000

const FILE: Column = { key: 'file', header: 'File', width: 150, of: ({ file }) => titled(file ?? '') }

const COLUMNS: readonly Column[] = [
  { key: 'line', header: 'Line', width: 84, align: 'end', of: (row) => <RowPlace row={row} message={row.message} /> },
  { key: 'reason', header: 'Reason', width: 170, prose: true, of: ({ reason }) => titled(REASONS[reason]) },
  { key: 'message', header: 'What is wrong', width: 330, prose: true, of: ({ message }) => titled(message) },
  { key: 'column', header: 'Column', width: 150, of: ({ column }) => titled(column ?? '') },
  { key: 'raw', header: 'As it stands in the file', width: 560, of: ({ raw }) => titled(shortened(raw, SHOWN)) },
]

const titled = (text: string): ReactNode => <span title={text}>{text}</span>

interface Props {
  readonly label?: string
  readonly rows: readonly RejectedRow[]
}

/** Rows that don't fit: where each one is, why it doesn't fit, and its text. */
export function RejectedRowsTable({ label = 'Rows that don’t fit', rows }: Props) {
  const columns = rows.some(({ file }) => file !== undefined) ? [FILE, ...COLUMNS] : COLUMNS
  return (
    <DataTable
      label={label}
      columns={columns}
      rowCount={rows.length}
      rowHeader={null}
      headHeight={34}
      maxHeight={322}
      renderCell={(at, column) => {
        const row = rows[at]
        return row && columns[column]?.of(row)
      }}
    />
  )
}

interface RowPlaceProps {
  readonly row: RejectedRow
  /** What is wrong with it; undefined until that's known. */
  readonly message: string | undefined
}

/** The place of a row that doesn't fit, which opens all of it. */
export function RowPlace({ row, message }: RowPlaceProps) {
  const where = whereOf(row)
  return (
    <Popover
      title={capitalized(where)}
      trigger={
        <button type="button" className={css.place} title={`Read all of ${where}`}>
          {row.line ?? where}
        </button>
      }
    >
      <p className={css.message}>
        {message}
        {isCut(row) ? ` It has more than ${formatCount(MAX_RAW)} characters, of which these are the first.` : null}
      </p>
      <ValueDetails name={where} type="VARCHAR" text={row.raw} value={row.raw} />
      <CopyButton label="Copy value" text={row.raw} />
    </Popover>
  )
}

/** A row's line in the file, or its number if the format has no lines. */
export const whereOf = ({ line, row }: Pick<RejectedRow, 'line' | 'row'>): string =>
  line === null ? `row ${formatCount(row)}` : `line ${line}`
