import { Menu as Base } from '@base-ui/react/menu'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Copy from 'lucide-react/icons/copy'
import EyeOff from 'lucide-react/icons/eye-off'
import ListFilter from 'lucide-react/icons/list-filter'
import MoveHorizontal from 'lucide-react/icons/move-horizontal'
import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import type { ResultColumn } from '../../../../engine/client.ts'
import css from '../../Menu.module.css'
import own from './Result.module.css'

interface HeadMenuProps {
  readonly column: ResultColumn
  readonly at: Element
  readonly pinned: boolean
  readonly last: boolean
  readonly sort: 'ascending' | 'descending' | null
  readonly filtered: boolean
  /** Why the result can't be sorted and filtered. */
  readonly refusal: string | null
  readonly onClose: () => void
  readonly onSort: (direction: 'ascending' | 'descending' | null) => void
  readonly onFilter: () => void
  readonly onUnfilter: () => void
  readonly onPin: () => void
  readonly onHide: () => void
  readonly onFit: () => void
  readonly onCopyName: () => void
}

interface ItemProps {
  readonly icon: ReactNode
  readonly label: string
  readonly keys?: string
  readonly disabled?: boolean
  readonly onSelect: () => void
}

function Item({ icon, label, keys, disabled, onSelect }: ItemProps) {
  return (
    <Base.Item className={css.item} disabled={disabled} onClick={onSelect}>
      {icon}
      <span>{label}</span>
      {keys ? <kbd className={css.keys}>{keys}</kbd> : null}
    </Base.Item>
  )
}

/** What can be done to a column. */
export function HeadMenu(props: HeadMenuProps) {
  const { column, at, pinned, sort, filtered, refusal, onClose, onSort } = props
  const grid = at.closest<HTMLElement>('[role=grid]')
  return (
    <Base.Root open modal={false} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Base.Portal>
        <Base.Positioner className={css.positioner} anchor={at} sideOffset={4} align="end" collisionPadding={12}>
          <Base.Popup className={css.popup} aria-label={`Column ${column.name}`} finalFocus={() => grid}>
            <Item
              icon={<ArrowUp aria-hidden />}
              label="Sort ascending"
              disabled={refusal !== null || sort === 'ascending'}
              onSelect={() => onSort('ascending')}
            />
            <Item
              icon={<ArrowDown aria-hidden />}
              label="Sort descending"
              disabled={refusal !== null || sort === 'descending'}
              onSelect={() => onSort('descending')}
            />
            {sort ? <Item icon={<X aria-hidden />} label="Don’t sort" onSelect={() => onSort(null)} /> : null}
            <Base.Separator className={css.line} />
            <Item
              icon={<ListFilter aria-hidden />}
              label="Filter…"
              disabled={refusal !== null}
              onSelect={props.onFilter}
            />
            {filtered ? <Item icon={<X aria-hidden />} label="Remove all filters" onSelect={props.onUnfilter} /> : null}
            {refusal ? <p className={own.refusal}>{refusal}</p> : null}
            <Base.Separator className={css.line} />
            <Item
              icon={pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
              label={pinned ? 'Unpin' : 'Pin at the left'}
              onSelect={props.onPin}
            />
            <Item icon={<EyeOff aria-hidden />} label="Hide" disabled={props.last} onSelect={props.onHide} />
            <Item icon={<MoveHorizontal aria-hidden />} label="Fit width" onSelect={props.onFit} />
            <Base.Separator className={css.line} />
            <Item icon={<Copy aria-hidden />} label="Copy name" onSelect={props.onCopyName} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
