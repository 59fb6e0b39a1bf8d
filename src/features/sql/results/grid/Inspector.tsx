import X from 'lucide-react/icons/x'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { ResultSet } from '../../../../engine/client.ts'
import { cx } from '../../../../ui/cx.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { formatCount } from '../../../../ui/format.ts'
import type { Cell } from '../../../../ui/grid/Grid.tsx'
import { ValueDetails } from '../../../shared/value/ValueDetails.tsx'
import { drawCell } from '../../../shared/value/Cell.tsx'
import type { CopyCells } from './use-result.ts'
import css from './Inspector.module.css'
import result from './Result.module.css'

interface Props {
  readonly set: ResultSet
  /** The active cell of the grid. */
  readonly active: Cell | null
  readonly onActive: (cell: Cell) => void
  /** The result's columns in displayed order. */
  readonly shown: readonly number[]
  readonly copy: CopyCells
  readonly onClose: () => void
}

/** Longest value in the row's list, in characters. */
const DRAWN = 400

interface WithDetailsProps extends Props {
  readonly open: boolean
  readonly children: ReactNode
}

/** A grid and, if open, the inspector with the active cell's full value beside it. */
export function WithDetails({ open, children, ...props }: WithDetailsProps) {
  const whole = useRef<HTMLDivElement>(null)
  const close = (): void => {
    props.onClose()
    whole.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  }
  const keyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !open) return
    event.preventDefault()
    close()
  }
  return (
    <div className={result.whole}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes what is within */}
      <div ref={whole} className={result.halves} onKeyDown={keyDown}>
        {children}
        {open ? <Inspector {...props} onClose={close} /> : null}
      </div>
    </div>
  )
}

/** The full value of the active cell, and its row. */
function Inspector({ set, active, onActive, shown, copy, onClose }: Props) {
  const column = active ? shown[active.column] : undefined
  const own = column === undefined ? undefined : set.columns[column]
  const at = active && active.row >= 0 && column !== undefined ? { row: active.row, column } : null
  const text = at ? set.text(at.row, at.column) : null
  return (
    <aside aria-label="Details" className={css.inspector}>
      <div className={css.head}>
        <h3 className={css.title}>
          {at && own ? own.name || 'Value' : 'Details'}
          {at && own ? <code title={own.type}>{own.type}</code> : null}
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
              <Button
                size="small"
                look="quiet"
                title="As JSON"
                onClick={() => copy({ rows: { from: at.row, to: at.row + 1 }, columns: shown }, 'json', true)}
              >
                Copy row
              </Button>
            </div>
            <Row
              set={set}
              at={at}
              columns={shown}
              onColumn={(next) => onActive({ row: at.row, column: shown.indexOf(next) })}
            />
          </section>
        </div>
      ) : (
        <p className={css.none}>Choose a cell to see all of it.</p>
      )}
    </aside>
  )
}

/** Columns listed initially, and with each "more". */
const PAGE = 100

interface RowProps extends Pick<Props, 'set'> {
  readonly at: { readonly row: number; readonly column: number }
  readonly columns: readonly number[]
  /** Moves to another column of the row. */
  readonly onColumn: (column: number) => void
}

/** The columns of a row with their values, to move between them. */
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
                <span className={css.value}>{drawCell(set.text(at.row, column, DRAWN), 'NULL')}</span>
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
