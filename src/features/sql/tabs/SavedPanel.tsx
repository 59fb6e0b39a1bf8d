import Pen from 'lucide-react/icons/pencil'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { IconButton } from '../../../ui/Button.tsx'
import { formatWhen } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useSql } from '../context.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import type { SavedQuery } from '../types.ts'
import { RecordsPanel } from './RecordsPanel.tsx'
import { NameDialog } from './SaveQuery.tsx'
import css from './Panel.module.css'

interface Props {
  /** Opens it in a tab of its own. */
  readonly onOpen: (query: SavedQuery) => void
}

const textsOf = ({ name, text }: SavedQuery): readonly string[] => [name, text]

/** Queries that were given a name. */
export function SavedPanel({ onOpen }: Props) {
  const { saved } = useSql()
  const now = useNow()
  const [renaming, setRenaming] = useState<SavedQuery | null>(null)
  const remove = async (query: SavedQuery): Promise<void> => {
    if (!(await saved.remove(query.id))) return
    toast({ title: `“${query.name}” removed`, action: { label: 'Undo', run: () => void saved.put(query) } })
  }
  return (
    <>
      <RecordsPanel
        store={saved}
        label="Saved queries"
        empty="Save a query with the bookmark above the editor: it’s kept here by name."
        none="No saved query is like that."
        texts={textsOf}
      >
        {(query) => (
          <>
            <button type="button" className={css.open} title="Open in a new tab" onClick={() => onOpen(query)}>
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
                { key: 'rename', label: 'Rename', icon: <Pen aria-hidden />, onSelect: () => setRenaming(query) },
                { key: 'remove', label: 'Remove', icon: <Trash aria-hidden />, onSelect: () => void remove(query) },
              ]}
            />
          </>
        )}
      </RecordsPanel>
      {renaming ? (
        <NameDialog
          title="Rename the query"
          action="Rename"
          first={renaming.name}
          taken={
            saved
              .snapshot()
              .items?.filter(({ id }) => id !== renaming.id)
              .map(({ name }) => name) ?? []
          }
          onName={(name) => {
            void saved.put({ ...renaming, name, updatedAt: Date.now() })
            setRenaming(null)
          }}
          onClose={() => setRenaming(null)}
        />
      ) : null}
    </>
  )
}
