import type { ReactNode } from 'react'
import { type DataColumn, DataTable } from '../../../ui/table/DataTable.tsx'
import css from './Receipt.module.css'

/** A column of a table in a receipt, and its text for each item. */
export interface ReceiptColumn<T> extends DataColumn {
  readonly cell: (item: T) => ReactNode
}

interface Props<T> {
  readonly label: string
  readonly columns: readonly ReceiptColumn<T>[]
  readonly items: readonly T[]
}

/** A table in a receipt, of columns, sources or files. */
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
