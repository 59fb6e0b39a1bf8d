import SquareTerminal from 'lucide-react/icons/square-terminal'
import FileDown from 'lucide-react/icons/file-down'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { quoteReference } from '../../../lib/duckdb-sql/names.ts'
import { useSession } from '../../../session/context.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { plural } from '../../../ui/format.ts'
import { Segments } from '../../../ui/fields/Segments.tsx'
import { useDatasets } from '../context.tsx'
import { ColumnsView } from './ColumnsView.tsx'
import { RowsView } from './RowsView.tsx'
import css from './Detail.module.css'

const ExportDialog = lazy(() => import('./ExportDialog.tsx'))
const ApiView = lazy(() => import('./ApiView.tsx'))

type View = 'rows' | 'columns' | 'api'

const VIEWS: readonly { readonly value: View; readonly label: string }[] = [
  { value: 'rows', label: 'Rows' },
  { value: 'columns', label: 'Columns' },
  { value: 'api', label: 'API' },
]

/** A dataset's tables; for the selected one its rows, its columns, or code to read it. */
export function TablesTab({ dataset }: { readonly dataset: DatasetDetails }) {
  const [params, setParams] = useSearchParams()
  const [exporting, setExporting] = useState(false)
  const { tables } = dataset
  const table = tables.find(({ name }) => name === params.get('table')) ?? tables[0]
  const view = VIEWS.find(({ value }) => value === params.get('view'))?.value ?? 'rows'
  const set = useCallback(
    (change: Readonly<Record<string, string | null>>) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old)
          for (const [key, value] of Object.entries(change)) {
            if (value === null) next.delete(key)
            else next.set(key, value)
          }
          return next
        },
        { preventScrollReset: true, replace: true },
      ),
    [setParams],
  )
  if (!table) return <EmptyState>This dataset has no tables.</EmptyState>
  return (
    <div className={css.tables}>
      {tables.length > 1 ? (
        <nav aria-label="Tables" className={css.tableList}>
          {tables.map(({ name, rowCount }) => (
            <button
              key={name}
              type="button"
              aria-current={name === table.name ? 'true' : undefined}
              onClick={() => set({ table: name, column: null })}
            >
              <span>{name}</span>
              <span className={css.rows}>{plural(rowCount, 'row')}</span>
            </button>
          ))}
        </nav>
      ) : null}
      <section className={css.one} aria-label={`Table ${table.name}`}>
        <div className={css.bar}>
          <div className={css.which}>
            <h2>{table.name}</h2>
            <p>
              {plural(table.rowCount, 'row')} · {plural(table.schema.length, 'column')} · {formatBytes(table.byteSize)}
            </p>
          </div>
          <Segments
            label="View"
            value={view}
            items={VIEWS}
            onChange={(next) => set({ view: next === 'rows' ? null : next })}
          />
          <QueryButton dataset={dataset} table={table} />
          <Button icon={<FileDown aria-hidden />} onClick={() => setExporting(true)}>
            Export table
          </Button>
        </div>
        {table.description ? <p className={css.tableDescription}>{table.description}</p> : null}
        <Suspense fallback={<div className={css.loading} aria-busy />}>
          {view === 'rows' ? (
            <RowsView
              key={table.name}
              dataset={dataset}
              table={table}
              onColumn={(column) => set({ view: 'columns', column })}
            />
          ) : null}
          {view === 'columns' ? (
            <ColumnsView
              key={table.name}
              dataset={dataset}
              table={table}
              chosen={params.get('column')}
              onChoose={(column) => set({ column })}
            />
          ) : null}
          {view === 'api' ? <ApiView dataset={dataset} table={table} /> : null}
          {exporting ? <ExportDialog dataset={dataset} table={table} onClose={() => setExporting(false)} /> : null}
        </Suspense>
      </section>
    </div>
  )
}

/** Opens SQL with a query for the table. */
function QueryButton({ dataset, table }: { readonly dataset: DatasetDetails; readonly table: DatasetTable }) {
  const { onQuery } = useDatasets()
  const { slug } = useSession()
  // Without the workspace's name, a statement can't name its tables.
  if (!onQuery || slug === '') return null
  const reference = quoteReference([slug, dataset.name, table.name])
  return (
    <Button
      icon={<SquareTerminal aria-hidden />}
      onClick={() => onQuery(table.name, `SELECT * FROM ${reference} LIMIT 100`)}
    >
      Query
    </Button>
  )
}
