import type { ReceiptPart, ReceiptSource } from '../../../tables/receipt.ts'
import { formatCount } from '../../../ui/format.ts'
import { type DataColumn, DataTable } from '../../../ui/table/DataTable.tsx'
import css from './Receipt.module.css'

const COLUMNS: readonly DataColumn[] = [
  { key: 'name', header: 'File', width: 220 },
  { key: 'rows', header: 'Rows', width: 110, align: 'end' },
  { key: 'rejected', header: 'Left out', width: 110, align: 'end' },
  { key: 'text', header: 'Text', width: 170 },
  { key: 'checksum', header: 'Checksum', width: 170 },
]

/** What of the new file is of which: rows and checksums add up to the whole. */
export function ReceiptSources({ sources }: { readonly sources: readonly ReceiptSource[] }) {
  return (
    <div className={css.columns}>
      <DataTable
        label="Files combined"
        columns={COLUMNS}
        rowCount={sources.length}
        rowHeader={null}
        headHeight={34}
        maxHeight={290}
        renderCell={(row, column) => {
          const source = sources[row]
          return source ? cellOf(source, COLUMNS[column]?.key ?? '') : null
        }}
      />
    </div>
  )
}

const PARTS: readonly DataColumn[] = [
  { key: 'name', header: 'File', width: 300 },
  { key: 'value', header: 'Value', width: 180 },
  { key: 'rows', header: 'Rows', width: 110, align: 'end' },
  { key: 'checksum', header: 'Checksum', width: 170 },
]

/** The files that a table was split into: rows and checksums add up to the whole. */
export function ReceiptParts({ parts }: { readonly parts: readonly ReceiptPart[] }) {
  const columns = parts.some(({ value }) => value !== undefined) ? PARTS : PARTS.filter(({ key }) => key !== 'value')
  return (
    <div className={css.columns}>
      <DataTable
        label="Files compared"
        columns={columns}
        rowCount={parts.length}
        rowHeader={null}
        headHeight={34}
        maxHeight={290}
        renderCell={(row, column) => {
          const part = parts[row]
          return part ? partCell(part, columns[column]?.key ?? '') : null
        }}
      />
    </div>
  )
}

function partCell({ name, value, rows, rowChecksum }: ReceiptPart, key: string): string {
  switch (key) {
    case 'name':
      return name
    case 'value':
      return value ?? 'null'
    case 'rows':
      return formatCount(rows)
    default:
      return rowChecksum
  }
}

function cellOf({ name, table, rows, rejectedRows, textCompared, rowChecksum }: ReceiptSource, key: string): string {
  switch (key) {
    case 'name':
      return table === null ? name : `${name}, ${table}`
    case 'rows':
      return formatCount(rows)
    case 'rejected':
      return rejectedRows === 0 ? 'nothing' : formatCount(rejectedRows)
    case 'text':
      return textCompared ? 'as when it was added' : 'not compared'
    default:
      return rowChecksum
  }
}
