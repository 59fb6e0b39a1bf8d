import Bookmark from 'lucide-react/icons/bookmark'
import ChartColumn from 'lucide-react/icons/chart-column'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Copy from 'lucide-react/icons/copy'
import MoveLeft from 'lucide-react/icons/arrow-left'
import MoveRight from 'lucide-react/icons/arrow-right'
import Pen from 'lucide-react/icons/pencil'
import X from 'lucide-react/icons/x'
import Play from 'lucide-react/icons/play'
import Square from 'lucide-react/icons/square'
import Wand from 'lucide-react/icons/wand-sparkles'
import Workflow from 'lucide-react/icons/workflow'
import { useId, type RefObject } from 'react'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/fields/Field.tsx'
import type { SqlEditorHandle } from '../../shared/sql-editor/handle.ts'
import type { SqlTab, Where } from '../types.ts'
import { Menu, MOD, MoreMenu } from '../../../ui/overlays/Menu.tsx'
import { useSql } from '../context.tsx'
import { shownRows, type RunState } from '../results/types.ts'
import { explainTab, runTab, scriptActions } from './actions.tsx'
import css from './Toolbar.module.css'

const WHERE: readonly { readonly value: Where; readonly label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'browser', label: 'This browser' },
  { value: 'service', label: 'The service' },
]

interface Props {
  readonly tab: SqlTab
  readonly run: RunState
  readonly editor: RefObject<SqlEditorHandle | null>
  readonly onSave: () => void
  readonly onClose: () => void
  readonly onRename: () => void
  readonly onKeys: () => void
  readonly onOpen: (id: string) => void
}

/** Actions for the tab's statements. */
export function Toolbar({ tab, run, editor, onSave, ...way }: Props) {
  const sql = useSql()
  const { tabs, runner } = sql
  const { id, view } = tab
  const empty = tab.text.trim() === ''
  const canChart = shownRows(run) !== null
  const where = useId()
  return (
    <div role="toolbar" aria-label="Query" className={css.bar}>
      <Button
        look="primary"
        icon={<Play aria-hidden />}
        title={`Run the selection, or the statement under the cursor (${MOD}Enter)`}
        onClick={() => runTab(sql, id, editor.current, 'cursor')}
      >
        Run
      </Button>
      {run.stage === 'idle' ? null : (
        <Button
          icon={<Square aria-hidden />}
          title="Cancel (Esc)"
          aria-label="Cancel"
          onClick={() => runner(id).cancel()}
        >
          <span className={css.word}>Cancel</span>
        </Button>
      )}
      <Menu
        align="start"
        trigger={
          <Button look="quiet" icon={<Workflow aria-hidden />} disabled={empty} aria-label="Explain">
            <span className={css.word}>Explain</span>
            <ChevronDown aria-hidden />
          </Button>
        }
        items={[
          {
            key: 'plan',
            label: 'Show the plan',
            onSelect: () => void explainTab(sql, id, editor.current, false),
          },
          {
            key: 'analyze',
            label: 'Explain and run',
            onSelect: () => void explainTab(sql, id, editor.current, true),
          },
        ]}
      />
      <Button
        look="quiet"
        icon={<Wand aria-hidden />}
        disabled={empty}
        title={`Format the selection, or all of it (${MOD}Shift F)`}
        aria-label="Format"
        onClick={() => editor.current?.format()}
      >
        <span className={css.word}>Format</span>
      </Button>
      <Button
        look="quiet"
        icon={<ChartColumn aria-hidden />}
        aria-pressed={view === 'chart'}
        aria-label="Chart"
        disabled={!canChart}
        title={canChart ? 'The result as a chart' : 'Run a statement that returns rows to show them as a chart'}
        onClick={() => tabs.change(id, { view: view === 'chart' ? 'grid' : 'chart' })}
      >
        <span className={css.word}>Chart</span>
      </Button>
      <span className={css.space} />
      <label className={css.where} htmlFor={where}>
        <span className={css.whereLabel}>Where</span>
        <Select
          id={where}
          compact
          value={tab.where}
          options={WHERE}
          onChange={(next) => tabs.change(id, { where: next })}
        />
      </label>
      <IconButton label="Save the query" onClick={onSave} disabled={empty}>
        <Bookmark aria-hidden />
      </IconButton>
      <TabMenu id={id} {...way} />
    </div>
  )
}

/** Less frequent actions. */
function TabMenu({
  id,
  onClose,
  onRename,
  onKeys,
  onOpen,
}: Pick<Props, 'onClose' | 'onRename' | 'onKeys' | 'onOpen'> & { readonly id: string }) {
  const sql = useSql()
  const { tabs } = sql
  const step = (by: number): void => {
    const at = (tabs.snapshot().tabs ?? []).findIndex((tab) => tab.id === id)
    tabs.move(id, Math.max(0, at + by))
  }
  const duplicate = (): void => {
    const tab = tabs.find(id)
    if (!tab) return
    const { text, parameters, where, title } = tab
    onOpen(tabs.add({ text, parameters, where, title: `${title} (copy)`.slice(0, 100) }, id).id)
  }
  return (
    <MoreMenu
      items={[
        ...scriptActions(sql, id, onOpen, onKeys),
        'line',
        { key: 'rename', label: 'Rename', icon: <Pen aria-hidden />, keys: 'F2', onSelect: onRename },
        { key: 'duplicate', label: 'Duplicate', icon: <Copy aria-hidden />, onSelect: duplicate },
        { key: 'left', label: 'Move to the left', icon: <MoveLeft aria-hidden />, onSelect: () => step(-1) },
        { key: 'right', label: 'Move to the right', icon: <MoveRight aria-hidden />, onSelect: () => step(1) },
        { key: 'close', label: 'Close', icon: <X aria-hidden />, keys: 'Del', onSelect: onClose },
      ]}
    />
  )
}
