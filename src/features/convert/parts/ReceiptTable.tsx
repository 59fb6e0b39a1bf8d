import type { ReactNode } from 'react'
import { type DataColumn, DataTable } from '../../../ui/table/DataTable.tsx'
import css from './Receipt.module.css'

/** A column of a receipt's table: what it says of each of the things that the table lists. */
export interface ReceiptColumn<T> extends DataColumn {
  readonly cell: (item: T) => ReactNode
}

interface Props<T> {
  readonly label: string
  readonly columns: readonly ReceiptColumn<T>[]
  readonly items: readonly T[]
}

/** What a receipt says of each column, source or file. */
export function ReceiptTable<T>({ label, columns, items }: Props<T>) {
  return (
    <div className={css.columns}>
      <DataTable
        label={label}
        columns={columns}
        rowCount={items.length}
        rowHeader={null}
        headHeight={34}
        maxHeight={290}
        renderCell={(row, column) => {
          const item = items[row]
          return item === undefined ? null : columns[column]?.cell(item)
        }}
      />
    </div>
  )
}
