import type { ReceiptPart, ReceiptShape, ReceiptSource } from '../../../tables/receipt.ts'
import { formatCount } from '../../../ui/format.ts'
import { type ReceiptColumn, ReceiptTable } from './ReceiptTable.tsx'
import css from './Receipt.module.css'

const SOURCES: readonly ReceiptColumn<ReceiptSource>[] = [
  {
    key: 'name',
    header: 'File',
    width: 220,
    cell: ({ name, table }) => (table === null ? name : `${name}, ${table}`),
  },
  { key: 'rows', header: 'Rows', width: 110, align: 'end', cell: ({ rows }) => formatCount(rows) },
  {
    key: 'rejected',
    header: 'Rejected rows',
    width: 110,
    align: 'end',
    cell: ({ rejectedRows }) => (rejectedRows === 0 ? 'none' : formatCount(rejectedRows)),
  },
  {
    key: 'text',
    header: 'Text',
    width: 170,
    cell: ({ textCompared }) => (textCompared ? 'as when it was added' : 'not compared'),
  },
  { key: 'checksum', header: 'Checksum', width: 170, cell: ({ rowChecksum }) => rowChecksum },
]

/** Each source's share of the output: rows and checksums add up to the total. */
export function ReceiptSources({
  sources,
  read,
}: {
  readonly sources: readonly ReceiptSource[]
  /** Whether a statement read them, so that the output has other rows. */
  readonly read: boolean
}) {
  return <ReceiptTable label={read ? 'Tables read' : 'Files combined'} columns={SOURCES} items={sources} />
}

const PARTS: readonly ReceiptColumn<ReceiptPart>[] = [
  { key: 'name', header: 'File', width: 300, cell: ({ name }) => name },
  { key: 'value', header: 'Value', width: 180, cell: ({ value }) => value ?? 'null' },
  { key: 'rows', header: 'Rows', width: 110, align: 'end', cell: ({ rows }) => formatCount(rows) },
  { key: 'checksum', header: 'Checksum', width: 170, cell: ({ rowChecksum }) => rowChecksum },
]

/** The files that a table was split into: rows and checksums add up to the total. */
export function ReceiptParts({ parts }: { readonly parts: readonly ReceiptPart[] }) {
  const columns = parts.some(({ value }) => value !== undefined) ? PARTS : PARTS.filter(({ key }) => key !== 'value')
  return <ReceiptTable label="Files compared" columns={columns} items={parts} />
}

type Read = ReceiptShape['tables'][number]

const READ: readonly ReceiptColumn<Read>[] = [
  { key: 'name', header: 'Table', width: 220, cell: ({ name }) => name },
  { key: 'rows', header: 'Rows', width: 110, align: 'end', cell: ({ read }) => formatCount(read.rows) },
  { key: 'columns', header: 'Columns', width: 110, align: 'end', cell: ({ read }) => formatCount(read.columns.length) },
  { key: 'checksum', header: 'Checksum', width: 170, cell: ({ read }) => read.rowChecksum },
]

/** Number of rows that a statement read. */
export const rowsRead = ({ tables }: ReceiptShape): number => tables.reduce((sum, { read }) => sum + read.rows, 0)

/** The statement between reading and writing, and what it read. */
export function ReceiptStatement({ shape }: { readonly shape: ReceiptShape }) {
  return (
    <div className={css.changes}>
      <h4>Shaped with SQL</h4>
      <pre className={css.statement}>
        <code>{shape.sql}</code>
      </pre>
      <ReceiptTable label="What the statement read" columns={READ} items={shape.tables} />
    </div>
  )
}
