import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ColumnPlan, SourceRows } from '../../../tables/plan.ts'
import { columnName } from '../../../tables/range.ts'
import { type CsvSettings, named, type ReadSettings, type XlsxSettings } from '../../../tables/settings.ts'
import { settingsInForce } from '../../../tables/inspect-request.ts'
import { hasSource, type RowRole, rolesOf, rowActions } from '../../../tables/source.ts'
import { formatCount } from '../../../ui/format.ts'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { DataTable, type DataColumn } from '../../../ui/table/DataTable.tsx'
import { useConvert } from '../context.tsx'
import { isBusy, isRead } from '../model/job.ts'
import type { TableProps } from './SheetBar.tsx'
import panel from './Panel.module.css'
import css from './SourceTable.module.css'

const ROLE_NAMES: Readonly<Record<RowRole, string>> = {
  above: 'above the table',
  header: 'header',
  data: 'row',
  out: 'left out',
  after: 'after the table',
}

type Props = Pick<TableProps, 'job' | 'inspection' | 'table'>

/**
 * The file's own rows with their numbers and a menu for the role of each. Renders nothing for formats without such
 * rows.
 */
export function SourceTable(props: Props) {
  const { job, inspection, table } = props
  const { client } = useConvert()
  const settings = settingsInForce(job.request, inspection)
  const name = inspection.tables[table]?.name ?? null
  const { data, error } = useQuery({
    queryKey: ['source', job.id, splitBy(inspection.settings, name)],
    queryFn: ({ signal }) =>
      client.source(job.file, { format: inspection.format, settings: inspection.settings, table: name }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (error) return <p className={panel.nothing}>The file’s rows can’t be shown: {error.message}</p>
  if (!data || !hasSource(settings)) return <div className={panel.waiting} aria-busy />
  return <Rows {...props} source={data} settings={settings} name={name} />
}

/** The settings that determine how rows are split into cells: when they change, the rows are read again. */
function splitBy(settings: ReadSettings, table: string | null): readonly unknown[] {
  if (settings.kind === 'xlsx') return [named(settings.sheet, table ?? '') ?? table]
  if (settings.kind !== 'csv') return []
  const { compression, encoding, delimiter, quote, escape, layout, columnStarts, mergeDelimiters, trim } = settings
  return [compression, encoding, delimiter, quote, escape, layout, columnStarts, mergeDelimiters, trim]
}

interface RowsProps extends Props {
  readonly source: SourceRows
  readonly settings: CsvSettings | XlsxSettings
  readonly name: string | null
}

function Rows({ job, inspection, table, source, settings, name }: RowsProps) {
  const { store } = useConvert()
  const locked = isBusy(job)
  // While the file is read again, columns may get other names, and a change by the old name would be lost.
  const unsure = !isRead(job)
  const { rows, hidden, head } = source
  const roles = useMemo(() => rolesOf(settings, name, rows), [settings, name, rows])
  const planned = job.plan?.tables[table]?.columns
  const columns = useMemo(
    () =>
      columnsOf(source, settings.kind, planned ?? [], {
        locked,
        unsure,
        include: (index, include) => {
          const at = inspection.tables[table]?.columns.findIndex((column) => column.index === index) ?? -1
          if (at >= 0) store.setColumn(job.id, table, at, { include })
        },
      }),
    [source, settings.kind, planned, locked, unsure, inspection, table, store, job.id],
  )
  const rowMenu = (row: number) => {
    const number = formatCount(rows[row]?.number ?? 0)
    return (
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className={css.row}
            disabled={locked}
            data-role={roles[row]}
            aria-label={`Row ${number}, ${ROLE_NAMES[roles[row] ?? 'data']}`}
          >
            {number}
          </button>
        }
        items={rowActions(settings, job.request.settings, name, source, row).map(({ key, label, patch }) => ({
          key,
          label,
          onSelect: () => store.setSettings(job.id, { kind: settings.kind, ...patch } as Partial<ReadSettings>),
        }))}
      />
    )
  }
  return (
    <>
      <DataTable
        label="Rows of the file"
        columns={columns}
        rowCount={rows.length}
        rowHeader={rowMenu}
        maxHeight={322}
        renderCell={(row, column) => (
          <span className={css.cell} data-role={roles[row]}>
            {rows[row]?.cells[column]?.replaceAll(/\r\n|\r|\n/g, '⏎') ?? ''}
          </span>
        )}
      />
      <p className={panel.foot}>
        {hidden > 0
          ? `The first ${head} and the last ${rows.length - head} rows; ${formatCount(hidden)} between them aren’t shown.`
          : 'All rows that aren’t empty.'}
        <span>Press a row’s number or a column’s head to say what it is.</span>
      </p>
    </>
  )
}

/** Rows from which a column's width is computed. */
const MEASURED = 30
const CHARACTER = 7.1

interface ColumnActions {
  readonly locked: boolean
  /** Whether the columns aren't known yet, because the file is being read again. */
  readonly unsure: boolean
  readonly include: (index: number, include: boolean) => void
}

function columnsOf(
  { rows }: SourceRows,
  kind: 'csv' | 'xlsx',
  planned: readonly ColumnPlan[],
  { locked, unsure, include }: ColumnActions,
): DataColumn[] {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const byIndex = new Map(planned.map((column) => [column.index, column]))
  return Array.from({ length: width }, (_, index) => {
    const longest = rows.slice(0, MEASURED).reduce((most, { cells }) => Math.max(most, cells[index]?.length ?? 0), 8)
    const label = kind === 'xlsx' ? columnName(index) : String(index + 1)
    const column = byIndex.get(index)
    return {
      key: label,
      width: Math.round(Math.min(280, longest * CHARACTER + 26)),
      header: column ? (
        <ColumnHead
          label={label}
          column={column}
          locked={locked}
          unsure={unsure}
          onInclude={(next) => include(index, next)}
        />
      ) : (
        label
      ),
    }
  })
}

interface HeadProps extends Pick<ColumnActions, 'locked' | 'unsure'> {
  readonly label: string
  readonly column: ColumnPlan
  readonly onInclude: (include: boolean) => void
}

function ColumnHead({ label, column, locked, unsure, onInclude }: HeadProps) {
  const { name, include } = column
  const action = include ? 'Leave out' : 'Include again'
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className={css.column}
          disabled={locked}
          data-role={include ? 'data' : 'out'}
          aria-label={`Column ${label}, ${name}${include ? '' : ', left out'}`}
        >
          <span>{label}</span>
          <span className={panel.headType}>{name}</span>
        </button>
      }
      items={[{ key: 'include', label: action, disabled: unsure, onSelect: () => onInclude(!include) }]}
    />
  )
}
