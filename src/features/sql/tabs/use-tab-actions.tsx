import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FileDown from 'lucide-react/icons/file-down'
import FileUp from 'lucide-react/icons/file-up'
import Keyboard from 'lucide-react/icons/keyboard'
import Link from 'lucide-react/icons/link'
import MoveLeft from 'lucide-react/icons/arrow-left'
import MoveRight from 'lucide-react/icons/arrow-right'
import Pen from 'lucide-react/icons/pencil'
import PlayAll from 'lucide-react/icons/list-ordered'
import X from 'lucide-react/icons/x'
import { useMemo, type ReactNode, type RefObject } from 'react'
import { IconButton } from '../../../ui/Button.tsx'
import { useSql, type Sql } from '../context.tsx'
import type { SqlEditorHandle } from '../../shared/sql-editor/handle.ts'
import type { ResultView, SqlTab, Where } from '../types.ts'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import type { Part } from '../results/types.ts'
import { copyLink } from './link.ts'
import { downloadSql, pickSqlFiles } from './sql-files.ts'

export interface TabActions {
  /** `cursor`: what is selected, else the statement under the cursor. */
  readonly run: (what: 'cursor' | 'all') => void
  readonly explain: (analyze: boolean) => void
  readonly cancel: () => void
  readonly format: () => void
  readonly show: (view: ResultView) => void
  readonly setWhere: (where: Where) => void
  /** What is seldom needed. */
  readonly menu: ReactNode
}

interface Options {
  readonly tab: SqlTab
  readonly editor: RefObject<SqlEditorHandle | null>
  readonly onClose: () => void
  readonly onRename: () => void
  readonly onKeys: () => void
  readonly onOpen: (id: string) => void
}

/** What can be done with a tab. */
export function useTabActions(options: Options): TabActions {
  const sql = useSql()
  const { tab, editor } = options
  return useMemo(() => {
    const { tabs } = sql
    // As it stands when it's asked for: what was typed last may not have been drawn yet.
    const now = (): SqlTab => tabs.find(tab.id) ?? tab
    const cursor = (): Part => partAt(editor.current)
    const show = (view: ResultView): void => tabs.change(tab.id, { view })
    const run = (what: 'cursor' | 'all'): void => {
      void sql.run(now(), what === 'all' ? { kind: 'all' } : cursor())
    }
    const actions = {
      run,
      async explain(analyze: boolean) {
        const { text, where, parameters } = now()
        const done = await sql.runner(tab.id).explain({ text, where, parameters, part: cursor() }, analyze)
        if (done) show('plan')
      },
      cancel: () => sql.runner(tab.id).cancel(),
      format: () => editor.current?.format(),
      show,
      setWhere: (where: Where) => tabs.change(tab.id, { where }),
    }
    return {
      ...actions,
      explain: (analyze: boolean) => void actions.explain(analyze),
      menu: <MoreMenu sql={sql} options={options} run={run} now={now} />,
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the options are the tab's and the editor's, and handlers that don't change
  }, [sql, tab, editor])
}

/** What is selected, else the statement under the cursor. */
export function partAt(editor: SqlEditorHandle | null): Part {
  const { from, to } = editor?.selection() ?? { from: 0, to: 0 }
  return from === to ? { kind: 'cursor', at: from } : { kind: 'range', from, to }
}

interface MoreProps {
  readonly sql: Sql
  readonly options: Options
  readonly run: (what: 'all') => void
  readonly now: () => SqlTab
}

function MoreMenu({ sql, options, run, now }: MoreProps) {
  const { tab, onClose, onRename, onKeys, onOpen } = options
  const { tabs } = sql
  const empty = tab.text.trim() === ''
  const step = (by: number): void => {
    const at = (tabs.snapshot().tabs ?? []).findIndex(({ id }) => id === tab.id)
    tabs.move(tab.id, Math.max(0, at + by))
  }
  const duplicate = (): void => {
    const { text, parameters, where, title } = now()
    onOpen(tabs.add({ text, parameters, where, title: `${title} (copy)`.slice(0, 100) }, tab.id).id)
  }
  return (
    <Menu
      trigger={
        <IconButton label="More">
          <Ellipsis aria-hidden />
        </IconButton>
      }
      items={[
        {
          key: 'all',
          label: 'Run all statements',
          icon: <PlayAll aria-hidden />,
          keys: 'Ctrl Shift Enter',
          disabled: empty,
          onSelect: () => run('all'),
        },
        'line',
        {
          key: 'link',
          label: 'Copy link',
          icon: <Link aria-hidden />,
          disabled: empty,
          onSelect: () => void copyLink(now()),
        },
        {
          key: 'save',
          label: 'Download as .sql',
          icon: <FileDown aria-hidden />,
          disabled: empty,
          onSelect: () => downloadSql(now()),
        },
        {
          key: 'open',
          label: 'Open a .sql file…',
          icon: <FileUp aria-hidden />,
          onSelect: () => pickSqlFiles(tabs, onOpen),
        },
        'line',
        { key: 'rename', label: 'Rename', icon: <Pen aria-hidden />, keys: 'F2', onSelect: onRename },
        { key: 'duplicate', label: 'Duplicate', icon: <Copy aria-hidden />, onSelect: duplicate },
        { key: 'left', label: 'Move to the left', icon: <MoveLeft aria-hidden />, onSelect: () => step(-1) },
        { key: 'right', label: 'Move to the right', icon: <MoveRight aria-hidden />, onSelect: () => step(1) },
        { key: 'close', label: 'Close', icon: <X aria-hidden />, keys: 'Del', onSelect: onClose },
        'line',
        { key: 'keys', label: 'Keyboard shortcuts', icon: <Keyboard aria-hidden />, onSelect: onKeys },
      ]}
    />
  )
}
