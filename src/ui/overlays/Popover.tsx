import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { cx } from '../cx.ts'
import popup from './Popup.module.css'
import css from './Popover.module.css'

interface PopoverProps {
  readonly trigger: ReactElement
  readonly title: string
  /** Side of the button; below it by default. */
  readonly side?: 'bottom' | 'right'
  readonly children: ReactNode
}

/** A small panel beside the button that opens it. */
export function Popover({ trigger, title, side = 'bottom', children }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} side={side} sideOffset={6} align="end" collisionPadding={12}>
          <Base.Popup className={cx(popup['popup'], css.popup)}>
            <Base.Title className={css.title}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
