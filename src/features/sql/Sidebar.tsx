import { Dialog } from '@base-ui/react/dialog'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import type { IncomingTable } from '../../session/handover.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Tabs, type TabItem } from '../../ui/Tabs.tsx'
import { HistoryPanel } from './tabs/HistoryPanel.tsx'
import type { Schema } from '../../lib/duckdb-sql/index.ts'
import type { HistoryEntry, SavedQuery } from './types.ts'
import { SavedPanel } from './tabs/SavedPanel.tsx'
import type { CatalogState } from './local/catalog.ts'
import { useLocalTables } from './context.tsx'
import { SchemaTree } from './local/tree/SchemaTree.tsx'
import css from './SqlScreen.module.css'

export type Section = 'tables' | 'saved' | 'history'

const SECTIONS: readonly { readonly value: Section; readonly label: string }[] = [
  { value: 'tables', label: 'Tables' },
  { value: 'saved', label: 'Saved' },
  { value: 'history', label: 'History' },
]

interface SidebarProps {
  readonly section: Section
  readonly onSection: (section: Section) => void
  readonly catalog: CatalogState
  readonly schema: Schema
  readonly onRetry: () => void
  readonly onInsert: (text: string, alone?: string) => void
  readonly onPreview: (reference: string) => void
  readonly onPublish: (tables: readonly IncomingTable[]) => void
  readonly onOpenDataset: (id: string) => void
  readonly onAddFiles: (files: readonly File[]) => void
  readonly onOpenText: (query: SavedQuery | HistoryEntry) => void
}

/** What can be named, what was saved, what was run. */
export function Sidebar(props: SidebarProps) {
  const { section, onSection, catalog, schema, onOpenText, ...tree } = props
  const local = useLocalTables()
  const panels: Readonly<Record<Section, ReactNode>> = {
    tables: <SchemaTree {...tree} local={local} schema={schema} status={catalog.status} error={catalog.error} />,
    saved: <SavedPanel onOpen={onOpenText} />,
    history: <HistoryPanel onOpen={onOpenText} />,
  }
  const items = SECTIONS.map(({ value, label }): TabItem<Section> => ({ value, label, panel: () => panels[value] }))
  return <Tabs label="Tables and queries" value={section} onChange={onSection} items={items} />
}

/** The same on a phone: over the page, from the left. */
export function Drawer({
  open,
  onClose,
  children,
}: {
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.drawer}>
          <div className={css.drawerHead}>
            <Dialog.Title className={css.drawerTitle}>Tables and queries</Dialog.Title>
            <Dialog.Close
              render={
                <IconButton label="Close">
                  <X aria-hidden />
                </IconButton>
              }
            />
          </div>
          <div className={css.sidebar}>{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
