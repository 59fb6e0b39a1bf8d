import { useMemo } from 'react'
import type { RejectedRow } from '../../../tables/plan.ts'
import { REASONS } from '../../../tables/words.ts'
import { Button } from '../../../ui/Button.tsx'
import { DataTable, type DataColumn } from '../../../ui/DataTable.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { useStore } from '../../../ui/use-store.ts'
import { useSql } from '../context.tsx'
import type { Misfits } from './imports.ts'
import css from './Local.module.css'

const COLUMNS: readonly DataColumn[] = [
  { key: 'line', header: 'Line', width: 80, align: 'end' },
  { key: 'reason', header: 'Reason', width: 160 },
  { key: 'message', header: 'What is wrong', width: 320 },
  { key: 'column', header: 'Column', width: 130 },
  { key: 'raw', header: 'As it stands in the file', width: 420 },
]

/** Asks before a file is taken without its rows that don't fit; one file after the other. */
export function MisfitsDialog() {
  const { imports } = useSql().local
  const files = useStore(imports)
  const asking = files.find(({ stage }) => stage.kind === 'asking')
  if (asking?.stage.kind !== 'asking') return null
  const { id, file, stage } = asking
  const count = stage.misfits.reduce((sum, table) => sum + table.count, 0)
  const rows = stage.misfits.reduce((sum, table) => sum + table.rows, 0)
  const one = count === 1
  return (
    <Dialog
      key={id}
      open
      size="large"
      title={`${plural(count, 'row')} of “${file.name}” ${one ? 'doesn’t' : 'don’t'} fit`}
      description={`Nothing was added yet. The other ${plural(rows, 'row')} can be queried without ${one ? 'it' : 'them'}; or mend the file first: Convert sets such rows aside as a file of their own.`}
      cancel="Don’t add it"
      onClose={() => imports.cancel(id)}
      action={
        <Button look="primary" onClick={() => imports.agree(id)}>
          {one ? 'Add it without this row' : `Add it without these ${formatCount(count)} rows`}
        </Button>
      }
    >
      {stage.misfits.map((table) => (
        <MisfitTable key={table.table} {...table} />
      ))}
    </Dialog>
  )
}

function MisfitTable({ table, count, first }: Misfits) {
  const cells = useMemo(() => first.map(cellsOf), [first])
  return (
    <section className={css.misfits}>
      {table === null ? null : <h3 className={css.sheet}>{table}</h3>}
      <DataTable
        label={table === null ? 'Rows that don’t fit' : `Rows of “${table}” that don’t fit`}
        columns={COLUMNS}
        rowCount={cells.length}
        rowHeader={null}
        headHeight={34}
        maxHeight={322}
        renderCell={(row, column) => {
          const value = cells[row]?.[column] ?? ''
          return <span title={value}>{value}</span>
        }}
      />
      {count > first.length ? (
        <p className={css.words}>
          The first {first.length} of {formatCount(count)}.
        </p>
      ) : null}
    </section>
  )
}

function cellsOf({ line, row, reason, message, column, raw }: RejectedRow): string[] {
  return [line === null ? `row ${row}` : String(line), REASONS[reason], message, column ?? '', raw]
}
