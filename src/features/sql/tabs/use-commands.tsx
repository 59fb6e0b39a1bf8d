import Ban from 'lucide-react/icons/ban'
import Keyboard from 'lucide-react/icons/keyboard'
import Link from 'lucide-react/icons/link'
import FileUp from 'lucide-react/icons/file-up'
import FileDown from 'lucide-react/icons/file-down'
import Pin from 'lucide-react/icons/pin'
import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import Wand from 'lucide-react/icons/wand-sparkles'
import { useCallback, useEffect, useMemo, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { useOffer, type Command } from '../../../ui/commands.ts'
import { useSql } from '../context.tsx'
import type { SqlEditorHandle } from '../../shared/sql-editor/handle.ts'
import type { SqlTab } from '../types.ts'
import { copyLink } from './link.ts'
import { downloadSql, pickSqlFiles } from './sql-files.ts'
import { partAt } from './use-tab-actions.tsx'

interface Options {
  readonly active: SqlTab | null
  readonly editor: RefObject<SqlEditorHandle | null>
  readonly openNew: () => void
  readonly onKeys: () => void
}

const GROUP = 'SQL'

/** Offers what can be done here to the command palette, and takes the keys that work on the whole screen. */
export function useSqlCommands({ active, editor, openNew, onKeys }: Options): void {
  const sql = useSql()
  const navigate = useNavigate()
  const id = active?.id ?? null
  const onRun = useCallback(
    (what: 'cursor' | 'all') => {
      const tab = id === null ? null : sql.tabs.find(id)
      if (tab) void sql.run(tab, what === 'all' ? { kind: 'all' } : partAt(editor.current))
    },
    [sql, id, editor],
  )
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // What has the focus comes first, and a dialog keeps all keys to itself.
      if (event.defaultPrevented || document.querySelector('[role=dialog], [role=menu]')) return
      const command = event.ctrlKey || event.metaKey
      if (event.key === 'Enter' && command && !event.altKey) onRun(event.shiftKey ? 'all' : 'cursor')
      else if (event.altKey && !command && event.code === 'KeyN') openNew()
      else if (event.key === 'Escape' && id !== null && sql.runner(id).isBusy) sql.runner(id).cancel()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [openNew, onRun, sql, id])
  const commands = useMemo((): readonly Command[] => {
    const tab = (): SqlTab | null => (id === null ? null : sql.tabs.find(id))
    const withTab = (work: (found: SqlTab) => void) => (): void => {
      const found = tab()
      if (found) work(found)
    }
    return [
      {
        id: 'sql-all',
        group: GROUP,
        label: 'Run all statements',
        icon: <Play />,
        run: withTab((found) => void sql.run(found, { kind: 'all' })),
      },
      {
        id: 'sql-cancel',
        group: GROUP,
        label: 'Cancel what runs',
        icon: <Ban />,
        run: withTab((found) => sql.runner(found.id).cancel()),
      },
      {
        id: 'sql-pin',
        group: GROUP,
        label: 'Pin the result',
        icon: <Pin />,
        keywords: ['compare'],
        run: withTab((found) => sql.runner(found.id).pin()),
      },
      { id: 'sql-new', group: GROUP, label: 'New query', icon: <Plus />, run: openNew },
      {
        id: 'sql-format',
        group: GROUP,
        label: 'Format the SQL',
        icon: <Wand />,
        run: () => editor.current?.format(),
      },
      {
        id: 'sql-link',
        group: GROUP,
        label: 'Copy a link to the SQL',
        icon: <Link />,
        keywords: ['share'],
        run: withTab((found) => void copyLink(found)),
      },
      {
        id: 'sql-save',
        group: GROUP,
        label: 'Download as .sql',
        icon: <FileDown />,
        keywords: ['export'],
        run: withTab(downloadSql),
      },
      {
        id: 'sql-open',
        group: GROUP,
        label: 'Open a .sql file',
        icon: <FileUp />,
        run: () => pickSqlFiles(sql.tabs, (opened) => void navigate(`/sql/${opened}`)),
      },
      {
        id: 'sql-keys',
        group: GROUP,
        label: 'Keys of the SQL screen',
        icon: <Keyboard />,
        keywords: ['shortcuts', 'keyboard'],
        run: onKeys,
      },
    ]
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `onKeys` only opens a dialog
  }, [sql, id, editor, openNew, navigate])
  useOffer(commands)
}
