import FileDown from 'lucide-react/icons/file-down'
import FileUp from 'lucide-react/icons/file-up'
import Keyboard from 'lucide-react/icons/keyboard'
import Link from 'lucide-react/icons/link'
import PlayAll from 'lucide-react/icons/list-ordered'
import { type MenuItem, MOD } from '../../../ui/overlays/Menu.tsx'
import type { SqlEditorHandle } from '../../shared/sql-editor/handle.ts'
import type { Sql } from '../context.tsx'
import type { Part } from '../results/types.ts'
import type { SqlTab } from '../types.ts'
import { copyLink } from './link.ts'
import { downloadSql, pickSqlFiles } from './sql-files.ts'

/** The selection, or else the statement under the cursor. */
function partAt(editor: SqlEditorHandle | null): Part {
  const { from, to } = editor?.selection() ?? { from: 0, to: 0 }
  return from === to ? { kind: 'cursor', at: from } : { kind: 'range', from, to }
}

/** Runs the selection, or else the statement under the cursor; or all statements. */
export function runTab(sql: Sql, id: string, editor: SqlEditorHandle | null, what: 'cursor' | 'all'): void {
  // This also brings the latest typing from the editor to the tab.
  const part = what === 'all' ? ({ kind: 'all' } as const) : partAt(editor)
  const tab = sql.tabs.find(id)
  if (tab) void sql.run(tab, part)
}

/** Explains the statement under the cursor; `analyze` also runs it. */
export async function explainTab(
  { tabs, runner }: Sql,
  id: string,
  editor: SqlEditorHandle | null,
  analyze: boolean,
): Promise<void> {
  const part = partAt(editor)
  const tab = tabs.find(id)
  if (tab && (await runner(id).explain({ ...tab, part }, analyze))) tabs.change(id, { view: 'plan' })
}

interface ScriptAction extends MenuItem {
  /** Additional search words for the command palette. */
  readonly keywords?: readonly string[]
  readonly needsText?: true
}

/** Whether anything is written in a tab. */
export const isFilled = ({ tabs }: Pick<Sql, 'tabs'>, id: string): boolean => (tabs.find(id)?.text.trim() ?? '') !== ''

/** Actions for a tab's text, in its menu and in the command palette. */
export function scriptActions(
  sql: Sql,
  id: string,
  onOpen: (id: string) => void,
  onKeys: () => void,
): readonly ScriptAction[] {
  const isEmpty = !isFilled(sql, id)
  const withTab = (work: (tab: SqlTab) => void) => (): void => {
    const tab = sql.tabs.find(id)
    if (tab) work(tab)
  }
  return [
    {
      key: 'all',
      label: 'Run all statements',
      icon: <PlayAll aria-hidden />,
      keys: `${MOD}Shift Enter`,
      needsText: true,
      disabled: isEmpty,
      onSelect: () => runTab(sql, id, null, 'all'),
    },
    {
      key: 'link',
      label: 'Copy link',
      icon: <Link aria-hidden />,
      keywords: ['share', 'SQL'],
      needsText: true,
      disabled: isEmpty,
      onSelect: withTab((tab) => void copyLink(tab)),
    },
    {
      key: 'save',
      label: 'Download as .sql',
      icon: <FileDown aria-hidden />,
      keywords: ['export'],
      needsText: true,
      disabled: isEmpty,
      onSelect: withTab(downloadSql),
    },
    {
      key: 'open',
      label: 'Open a .sql file…',
      icon: <FileUp aria-hidden />,
      onSelect: () => pickSqlFiles(sql.tabs, onOpen),
    },
    {
      key: 'keys',
      label: 'Keyboard shortcuts',
      icon: <Keyboard aria-hidden />,
      keywords: ['keys', 'SQL'],
      onSelect: onKeys,
    },
  ]
}
