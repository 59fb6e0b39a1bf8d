import Ban from 'lucide-react/icons/ban'
import Pin from 'lucide-react/icons/pin'
import Plus from 'lucide-react/icons/plus'
import Wand from 'lucide-react/icons/wand-sparkles'
import { useEffect, useMemo, type RefObject } from 'react'
import { useOffer, type Command } from '../../../ui/commands.ts'
import { useSql } from '../context.tsx'
import type { SqlEditorHandle } from '../../shared/sql-editor/handle.ts'
import type { SqlTab } from '../types.ts'
import { isFilled, runTab, scriptActions } from './actions.tsx'

interface Options {
  readonly active: SqlTab | null
  readonly editor: RefObject<SqlEditorHandle | null>
  readonly onOpen: (id: string) => void
  readonly openNew: () => void
  readonly onKeys: () => void
}

const GROUP = 'SQL'

/** Adds the screen's actions to the command palette, and handles its shortcuts. */
export function useSqlCommands({ active, editor, onOpen, openNew, onKeys }: Options): void {
  const sql = useSql()
  const id = active?.id ?? null
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // The focused element comes first, and open dialogs keep all keys.
      if (event.defaultPrevented || document.querySelector('[role=dialog], [role=menu]')) return
      const command = event.ctrlKey || event.metaKey
      if (event.key === 'Enter' && command && !event.altKey && id !== null) {
        runTab(sql, id, editor.current, event.shiftKey ? 'all' : 'cursor')
      } else if (event.altKey && !command && event.code === 'KeyN') openNew()
      else if (event.key === 'Escape' && id !== null && sql.runner(id).isBusy) sql.runner(id).cancel()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [openNew, sql, id, editor])
  const commands = useMemo((): readonly Command[] => {
    if (id === null) return []
    const runner = () => sql.runner(id)
    const hasText = (): boolean => {
      // Asking for the selection also brings the tab what was typed last.
      editor.current?.selection()
      return isFilled(sql, id)
    }
    return [
      { id: 'sql-new', group: GROUP, label: 'New query', icon: <Plus />, run: openNew },
      {
        id: 'sql-cancel',
        group: GROUP,
        label: 'Cancel what runs',
        icon: <Ban />,
        isOffered: () => runner().isBusy,
        run: () => runner().cancel(),
      },
      {
        id: 'sql-pin',
        group: GROUP,
        label: 'Pin the result',
        icon: <Pin />,
        keywords: ['compare'],
        isOffered: () => runner().canPin,
        run: () => runner().pin(),
      },
      {
        id: 'sql-format',
        group: GROUP,
        label: 'Format the SQL',
        icon: <Wand />,
        isOffered: hasText,
        run: () => editor.current?.format(),
      },
      ...scriptActions(sql, id, onOpen, onKeys).map(
        ({ key, label, icon, keywords = [], needsText, onSelect }): Command => ({
          id: `sql-${key}`,
          group: GROUP,
          label,
          icon,
          keywords,
          ...(needsText ? { isOffered: hasText } : {}),
          run: onSelect,
        }),
      ),
    ]
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `onKeys` only opens a dialog
  }, [sql, id, editor, onOpen, openNew])
  useOffer(commands)
}
