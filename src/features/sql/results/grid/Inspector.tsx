import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { ResultSet } from '../../../../engine/client.ts'
import { cx } from '../../../../ui/cx.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { ValueDetails } from '../../../shared/value/ValueDetails.tsx'
import { drawCell } from './Cell.tsx'
import css from './Inspector.module.css'

interface Props {
  readonly set: ResultSet
  /** What is looked at, by the result's own columns; null where there's none, such as on a head. */
  readonly at: { readonly row: number; readonly column: number } | null
  readonly columns: readonly number[]
  /** Another column of the row is to be looked at. */
  readonly onColumn: (column: number) => void
  readonly onCopyRow: () => void
  readonly onClose: () => void
}

/** Characters of a value in the list of the row. */
const DRAWN = 400

/** All of the value that the grid's keyboard is at, and of its row. */
export function Inspector({ set, at, columns, onColumn, onCopyRow, onClose }: Props) {
  const own = at ? set.columns[at.column] : undefined
  const text = at ? set.text(at.row, at.column) : null
  return (
    <aside aria-label="Details" className={css.inspector}>
      <div className={css.head}>
        <h3 className={css.title}>
          {own ? own.name || 'Value' : 'Details'}
          {own ? <code title={own.type}>{own.type}</code> : null}
        </h3>
        <IconButton label="Close details (Esc)" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      {at && own ? (
        <div className={css.body}>
          <ValueDetails name={own.name} type={own.type} text={text} value={set.value(at.row, at.column)} />
          {text === null ? null : <CopyButton label="Copy value" text={text} />}
          <section aria-label="Row" className={css.section}>
            <div className={css.rowHead}>
              <h4 className={css.row}>Row {formatCount(at.row + 1)}</h4>
              <Button size="small" look="quiet" title="As JSON" onClick={onCopyRow}>
                Copy row
              </Button>
            </div>
            <Row set={set} at={at} columns={columns} onColumn={onColumn} />
          </section>
        </div>
      ) : (
        <p className={css.none}>Choose a cell to see all of it.</p>
      )}
    </aside>
  )
}

/** Columns of a row that are listed at first, and with each "more". */
const PAGE = 100

type RowProps = Pick<Props, 'set' | 'columns' | 'onColumn'> & { readonly at: NonNullable<Props['at']> }

/** Each column of a row with its value, to go on to. */
function Row({ set, at, columns, onColumn }: RowProps) {
  const [count, setCount] = useState(PAGE)
  return (
    <>
      <ul className={css.list}>
        {columns.slice(0, count).map((column) => {
          const isHere = column === at.column
          return (
            <li key={column}>
              <button
                type="button"
                className={cx(css.entry, isHere && css.here)}
                aria-current={isHere || undefined}
                onClick={() => onColumn(column)}
              >
                <span className={css.name}>{set.columns[column]?.name}</span>
                <span className={css.value}>{drawCell(set.text(at.row, column, DRAWN))}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {columns.length > count ? (
        <Button size="small" look="quiet" onClick={() => setCount(count + PAGE * 5)}>
          Show more of {formatCount(columns.length)}
        </Button>
      ) : null}
    </>
  )
}
