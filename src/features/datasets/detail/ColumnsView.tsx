import { ColumnType } from '../../shared/columns/ColumnType.tsx'
import { useEffect, useMemo, useRef } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import { formatCount } from '../../../ui/format.ts'
import { evenOffsets, spanOf, useViewport } from '../../../ui/table/use-span.ts'
import { ColumnProfile } from './ColumnProfile.tsx'
import css from './ColumnsView.module.css'

interface Props {
  readonly dataset: DatasetDetails
  readonly table: DatasetTable
  /** The column whose profile is shown. */
  readonly chosen: string | null
  readonly onChoose: (name: string) => void
}

const HEIGHT = 34

/** A table's columns, and the profile of the chosen one. */
export function ColumnsView({ dataset, table, chosen, onChoose }: Props) {
  const columns = table.schema
  const [view, viewRef] = useViewport()
  const scroller = useRef<HTMLDivElement | null>(null)
  const offsets = useMemo(() => evenOffsets(columns.length, HEIGHT), [columns.length])
  const { start, end } = spanOf(offsets, view.top, view.top + view.height, 8)
  const column = columns.find(({ name }) => name === chosen)
  const at = columns.findIndex(({ name }) => name === chosen)
  useEffect(() => {
    const element = scroller.current
    if (!element || at < 0) return
    const top = at * HEIGHT
    if (top < element.scrollTop || top + HEIGHT > element.scrollTop + element.clientHeight)
      element.scrollTo({ top: top - HEIGHT })
  }, [at])
  return (
    <div className={css.view}>
      <div
        ref={(element) => {
          scroller.current = element
          viewRef(element)
        }}
        className={css.schema}
      >
        <ul aria-label={`Columns of ${table.name}`} className={css.list} style={{ height: offsets[columns.length] }}>
          {columns.slice(start, end).map(({ name, type }, i) => (
            <li
              key={name}
              aria-setsize={columns.length}
              aria-posinset={start + i + 1}
              className={css.item}
              style={{ transform: `translateY(${offsets[start + i] ?? 0}px)`, height: HEIGHT }}
            >
              <button type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
                <span className={css.position}>{formatCount(start + i + 1)}</span>
                <span className={css.name} title={name}>
                  {name}
                </span>
                <span className={css.type}>
                  <ColumnType type={type} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className={css.profile}>
        {column ? (
          <ColumnProfile key={column.name} dataset={dataset} table={table} column={column} />
        ) : (
          <p className={css.hint}>
            Choose a column to see its nulls, how many different values it has, and how they’re spread.
          </p>
        )}
      </div>
    </div>
  )
}
