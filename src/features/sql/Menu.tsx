import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import css from './Menu.module.css'

export interface MenuItem {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  /** The keys that do the same. */
  readonly keys?: string
  readonly disabled?: boolean
  readonly onSelect: () => void
}

interface MenuProps {
  readonly trigger: ReactElement
  readonly items: readonly (MenuItem | 'line')[]
  readonly align?: 'start' | 'end'
}

/** A button's list of things to do. */
export function Menu({ trigger, items, align = 'end' }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} sideOffset={6} align={align} collisionPadding={12}>
          <Base.Popup className={css.popup}>
            {items.map((item, i) =>
              item === 'line' ? (
                // oxlint-disable-next-line react/no-array-index-key -- lines have no other name than their place
                <Base.Separator key={`line-${i}`} className={css.line} />
              ) : (
                <Base.Item key={item.key} className={css.item} disabled={item.disabled} onClick={item.onSelect}>
                  {item.icon}
                  <span>{item.label}</span>
                  {item.keys ? <kbd className={css.keys}>{item.keys}</kbd> : null}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
