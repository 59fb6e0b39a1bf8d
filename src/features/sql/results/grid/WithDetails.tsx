import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import type { ResultSet } from '../../../../engine/client.ts'
import type { Cell } from '../../../../ui/grid/Grid.tsx'
import { Inspector } from './Inspector.tsx'
import type { CopyCells } from './use-result.ts'
import css from './Result.module.css'

interface Props {
  readonly set: ResultSet
  readonly active: Cell | null
  readonly onActive: (cell: Cell) => void
  /** The result's columns in the order in which they're shown. */
  readonly shown: readonly number[]
  readonly copy: CopyCells
  readonly open: boolean
  readonly onClose: () => void
  /** The grid. */
  readonly children: ReactNode
}

/** A grid, and beside it, when that's open, all of the cell that its keyboard is at. */
export function WithDetails({ set, active, onActive, shown, copy, open, onClose, children }: Props) {
  const whole = useRef<HTMLDivElement>(null)
  const close = (): void => {
    onClose()
    whole.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  }
  const keyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !open) return
    event.preventDefault()
    close()
  }
  const column = active ? shown[active.column] : undefined
  const at = active && active.row >= 0 && column !== undefined ? { row: active.row, column } : null
  return (
    <div className={css.whole}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes what is within */}
      <div ref={whole} className={css.halves} onKeyDown={keyDown}>
        {children}
        {open ? (
          <Inspector
            set={set}
            at={at}
            columns={shown}
            onColumn={(next) => (at ? onActive({ row: at.row, column: shown.indexOf(next) }) : undefined)}
            onCopyRow={() =>
              at ? copy({ rows: { from: at.row, to: at.row + 1 }, columns: shown }, 'json', true) : undefined
            }
            onClose={close}
          />
        ) : null}
      </div>
    </div>
  )
}
