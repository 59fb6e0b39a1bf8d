import { ContextMenu as Menu } from '@base-ui/react/context-menu'
import { Fragment } from 'react'
import { cx } from '../../../../ui/cx.ts'
import menu from '../../Menu.module.css'
import css from './Tree.module.css'
import type { Action } from './use-actions.tsx'

export interface OpenMenu {
  readonly label: string
  readonly groups: readonly (readonly Action[])[]
  /** Where it opens: at an element, or at the pointer. */
  readonly anchor: Element | { readonly x: number; readonly y: number }
}

interface Props {
  /** The one that is open, or was: it fades. */
  readonly menu: OpenMenu | null
  readonly open: boolean
  readonly onClose: () => void
  /** What has the focus when it's closed. */
  readonly focus: () => HTMLElement | null
}

/** What can be done with a line of the tree. */
export function RowMenu({ menu: shown, open, onClose, focus }: Props) {
  if (!shown) return null
  const { anchor, groups, label } = shown
  const at = anchor instanceof Element ? anchor : { getBoundingClientRect: () => new DOMRect(anchor.x, anchor.y, 0, 0) }
  return (
    <Menu.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Menu.Portal>
        <Menu.Positioner
          anchor={at}
          className={cx(menu['positioner'], css.menu)}
          align="start"
          sideOffset={2}
          collisionPadding={12}
        >
          <Menu.Popup className={menu['popup']} aria-label={label} finalFocus={() => focus() ?? false}>
            {groups.map((group, i) => (
              <Fragment key={group[0]?.key}>
                {i > 0 ? <Menu.Separator className={menu['line']} /> : null}
                {group.map(({ key, label: name, icon, keys, run }) => (
                  <Menu.Item key={key} className={menu['item']} onClick={run}>
                    {icon}
                    <span>{name}</span>
                    {keys ? <kbd className={menu['keys']}>{keys}</kbd> : null}
                  </Menu.Item>
                ))}
              </Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
