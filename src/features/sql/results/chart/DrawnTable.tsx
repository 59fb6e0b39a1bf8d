import { useMemo } from 'react'
import { DataTable } from '../../../../ui/table/DataTable.tsx'
import type { ChartData } from './data/chart-data.ts'
import { tableOf } from './data/words.ts'

/** All that is drawn, as a table. */
export function DrawnTable({ data }: { readonly data: ChartData }) {
  const table = useMemo(() => tableOf(data), [data])
  const columns = useMemo(
    () =>
      table.columns.map(({ label, isNumber }, i) => {
        const longest = table.rows
          .slice(0, 200)
          .reduce((most, row) => Math.max(most, row[i]?.length ?? 0), label.length)
        return {
          key: `${i}`,
          header: label,
          width: Math.min(320, Math.max(96, 32 + longest * 7.4)),
          align: isNumber ? ('end' as const) : ('start' as const),
        }
      }),
    [table],
  )
  return (
    <DataTable
      label="What the chart shows"
      columns={columns}
      rowCount={table.rows.length}
      renderCell={(row, column) => table.rows[row]?.[column] ?? ''}
      maxHeight={420}
    />
  )
}
