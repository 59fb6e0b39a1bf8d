import type { ReceiptPart, ReceiptSource } from '../../../tables/receipt.ts'
import { formatCount } from '../../../ui/format.ts'
import { type ReceiptColumn, ReceiptTable } from './ReceiptTable.tsx'

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
    header: 'Left out',
    width: 110,
    align: 'end',
    cell: ({ rejectedRows }) => (rejectedRows === 0 ? 'nothing' : formatCount(rejectedRows)),
  },
  {
    key: 'text',
    header: 'Text',
    width: 170,
    cell: ({ textCompared }) => (textCompared ? 'as when it was added' : 'not compared'),
  },
  { key: 'checksum', header: 'Checksum', width: 170, cell: ({ rowChecksum }) => rowChecksum },
]

/** What of the new file is of which: rows and checksums add up to the whole. */
export function ReceiptSources({ sources }: { readonly sources: readonly ReceiptSource[] }) {
  return <ReceiptTable label="Files combined" columns={SOURCES} items={sources} />
}

const PARTS: readonly ReceiptColumn<ReceiptPart>[] = [
  { key: 'name', header: 'File', width: 300, cell: ({ name }) => name },
  { key: 'value', header: 'Value', width: 180, cell: ({ value }) => value ?? 'null' },
  { key: 'rows', header: 'Rows', width: 110, align: 'end', cell: ({ rows }) => formatCount(rows) },
  { key: 'checksum', header: 'Checksum', width: 170, cell: ({ rowChecksum }) => rowChecksum },
]

/** The files that a table was split into: rows and checksums add up to the whole. */
export function ReceiptParts({ parts }: { readonly parts: readonly ReceiptPart[] }) {
  const columns = parts.some(({ value }) => value !== undefined) ? PARTS : PARTS.filter(({ key }) => key !== 'value')
  return <ReceiptTable label="Files compared" columns={columns} items={parts} />
}
