import { useMemo } from 'react'
import type { Preview } from '../../../engine/client.ts'
import { isNumeric } from '../../../tables/types.ts'
import { cx } from '../../../ui/cx.ts'
import { DataTable, type DataColumn } from '../../../ui/table/DataTable.tsx'
import { ColumnType, typeLength } from '../../shared/columns/ColumnType.tsx'
import { emptyMark, nullMark } from '../../shared/value/Cell.tsx'
import css from './Panel.module.css'

type Rows = Pick<Preview, 'columns' | 'rows'>

interface Props {
  readonly preview: Rows
  readonly dim: boolean
  readonly label?: string
}

/** Rows as text, with unformatted values. */
export function PreviewTable({ preview, dim, label = 'Preview' }: Props) {
  const columns = useMemo(() => columnsOf(preview), [preview])
  return (
    <DataTable
      label={label}
      className={cx(dim && css.dim)}
      columns={columns}
      rowCount={preview.rows.length}
      maxHeight={322}
      renderCell={(row, column) => <Value value={preview.rows[row]?.[column] ?? null} />}
    />
  )
}

function Value({ value }: { readonly value: string | null }) {
  if (value === null) return nullMark()
  if (value === '') return emptyMark()
  // Line breaks are shown as a character, since they would make the row higher than others.
  return value.includes('\n') || value.includes('\r') ? value.replaceAll(/\r\n|\r|\n/g, '⏎') : value
}

/** Rows from which a column's width is computed. */
const MEASURED = 30
const CHARACTER = 7.1

function columnsOf(preview: Rows): DataColumn[] {
  return preview.columns.map(({ name, type }, i) => {
    let longest = Math.max(name.length, typeLength(type))
    for (const row of preview.rows.slice(0, MEASURED)) longest = Math.max(longest, row[i]?.length ?? 4)
    return {
      key: String(i),
      width: Math.round(Math.min(340, Math.max(84, longest * CHARACTER + 26))),
      align: isNumeric(type) ? 'end' : 'start',
      header: (
        <span className={css.head}>
          <span className={css.headName} title={name}>
            {name}
          </span>
          <ColumnType type={type} />
        </span>
      ),
    }
  })
}
