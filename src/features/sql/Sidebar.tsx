import { Dialog } from '@base-ui/react/dialog'
import X from 'lucide-react/icons/x'
import { lazy, Suspense, useMemo, useState, type ReactNode, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { IconButton } from '../../ui/Button.tsx'
import { Tabs, type TabItem } from '../../ui/Tabs.tsx'
import { useStore } from '../../ui/hooks/use-store.ts'
import type { SchemaTable } from '../../lib/duckdb-sql/index.ts'
import { useSql } from './context.tsx'
import { rowsAside } from './results/frequent-values.ts'
import { NO_RUN } from './results/types.ts'
import type { SqlEditorHandle } from '../shared/sql-editor/handle.ts'
import { SchemaTree } from './local/tree/SchemaTree.tsx'
import { HistoryPanel } from './tabs/HistoryPanel.tsx'
import { SavedPanel } from './saved/SavedPanel.tsx'
import type { SqlTab } from './types.ts'
import css from './SqlScreen.module.css'

const TableExport = lazy(() => import('./local/TableExport.tsx'))

export type Section = 'tables' | 'saved' | 'history'

const SECTIONS: readonly { readonly value: Section; readonly label: string }[] = [
  { value: 'tables', label: 'Tables' },
  { value: 'saved', label: 'Saved' },
  { value: 'history', label: 'History' },
]

interface Props {
  readonly editor: RefObject<SqlEditorHandle | null>
  readonly active: SqlTab | null
  readonly section: Section
  readonly onSection: (section: Section) => void
  readonly onOpen: (tabId: string) => void
  /** Called when something was put into the editor, so that the drawer closes. */
  readonly onLeave: () => void
}

/** The tables, saved queries and history, and what they do to the tabs. */
export function Sidebar({ editor, active, section, onSection, onOpen, onLeave }: Props) {
  const sql = useSql()
  const { schema: known, status, error } = useStore(sql.catalog)
  const temporary = useStore(active ? sql.runner(active.id) : NO_RUN, (run) => run.temporary)
  const schema = useMemo(() => ({ ...known, temporary }), [known, temporary])
  const navigate = useNavigate()
  const [exported, setExported] = useState<SchemaTable | null>(null)
  const openText = (tab: Parameters<typeof sql.tabs.add>[0]): SqlTab => {
    onLeave()
    const made = sql.tabs.add(tab, active?.id)
    onOpen(made.id)
    return made
  }
  /** Appends a statement to a tab's text and runs it. */
  const runBelow = (statement: string, id: string): void => {
    onLeave()
    // Brings the latest typing from the editor to the tab.
    editor.current?.selection()
    const written = sql.tabs.find(id)?.text.trimEnd() ?? ''
    const before = written === '' ? '' : `${written}${written.endsWith(';') ? '' : '\n;'}\n`
    const text = before + statement
    editor.current?.replace(text)
    sql.tabs.change(id, { text })
    const tab = sql.tabs.find(id)
    if (tab) void sql.run(tab, { kind: 'cursor', at: before.length })
  }
  const panels: Readonly<Record<Section, ReactNode>> = {
    tables: (
      <SchemaTree
        schema={schema}
        status={status}
        error={error}
        onRetry={() => void sql.catalog.refresh()}
        onInsert={(...texts) => {
          onLeave()
          editor.current?.insert(...texts)
        }}
        onExport={setExported}
        onAsk={(text, signal) =>
          // A large chart uses the same session to count.
          active && active.view !== 'chart' ? rowsAside(sql.runner(active.id), text, signal) : Promise.resolve(null)
        }
        onRun={(reference, text, here) => {
          if (here && active) {
            runBelow(text, active.id)
            return
          }
          const tab = openText({ title: tableName(reference), text })
          void sql.run(tab, { kind: 'all' })
        }}
        onOpenDataset={(id) => void navigate(`/datasets/${encodeURIComponent(id)}`)}
      />
    ),
    saved: <SavedPanel onOpen={({ text, name, parameters }) => openText({ text, title: name, parameters })} />,
    history: <HistoryPanel onOpen={({ text }) => openText({ text })} />,
  }
  const items = SECTIONS.map(({ value, label }): TabItem<Section> => ({ value, label, panel: () => panels[value] }))
  return (
    <>
      <Tabs label="Tables and queries" value={section} onChange={onSection} items={items} />
      {exported && active ? (
        <Suspense>
          <TableExport table={exported} runner={sql.runner(active.id)} onClose={() => setExported(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The last part of a name such as `"my-team".sales."Orders 2024"`. */
function tableName(reference: string): string {
  const last = /(?:"((?:[^"]|"")*)"|([^."]+))$/.exec(reference)
  return (last?.[1]?.replaceAll('""', '"') ?? last?.[2] ?? reference).slice(0, 100)
}

/** The sidebar on a phone: over the page, from the left. */
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
