import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Copy from 'lucide-react/icons/copy'
import EyeOff from 'lucide-react/icons/eye-off'
import ListFilter from 'lucide-react/icons/list-filter'
import MoveHorizontal from 'lucide-react/icons/move-horizontal'
import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import X from 'lucide-react/icons/x'
import type { ResultColumn } from '../../../../engine/client.ts'
import { PlacedMenu, type MenuEntry } from '../../../../ui/overlays/Menu.tsx'

interface Props {
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

/** What can be done to a column. */
export function HeadMenu(props: Props) {
  const { column, at, pinned, sort, filtered, refusal, onSort } = props
  const items: MenuEntry[] = [
    {
      key: 'ascending',
      icon: <ArrowUp aria-hidden />,
      label: 'Sort ascending',
      disabled: refusal !== null || sort === 'ascending',
      onSelect: () => onSort('ascending'),
    },
    {
      key: 'descending',
      icon: <ArrowDown aria-hidden />,
      label: 'Sort descending',
      disabled: refusal !== null || sort === 'descending',
      onSelect: () => onSort('descending'),
    },
  ]
  if (sort) items.push({ key: 'unsort', icon: <X aria-hidden />, label: 'Don’t sort', onSelect: () => onSort(null) })
  items.push('line', {
    key: 'filter',
    icon: <ListFilter aria-hidden />,
    label: 'Filter…',
    disabled: refusal !== null,
    onSelect: props.onFilter,
  })
  if (filtered) {
    items.push({ key: 'unfilter', icon: <X aria-hidden />, label: 'Remove all filters', onSelect: props.onUnfilter })
  }
  if (refusal) items.push({ note: refusal })
  items.push(
    'line',
    {
      key: 'pin',
      icon: pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />,
      label: pinned ? 'Unpin' : 'Pin at the left',
      onSelect: props.onPin,
    },
    { key: 'hide', icon: <EyeOff aria-hidden />, label: 'Hide', disabled: props.last, onSelect: props.onHide },
    { key: 'fit', icon: <MoveHorizontal aria-hidden />, label: 'Fit width', onSelect: props.onFit },
    'line',
    { key: 'copy', icon: <Copy aria-hidden />, label: 'Copy name', onSelect: props.onCopyName },
  )
  return (
    <PlacedMenu
      open
      label={`Column ${column.name}`}
      anchor={at}
      items={items}
      focus={() => at.closest<HTMLElement>('[role=grid]')}
      onClose={props.onClose}
    />
  )
}
