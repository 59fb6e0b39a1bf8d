import Pen from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import FileText from 'lucide-react/icons/file-text'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { formatWhen } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useSql } from '../context.tsx'
import { MoreMenu } from '../../../ui/overlays/Menu.tsx'
import type { SavedQuery } from '../types.ts'
import { RecordsPanel } from '../tabs/RecordsPanel.tsx'
import type { SavedStore } from '../tabs/records.ts'
import { NameDialog, othersNames, pageOf } from './SaveQuery.tsx'
import css from '../tabs/Panel.module.css'

interface Props {
  /** Opens it in a new tab. */
  readonly onOpen: (query: SavedQuery) => void
}

const textsOf = ({ name, text }: SavedQuery): readonly string[] => [name, text]

/** Removes a saved query, with an undo toast. Returns whether it's gone. */
export async function removeSaved(saved: SavedStore, query: SavedQuery): Promise<boolean> {
  if (!(await saved.remove(query.id))) return false
  toast({ title: `“${query.name}” removed`, action: { label: 'Undo', run: () => void saved.put(query) } })
  return true
}

/** The list of saved queries. */
export function SavedPanel({ onOpen }: Props) {
  const { saved } = useSql()
  const now = useNow()
  const [renaming, setRenaming] = useState<SavedQuery | null>(null)
  const navigate = useNavigate()
  return (
    <>
      <RecordsPanel
        store={saved}
        label="Saved queries"
        empty="Save a query with the bookmark above the editor: it’s kept here by name."
        none="No saved queries match."
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
            <MoreMenu
              label={`What to do with “${query.name}”`}
              items={[
                {
                  key: 'page',
                  label: 'Open its page',
                  icon: <FileText aria-hidden />,
                  onSelect: () => void navigate(pageOf(query.id)),
                },
                { key: 'rename', label: 'Rename', icon: <Pen aria-hidden />, onSelect: () => setRenaming(query) },
                {
                  key: 'remove',
                  label: 'Remove',
                  icon: <Trash aria-hidden />,
                  onSelect: () => void removeSaved(saved, query),
                },
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
          taken={othersNames(saved, renaming.id)}
          onName={(name) => {
            void saved.change(renaming.id, { name, updatedAt: Date.now() })
            setRenaming(null)
          }}
          onClose={() => setRenaming(null)}
        />
      ) : null}
    </>
  )
}
