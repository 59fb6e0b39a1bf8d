import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { explain } from '../../shared/problem.ts'
import { useMemo, useState } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import { isNumeric } from '../../../tables/types.ts'
import { ColumnType, typeLength } from '../../shared/columns/ColumnType.tsx'
import { ValueDetails } from '../../shared/value/ValueDetails.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { Grid, type Cell, type GridColumn } from '../../../ui/grid/Grid.tsx'
import { drawCell } from '../../shared/value/Cell.tsx'
import { fullText, valueText } from '../model/sql.ts'
import { Starting } from './Starting.tsx'
import { useRows, type ValueOf } from './use-rows.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import css from './Rows.module.css'

interface Props {
  readonly dataset: DatasetDetails
  readonly table: DatasetTable
  /** Opens a column's profile. */
  readonly onColumn: (name: string) => void
}

/** All rows of a table, with values as returned by the service. */
export function RowsView({ dataset, table, onColumn }: Props) {
  const { valueOf, onShown, busy, error, retry } = useRows(dataset, table)
  const [active, setActive] = useState<Cell | null>(null)
  const columns = useColumns(table, valueOf)
  if (table.rowCount === 0) return <EmptyState>This table has columns, but no rows.</EmptyState>
  return (
    <div className={css.view}>
      {error ? <ProblemNotice problem={explain(error, 'Some rows weren’t loaded')} onRetry={retry} /> : null}
      <Grid
        label={`Rows of ${table.name}`}
        className={css.grid ?? ''}
        columns={columns}
        rowCount={table.rowCount}
        active={active}
        onActive={setActive}
        onOpen={(cell) => {
          const name = table.schema[cell.column]?.name
          if (cell.row < 0 && name !== undefined) onColumn(name)
        }}
        onShown={onShown}
        busy={busy}
        textOf={(row, column) => {
          const value = valueOf(row, column)
          return value === undefined ? null : (valueText(value) ?? '')
        }}
        renderCell={(row, column) => <Value value={valueOf(row, column)} />}
      />
      <div className={css.starting}>
        <Starting isWaiting={busy} />
      </div>
      <Inspector table={table} active={active} valueOf={valueOf} />
    </div>
  )
}

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span className={css.bone} aria-hidden />
  return drawCell(valueText(value))
}

/** The complete value of the active cell, however long or nested. */
function Inspector({
  table,
  active,
  valueOf,
}: {
  readonly table: DatasetTable
  readonly active: Cell | null
  readonly valueOf: ValueOf
}) {
  const column = active ? table.schema[active.column] : undefined
  if (!active || !column || active.row < 0) {
    return (
      <p className={css.foot}>
        {plural(table.rowCount, 'row')} · {plural(table.schema.length, 'column')}
        <span className={css.legend}>
          {active && column ? `Enter shows what’s in “${column.name}”` : 'Choose a cell to see all of its value'}
        </span>
      </p>
    )
  }
  const value = valueOf(active.row, active.column)
  return (
    <section className={css.inspector} aria-label="Cell">
      <p className={css.where}>
        <span>
          <strong>{column.name}</strong> <code>{column.type}</code>
        </span>
        <span>row {formatCount(active.row + 1)}</span>
        {value === undefined || value === null ? null : <CopyButton label="Copy value" text={() => fullText(value)} />}
      </p>
      {value === undefined ? (
        <p className={css.faint}>Loading…</p>
      ) : (
        <div className={css.value}>
          <ValueDetails name={column.name} type={column.type} text={valueText(value)} value={value} />
        </div>
      )}
    </section>
  )
}

const CHARACTER = 7.1
/** Rows from which a column's width is computed. */
const MEASURED = 40

/** The columns, with widths that fit their first values. */
function useColumns(table: DatasetTable, valueOf: ValueOf): readonly GridColumn[] {
  const [known, setKnown] = useState<ReadonlyMap<number, number>>(new Map())
  const columns = useMemo(
    () =>
      table.schema.map(({ name, type }, i): GridColumn => {
        const measured = known.get(i) ?? measure(valueOf, i, table.rowCount)
        const longest = Math.max(name.length, typeLength(type), measured ?? 8)
        return {
          key: `${i}`,
          name,
          width: Math.round(Math.min(340, Math.max(84, longest * CHARACTER + 26))),
          align: isNumeric(type) ? 'end' : 'start',
          header: (
            <>
              <span className={css.headName} title={name}>
                {name}
              </span>
              <ColumnType type={type} />
            </>
          ),
        }
      }),
    [table, valueOf, known],
  )
  // A column keeps its width once its first rows are loaded, so that it doesn't jump when others arrive.
  const fresh = table.schema.flatMap((_, i) => {
    const size = known.has(i) ? null : measure(valueOf, i, table.rowCount)
    return size === null ? [] : [[i, size] as const]
  })
  if (fresh.length > 0) setKnown(new Map([...known, ...fresh]))
  return columns
}

/** Length of the longest of a column's first values, in characters; null until they're loaded. */
function measure(valueOf: ValueOf, column: number, rows: number): number | null {
  let longest = 4
  for (let row = 0; row < Math.min(MEASURED, rows); row++) {
    const value = valueOf(row, column)
    if (value === undefined) return null
    longest = Math.max(longest, valueText(value)?.length ?? 4)
  }
  return longest
}
