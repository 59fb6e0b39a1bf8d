import type { ReceiptSource } from '../../../tables/receipt.ts'
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
