import Pen from 'lucide-react/icons/pencil'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash from 'lucide-react/icons/trash-2'
import { useEffect, useMemo, useState } from 'react'
import { IconButton } from '../../../ui/Button.tsx'
import { TextInput } from '../../../ui/Field.tsx'
import { formatWhen } from '../../../ui/format.ts'
import { toast } from '../../../ui/toasts.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useStore } from '../../../ui/use-store.ts'
import { useSql } from '../context.tsx'
import { found } from './search.ts'
import css from './Panel.module.css'
import type { SavedQuery } from '../types.ts'
import { Menu } from '../Menu.tsx'
import { NameDialog } from './SaveQuery.tsx'

interface Props {
  /** Opens it in a tab of its own. */
  readonly onOpen: (query: SavedQuery) => void
}

/** Queries that were given a name. */
export function SavedPanel({ onOpen }: Props) {
  const { saved } = useSql()
  const { items, problem } = useStore(saved)
  const [search, setSearch] = useState('')
  const [renaming, setRenaming] = useState<SavedQuery | null>(null)
  useEffect(() => void saved.load(), [saved])
  const matching = useMemo(() => (items ?? []).filter(({ name, text }) => found(search, name, text)), [items, search])
  const remove = async (query: SavedQuery): Promise<void> => {
    if (!(await saved.remove(query.id))) return
    toast({ title: `“${query.name}” removed`, action: { label: 'Undo', run: () => void saved.put(query) } })
  }
  return (
    <div className={css.panel}>
      <div className={css.head}>
        <TextInput
          type="search"
          compact
          aria-label="Search saved queries"
          placeholder="Search saved queries"
          value={search}
          onChange={setSearch}
        />
      </div>
      {problem ? (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      ) : null}
      {items && matching.length === 0 ? (
        <p className={css.nothing}>
          {items.length === 0
            ? 'Save a query with the bookmark above the editor: it’s kept here by name.'
            : 'No saved query is like that.'}
        </p>
      ) : null}
      <ul className={css.list} aria-label="Saved queries">
        {matching.map((query) => (
          <Saved
            key={query.id}
            query={query}
            onOpen={() => onOpen(query)}
            onRename={() => setRenaming(query)}
            onRemove={() => void remove(query)}
          />
        ))}
      </ul>
      {renaming ? (
        <NameDialog
          title="Rename the query"
          action="Rename"
          first={renaming.name}
          taken={items?.filter(({ id }) => id !== renaming.id).map(({ name }) => name) ?? []}
          onName={(name) => {
            void saved.put({ ...renaming, name, updatedAt: Date.now() })
            setRenaming(null)
          }}
          onClose={() => setRenaming(null)}
        />
      ) : null}
    </div>
  )
}

interface SavedProps {
  readonly query: SavedQuery
  readonly onOpen: () => void
  readonly onRename: () => void
  readonly onRemove: () => void
}

function Saved({ query, onOpen, onRename, onRemove }: SavedProps) {
  const now = useNow()
  return (
    <li className={css.entry}>
      <button type="button" className={css.open} title="Open in a new tab" onClick={onOpen}>
        <span className={css.name}>{query.name}</span>
        <code className={css.text}>{query.text.trim().slice(0, 300)}</code>
        <span className={css.facts}>
          <span>{formatWhen(query.updatedAt, now)}</span>
        </span>
      </button>
      <Menu
        trigger={
          <IconButton label={`What to do with “${query.name}”`}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
        items={[
          { key: 'rename', label: 'Rename', icon: <Pen aria-hidden />, onSelect: onRename },
          { key: 'remove', label: 'Remove', icon: <Trash aria-hidden />, onSelect: onRemove },
        ]}
      />
    </li>
  )
}
