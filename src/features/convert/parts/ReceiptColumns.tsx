import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useMemo } from 'react'
import type { ColumnFingerprint, Receipt } from '../../../tables/receipt.ts'
import { DataTable, type DataColumn } from '../../../ui/DataTable.tsx'
import { formatCount } from '../../../ui/format.ts'
import css from './Receipt.module.css'

const COLUMNS: readonly DataColumn[] = [
  { key: 'name', header: 'Column', width: 172 },
  { key: 'match', header: 'Match', width: 86 },
  { key: 'type', header: 'Type', width: 132 },
  { key: 'nulls', header: 'Nulls', width: 74, align: 'end' },
  { key: 'min', header: 'Min', width: 150 },
  { key: 'max', header: 'Max', width: 150 },
  { key: 'sum', header: 'Sum', width: 150, align: 'end' },
  { key: 'checksum', header: 'Checksum', width: 144 },
]

/** What the values of each column come to, in the file as it was read back. */
export function ReceiptColumns({ receipt, label }: { readonly receipt: Receipt; readonly label: string }) {
  const { found, differences } = receipt
  const differing = useMemo(() => new Set(differences.map((difference) => difference.column)), [differences])
  return (
    <div className={css.columns}>
      <DataTable
        label={label}
        columns={COLUMNS}
        rowCount={found.columns.length}
        rowHeader={null}
        headHeight={34}
        maxHeight={290}
        renderCell={(row, column) => {
          const print = found.columns[row]
          return print ? cellOf(print, COLUMNS[column]?.key ?? '', !differing.has(print.name)) : null
        }}
      />
    </div>
  )
}

function cellOf(print: ColumnFingerprint, key: string, matches: boolean): React.ReactNode {
  switch (key) {
    case 'name':
      return <span className={css.columnName}>{print.name}</span>
    case 'match':
      return (
        <span className={css.match} data-matches={matches}>
          {matches ? <Check aria-hidden /> : <X aria-hidden />}
          {matches ? 'same' : 'differs'}
        </span>
      )
    case 'type':
      return print.type
    case 'nulls':
      return formatCount(print.nulls)
    case 'min':
      return print.min ?? '—'
    case 'max':
      return print.max ?? '—'
    case 'sum':
      return print.sum ?? '—'
    default:
      return print.checksum
  }
}
