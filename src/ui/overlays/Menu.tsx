import { Menu as Base } from '@base-ui/react/menu'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useEffect, type ReactElement, type ReactNode } from 'react'
import { IconButton } from '../Button.tsx'
import { cx } from '../cx.ts'
import popup from './Popup.module.css'
import css from './Menu.module.css'

/** The modifier key for commands: `⌘` on a Mac, otherwise `Ctrl `. */
export const MOD = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl '

export interface MenuItem {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  /** The keyboard shortcut for it. */
  readonly keys?: string
  readonly disabled?: boolean
  readonly onSelect: () => void
}

/** A separator, or a sentence about the items above it. */
export type MenuEntry = MenuItem | 'line' | { readonly note: string }

interface Props {
  readonly items: readonly MenuEntry[]
  readonly align?: 'start' | 'end'
}

interface Triggered extends Props {
  readonly trigger: ReactElement
}

export interface MenuPlace {
  readonly label: string
  /** Where it opens: at an element, or at the pointer. */
  readonly anchor: Element | { readonly x: number; readonly y: number }
}

interface Placed extends Props, MenuPlace {
  /** Pass false to close it with an animation. */
  readonly open: boolean
  readonly onClose: () => void
  /** The element that receives the focus after closing. */
  readonly focus: () => HTMLElement | null
}

/** A menu opened by a button. */
export function Menu({ trigger, items, align = 'end' }: Triggered) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} sideOffset={6} align={align} collisionPadding={12}>
          <Base.Popup className={cx(popup['popup'], css.popup)}>
            <Entries items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** A menu of rare actions, opened by a button with three dots. */
export function MoreMenu({ label = 'More', items }: Pick<Props, 'items'> & { readonly label?: string }) {
  const trigger = (
    <IconButton label={label}>
      <Ellipsis aria-hidden />
    </IconButton>
  )
  return <Menu trigger={trigger} items={items} />
}

/** A menu opened by other means. */
export function PlacedMenu({ items, align = 'end', label, anchor, open, onClose, focus }: Placed) {
  const at = anchor instanceof Element ? anchor : { getBoundingClientRect: () => new DOMRect(anchor.x, anchor.y, 0, 0) }
  return (
    <Base.Root open={open} modal={false} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Positioner className={css.positioner} anchor={at} sideOffset={4} align={align} collisionPadding={12}>
          <Base.Popup className={cx(popup['popup'], css.popup)} aria-label={label} finalFocus={() => focus() ?? false}>
            <Entries items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Entries({ items }: Pick<Props, 'items'>) {
  useEffect(showFocusGuards, [])
  return items.map((item, i) => {
    // oxlint-disable-next-line react/no-array-index-key -- lines have no other name than their place
    if (item === 'line') return <Base.Separator key={`line-${i}`} className={css.line} />
    if ('note' in item)
      return (
        <p key={item.note} className={css.note}>
          {item.note}
        </p>
      )
    return (
      <Base.Item key={item.key} className={css.item} disabled={item.disabled} onClick={item.onSelect}>
        {item.icon}
        <span>{item.label}</span>
        {item.keys ? <kbd className={css.keys}>{item.keys}</kbd> : null}
      </Base.Item>
    )
  })
}

/**
 * Base UI puts elements around a menu that pass the focus on, hidden from assistive technology though Tab reaches them.
 * What can have the focus mustn't be hidden, and these are empty, so they aren't read as anything.
 * @returns a function to call when the menu closes
 */
function showFocusGuards(): () => void {
  const show = (): void => {
    for (const guard of document.querySelectorAll('[data-base-ui-focus-guard][aria-hidden]'))
      guard.removeAttribute('aria-hidden')
  }
  show()
  // Some of them are added once the menu is open.
  const observer = new MutationObserver(show)
  observer.observe(document.body, { subtree: true, childList: true })
  return () => observer.disconnect()
}
