import { PreviewCard as Base } from '@base-ui/react/preview-card'
import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react'
import { quoteName, type SchemaTable } from '../../../../lib/duckdb-sql/index.ts'
import { cx } from '../../../../ui/cx.ts'
import { formatCount, plural } from '../../../../ui/format.ts'
import { useAsync } from '../../../../ui/hooks/use-async.ts'
import popup from '../../../../ui/overlays/Popup.module.css'
import css from './Preview.module.css'

type Cells = readonly (readonly (string | null)[])[]

/** Runs a query for the preview; null if the session is busy. */
export type AskRows = (sql: string, signal: AbortSignal) => Promise<Cells | null>

/** Milliseconds that the pointer must rest on a table before its preview opens, and be away before it closes. */
const OPENS = 600
const CLOSES = 200
const ROWS = 5
const COLUMNS = 6
/** Longest cell text, in characters. */
const LONGEST = 60

interface Shown {
  readonly table: SchemaTable
  /** Views may take long, so their rows aren't queried. */
  readonly isView: boolean
  readonly anchor: Element
}

/**
 * A card with a table's columns and first rows, shown while the pointer rests on its row. Keyboard users have “Show
 * first rows”.
 * @param tableAt the table under the pointer, and its row element
 */
export function usePreview(tableAt: (event: PointerEvent) => Shown | null, ask: AskRows) {
  const [shown, setShown] = useState<Shown | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wanted = useRef<Element | null>(null)
  const place = useRef('')
  /** When rows move under a resting pointer, that isn't a request for a preview. */
  const hasMoved = ({ clientX, clientY }: PointerEvent): boolean => {
    const last = place.current
    place.current = `${clientX} ${clientY}`
    return place.current !== last
  }
  const want = (next: Shown | null, wait: number): void => {
    wanted.current = next?.anchor ?? null
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setShown(next), wait)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const close = (): void => {
    if (shown || wanted.current) want(null, 0)
  }
  return {
    close,
    pointer: {
      onPointerOver(event: PointerEvent) {
        if (!hasMoved(event)) return
        const next = event.pointerType === 'mouse' && event.buttons === 0 ? tableAt(event) : null
        if (next?.anchor !== wanted.current) want(next, next ? OPENS : CLOSES)
      },
      onPointerMove: hasMoved,
      onPointerLeave: () => want(null, CLOSES),
      // Pressing on a row means that the person is done with the card.
      onPointerDown(event: PointerEvent) {
        close()
        wanted.current = tableAt(event)?.anchor ?? null
      },
    },
    card: shown ? (
      <Base.Root open onOpenChange={(open) => (open ? undefined : close())}>
        <Base.Portal>
          <Base.Positioner
            className={css.positioner}
            anchor={shown.anchor}
            side="right"
            align="start"
            sideOffset={10}
            collisionPadding={12}
          >
            <Base.Popup
              className={cx(popup['popup'], css.card)}
              onPointerEnter={() => want(shown, 0)}
              onPointerLeave={() => want(null, CLOSES)}
            >
              <Card key={shown.table.reference} {...shown} ask={ask} />
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    ) : null,
  }
}

interface CardProps extends Pick<Shown, 'table' | 'isView'> {
  readonly ask: AskRows
}

function Card({ table: { reference, columns, rowCount }, isView, ask }: CardProps) {
  const shown = columns.slice(0, COLUMNS)
  const [asked] = useState(() => ask)
  const sql = `SELECT ${shown.map(({ name }) => quoteName(name)).join(', ')} FROM ${reference} LIMIT ${ROWS}`
  const work = useMemo(
    () => (isView || shown.length === 0 ? null : (signal: AbortSignal) => asked(sql, signal).catch(() => null)),
    [isView, shown.length, asked, sql],
  )
  const rows = useAsync(work)
  const more = columns.length - shown.length
  const facts = [rowCount === null ? '' : plural(rowCount, 'row'), plural(columns.length, 'column')]
  return (
    <>
      <p className={css.name}>{reference}</p>
      <p className={css.facts}>{facts.filter(Boolean).join(' · ')}</p>
      <table className={css.rows}>
        <thead>
          <tr>
            {shown.map(({ name, type }) => (
              <th key={name} scope="col">
                {name}
                <span>{type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other name than their place
            <tr key={row}>
              {cells.map((text, i) => (
                <td key={shown[i]?.name} data-null={text === null}>
                  {text === null ? 'NULL' : text.slice(0, LONGEST)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 ? (
        <p className={css.facts}>
          and {formatCount(more)} more {more === 1 ? 'column' : 'columns'}
        </p>
      ) : null}
    </>
  )
}
