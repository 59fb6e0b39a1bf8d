import Bookmark from 'lucide-react/icons/bookmark'
import ChartColumn from 'lucide-react/icons/chart-column'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Play from 'lucide-react/icons/play'
import Square from 'lucide-react/icons/square'
import Wand from 'lucide-react/icons/wand-sparkles'
import Workflow from 'lucide-react/icons/workflow'
import { useId } from 'react'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/fields/Field.tsx'
import type { SqlTab, Where } from '../types.ts'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import type { TabActions } from './use-tab-actions.tsx'
import type { RunState } from '../results/types.ts'
import { MOD } from '../../../ui/overlays/Menu.tsx'
import css from './Toolbar.module.css'

const WHERE: readonly { readonly value: Where; readonly label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'browser', label: 'This browser' },
  { value: 'service', label: 'The service' },
]

interface Props {
  readonly tab: SqlTab
  readonly run: RunState
  readonly actions: TabActions
  readonly canChart: boolean
  readonly onSave: () => void
}

/** What can be done with the tab's statements. */
export function Toolbar({ tab, run, actions, canChart, onSave }: Props) {
  const busy = run.stage !== 'idle'
  const empty = tab.text.trim() === ''
  const where = useId()
  return (
    <div role="toolbar" aria-label="Query" className={css.bar}>
      <Button
        look="primary"
        icon={<Play aria-hidden />}
        title={`Run the selection, or the statement under the cursor (${MOD}Enter)`}
        onClick={() => actions.run('cursor')}
      >
        Run
      </Button>
      {busy ? (
        <Button icon={<Square aria-hidden />} title="Cancel (Esc)" onClick={actions.cancel}>
          Cancel
        </Button>
      ) : null}
      <Menu
        align="start"
        trigger={
          <Button look="quiet" icon={<Workflow aria-hidden />} disabled={empty} aria-label="Explain">
            <span className={css.word}>Explain</span>
            <ChevronDown aria-hidden />
          </Button>
        }
        items={[
          { key: 'plan', label: 'Show the plan', onSelect: () => actions.explain(false) },
          { key: 'analyze', label: 'Explain and run', onSelect: () => actions.explain(true) },
        ]}
      />
      <Button
        look="quiet"
        icon={<Wand aria-hidden />}
        disabled={empty}
        title={`Lay out the selection, or all of it (${MOD}Shift F)`}
        aria-label="Format"
        onClick={actions.format}
      >
        <span className={css.word}>Format</span>
      </Button>
      <Button
        look="quiet"
        icon={<ChartColumn aria-hidden />}
        aria-pressed={tab.view === 'chart'}
        aria-label="Chart"
        disabled={!canChart}
        title={canChart ? 'The result as a chart' : 'Run a statement that gives rows, then it can be a chart'}
        className={css.toggle}
        onClick={() => actions.show(tab.view === 'chart' ? 'grid' : 'chart')}
      >
        <span className={css.word}>Chart</span>
      </Button>
      <span className={css.space} />
      <label className={css.where} htmlFor={where}>
        <span className={css.whereLabel}>Where</span>
        <Select id={where} compact value={tab.where} options={WHERE} onChange={actions.setWhere} />
      </label>
      <IconButton label="Save the query" onClick={onSave} disabled={empty}>
        <Bookmark aria-hidden />
      </IconButton>
      {actions.menu}
    </div>
  )
}
