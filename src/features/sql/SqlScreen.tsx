import PanelLeft from 'lucide-react/icons/panel-left'
import { lazy, Suspense, useEffect, useId, useState, useCallback, useRef, type RefObject } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useNarrow } from '../../ui/hooks/use-media.ts'
import { useStore } from '../../ui/hooks/use-store.ts'
import { useSql } from './context.tsx'
import { RejectedRowsDialog } from './local/ImportList.tsx'
import { Drawer, Sidebar, type Section } from './Sidebar.tsx'
import { TabRow } from './tabs/TabRow.tsx'
import { useActiveTab } from './tabs/use-active-tab.ts'
import { useSqlCommands } from './tabs/use-commands.tsx'
import { TabView } from './tabs/TabView.tsx'
import css from './SqlScreen.module.css'
import type { SqlEditorHandle } from '../shared/sql-editor/handle.ts'
import type { SqlTab } from './types.ts'

const KeysDialog = lazy(async () => ({ default: (await import('./tabs/KeysDialog.tsx')).KeysDialog }))

/** The SQL screen: tables and queries on the left, tabs with editor and results on the right. */
export function SqlScreen() {
  const sql = useSql()
  const { tabs, problem } = useStore(sql.tabs)
  const { schema } = useStore(sql.catalog)
  const way = useActiveTab()
  const { active, open, openNew, close, shared, setShared } = way
  const narrow = useNarrow()
  const panel = useId()
  const [editor, onEditor] = useEditor(active)
  const [section, setSection] = useState<Section>('tables')
  const [side, setSide] = useState(true)
  const [drawer, setDrawer] = useState(false)
  const [keys, setKeys] = useState(false)
  const [renaming, setRenaming] = useState<string | null>(null)
  const shown = narrow ? drawer : side
  useEffect(() => void sql.catalog.sessionTables(), [sql.catalog])
  useSqlCommands({ active, editor, onOpen: open, openNew, onKeys: () => setKeys(true) })
  const sidebar = (
    <Sidebar
      editor={editor}
      active={active}
      section={section}
      onSection={setSection}
      onOpen={open}
      onLeave={() => setDrawer(false)}
    />
  )
  if (!tabs || !active) return <div aria-busy className={css.screen} />
  return (
    <div className={css.screen} data-side={!narrow && shown}>
      <h1 className="visually-hidden">SQL</h1>
      {narrow ? (
        <Drawer open={shown} onClose={() => setDrawer(false)}>
          {sidebar}
        </Drawer>
      ) : shown ? (
        <aside className={css.side} aria-label="Tables and queries">
          <div className={css.sidebar}>{sidebar}</div>
        </aside>
      ) : null}
      <div className={css.main}>
        <div className={css.top}>
          <IconButton
            label={shown ? 'Hide tables and queries' : 'Show tables and queries'}
            aria-expanded={shown}
            onClick={() => (narrow ? setDrawer(!drawer) : setSide(!side))}
          >
            <PanelLeft aria-hidden />
          </IconButton>
          <TabRow
            tabs={tabs}
            active={active.id}
            panel={panel}
            onOpen={open}
            onNew={openNew}
            onClose={close}
            renaming={renaming}
            onRenaming={setRenaming}
          />
        </div>
        {problem ? (
          <div className={css.notice}>
            <Notice tone="warn" live="alert" flush>
              <p>
                <strong>What you type can’t be kept at the moment.</strong> {problem}
              </p>
            </Notice>
          </div>
        ) : null}
        <div role="tabpanel" id={panel} aria-labelledby={`tab-${active.id}`} className={css.tab}>
          <ErrorBoundary key={active.id} what="This query">
            <TabView
              key={active.id}
              tab={active}
              schema={schema}
              editor={editor}
              onEditor={onEditor}
              onClose={() => close(active.id)}
              onRename={() => setRenaming(active.id)}
              onKeys={() => setKeys(true)}
              onOpen={open}
              shared={shared.has(active.id)}
              onSharedSeen={() => setShared(active.id, false)}
            />
          </ErrorBoundary>
        </div>
      </div>
      <RejectedRowsDialog />
      <Suspense>{keys ? <KeysDialog onClose={() => setKeys(false)} /> : null}</Suspense>
    </div>
  )
}

/**
 * The editor of the shown tab, and a callback for when it has mounted. A new, empty tab other than the first gets the
 * focus, since the person wants to type.
 */
function useEditor(
  active: SqlTab | null,
): readonly [RefObject<SqlEditorHandle | null>, (handle: SqlEditorHandle | null) => void] {
  const editor = useRef<SqlEditorHandle>(null)
  const shown = useRef<string | null>(null)
  const wanted = useRef(false)
  const id = active?.id ?? null
  const empty = active?.text === ''
  useEffect(() => {
    if (id === null || shown.current === id) return
    // Moving along the tabs with arrow keys keeps the focus on them.
    wanted.current = shown.current !== null && empty && document.activeElement?.getAttribute('role') !== 'tab'
    shown.current = id
    if (wanted.current) editor.current?.focus()
  }, [id, empty])
  const take = useCallback((handle: SqlEditorHandle | null) => {
    editor.current = handle
    if (!handle || !wanted.current) return
    handle.focus()
    // Focusing has no effect before the editor's view exists.
    wanted.current = document.activeElement?.getAttribute('role') !== 'textbox'
  }, [])
  return [editor, take]
}
