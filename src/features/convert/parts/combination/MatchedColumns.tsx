import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MatchChoices, Matching } from '../../../../tables/combine/match.ts'
import type { InputTable, MatchedColumn } from '../../../../tables/combine/plan.ts'
import { typeName } from '../../../../tables/type-names.ts'
import { DataTable, type DataColumn } from '../../../../ui/table/DataTable.tsx'
import { useNarrow } from '../../../../ui/hooks/use-media.ts'
import { ColumnType } from '../../../shared/columns/ColumnType.tsx'
import css from './Combination.module.css'

interface Props {
  readonly matching: Matching
  readonly choices: MatchChoices
  readonly locked: boolean
  readonly onChange: (choices: MatchChoices) => void
}

/** Which column of each file belongs to which of the result. Differences between files stand out and can be changed. */
export function MatchedColumns({ matching, choices, locked, onChange }: Props) {
  const { inputs, columns } = matching
  const narrow = useNarrow()
  const shown = useMemo((): DataColumn[] => {
    const files = inputs.map(({ id, label }) => ({
      key: id,
      header: <span title={label}>{label}</span>,
      width: 148,
      className: css['cell'] ?? '',
    }))
    return [{ key: 'type', header: 'Type', width: 190 }, ...files]
  }, [inputs])
  const include = (key: string, on: boolean): void => {
    const others = choices.leftOut.filter((each) => each !== key)
    onChange({ ...choices, leftOut: on ? others : [...others, key] })
  }
  return (
    <DataTable
      label="Matched columns"
      columns={shown}
      rowCount={columns.length}
      rowHeaderLabel="Column"
      rowHeaderWidth={narrow ? 136 : 208}
      rowHeight={34}
      headHeight={36}
      maxHeight={420}
      rowHeader={(row) => columnHead(columns[row], locked, include)}
      renderCell={(row, at) => {
        const column = columns[row]
        if (!column) return null
        if (at === 0)
          return (
            <span data-included={column.include}>
              <ColumnType type={column.type} />
            </span>
          )
        const input = inputs[at - 1]
        return input ? (
          <MatchCell
            key={`${column.key} ${input.id}`}
            column={column}
            input={input}
            own={column.cells[at - 1]?.name ?? null}
            locked={locked}
            onChoose={(name) =>
              onChange({ ...choices, cells: [...choices.cells, { input: input.id, key: column.key, name }] })
            }
          />
        ) : null
      }}
    />
  )
}

/** A column's name, with a checkbox to include it. */
function columnHead(column: MatchedColumn | undefined, locked: boolean, include: (key: string, on: boolean) => void) {
  if (!column) return null
  const { key, name, include: included } = column
  return (
    <label className={css.column} data-included={included}>
      <input
        type="checkbox"
        aria-label={`Include ${name}`}
        checked={included}
        disabled={locked}
        onChange={(event) => include(key, event.currentTarget.checked)}
      />
      <span title={name}>{name}</span>
    </label>
  )
}

interface CellProps {
  readonly column: MatchedColumn
  readonly input: InputTable
  /** The name of the file's own column. */
  readonly own: string | null
  readonly locked: boolean
  readonly onChoose: (name: string | null) => void
}

const MISSING = 'missing'

/** A file's column, or that it's missing; opens a list of the file's columns. */
function MatchCell({ column, input, own, locked, onChoose }: CellProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLSelectElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (open) list.current?.focus()
    else if (wasOpen.current) button.current?.focus()
    wasOpen.current = open
  }, [open])
  const close = useCallback(() => setOpen(false), [])
  const found = input.columns.find(({ name }) => name === own)
  const state = own === null ? 'missing' : own === column.name ? 'same' : 'differs'
  if (!open) {
    return (
      <button
        ref={button}
        type="button"
        className={css.own}
        data-state={state}
        data-included={column.include}
        disabled={locked}
        title={found && found.type !== column.type ? `${found.source}: ${typeName(found.type)}` : found?.source}
        aria-label={`${own ?? MISSING}, ${input.label}`}
        onClick={() => setOpen(true)}
      >
        {own ?? MISSING}
      </button>
    )
  }
  return (
    <select
      ref={list}
      className={css.list}
      aria-label={`Column of ${input.label} for ${column.name}`}
      // By index, since any text may be a column's name.
      value={own === null ? -1 : input.columns.findIndex(({ name }) => name === own)}
      onBlur={close}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return
        event.preventDefault()
        close()
      }}
      onChange={(event) => onChoose(input.columns[Number(event.currentTarget.value)]?.name ?? null)}
    >
      <option value={-1}>{MISSING}</option>
      {input.columns.map(({ index, name }, i) => (
        <option key={index} value={i}>
          {name}
        </option>
      ))}
    </select>
  )
}
