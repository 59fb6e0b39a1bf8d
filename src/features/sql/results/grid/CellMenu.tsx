import Copy from 'lucide-react/icons/copy'
import Expand from 'lucide-react/icons/expand'
import Filter from 'lucide-react/icons/funnel'
import FilterX from 'lucide-react/icons/funnel-x'
import type { ResultColumn } from '../../../../engine/client.ts'
import { MOD, PlacedMenu, type MenuEntry } from '../../../../ui/overlays/Menu.tsx'
import { cellText } from './Cell.tsx'
import { conditionOfCell } from './statement.ts'

interface Props {
  readonly column: ResultColumn
  /** The cell's own text; null for NULL. */
  readonly text: string | null
  /** Are several cells chosen, and this is one of them? */
  readonly several: boolean
  readonly at: Element
  /** Why the result can't be filtered. */
  readonly refusal: string | null
  readonly onClose: () => void
  readonly onCopy: () => void
  readonly onFilter: (condition: string) => void
  readonly onOpen: () => void
}

/** Characters of a value in the menu. */
const SHOWN = 32

/** What can be done with a cell. */
export function CellMenu({ column, text, several, at, refusal, onClose, onCopy, onFilter, onOpen }: Props) {
  const value =
    text === null ? 'NULL' : `“${text.length > SHOWN ? `${cellText(text.slice(0, SHOWN))}…` : cellText(text)}”`
  const filter = (keep: boolean): MenuEntry => {
    const condition = conditionOfCell(column, text, keep)
    return {
      key: keep ? 'keep' : 'exclude',
      icon: keep ? <Filter aria-hidden /> : <FilterX aria-hidden />,
      label: keep ? `Keep only rows with ${value}` : `Exclude rows with ${value}`,
      disabled: refusal !== null || condition === null,
      onSelect: () => (condition === null ? undefined : onFilter(condition)),
    }
  }
  const items: MenuEntry[] = [
    {
      key: 'copy',
      icon: <Copy aria-hidden />,
      label: several ? 'Copy cells' : 'Copy',
      keys: `${MOD}C`,
      onSelect: onCopy,
    },
    { key: 'open', icon: <Expand aria-hidden />, label: 'Show details', keys: 'Enter', onSelect: onOpen },
    'line',
    filter(true),
    filter(false),
  ]
  if (refusal) items.push({ note: refusal })
  return (
    <PlacedMenu
      open
      label={`Cell of ${column.name}`}
      anchor={at}
      align="start"
      items={items}
      focus={() => at.closest<HTMLElement>('[role=grid]')}
      onClose={onClose}
    />
  )
}
