import ChartColumn from 'lucide-react/icons/chart-column'
import FileDown from 'lucide-react/icons/file-down'
import Pen from 'lucide-react/icons/pencil'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Square from 'lucide-react/icons/square'
import SquarePen from 'lucide-react/icons/square-pen'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import type { SqlSession } from '../../../engine/client.ts'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/Button.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { formatWhen } from '../../../ui/format.ts'
import { PageHeader } from '../../../ui/Page.tsx'
import { MoreMenu, MOD } from '../../../ui/overlays/Menu.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql } from '../context.tsx'
import { saveReport } from '../results/report/save-report.ts'
import type { Runner } from '../results/runner.ts'
import { type HeldRun, NO_RUN, shownRows } from '../results/types.ts'
import type { SavedQuery } from '../types.ts'
import { NameDialog, othersNames } from './SaveQuery.tsx'
import { removeSaved } from './SavedPanel.tsx'
import css from './Saved.module.css'

interface Props {
  readonly query: SavedQuery
  readonly runner: Runner | null
  readonly onRefresh: () => void
}

/** A saved query's name, description and actions. */
export function PageHead({ query, runner, onRefresh }: Props) {
  const { saved } = useSql()
  const run = useStore(runner ?? NO_RUN)
  const now = useNow()
  const [editing, setEditing] = useState(false)
  const { id, name, description = '', updatedAt } = query
  const rows = shownRows(run)
  return (
    <PageHeader
      title={name}
      toolbar="Saved query"
      actions={<Actions query={query} runner={runner} onRefresh={onRefresh} onEdit={() => setEditing(true)} />}
    >
      <div className={css.about}>
        {description === '' ? null : <p className={css.description}>{description}</p>}
        <Button size="small" look="quiet" icon={<Pen aria-hidden />} onClick={() => setEditing(true)}>
          {description === '' ? 'Add a description' : 'Edit the description'}
        </Button>
      </div>
      <Facts>
        <span title={new Date(updatedAt).toLocaleString('en-GB')}>Saved {formatWhen(updatedAt, now)}</span>
        {rows ? (
          <span title={new Date(rows.startedAt).toLocaleString('en-GB')}>Run {formatWhen(rows.startedAt, now)}</span>
        ) : null}
      </Facts>
      {editing ? (
        <NameDialog
          title="Name and description"
          action="Save"
          first={name}
          description={description}
          taken={othersNames(saved, id)}
          onName={(changed, about) => {
            setEditing(false)
            void saved.change(id, { name: changed, description: about === '' ? undefined : about })
          }}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </PageHeader>
  )
}

function Actions({ query, runner, onRefresh, onEdit }: Props & { readonly onEdit: () => void }) {
  const { saved, tabs } = useSql()
  const run = useStore(runner ?? NO_RUN)
  const navigate = useNavigate()
  const { id, name, text } = query
  const busy = run.stage !== 'idle'
  const rows = shownRows(run)
  const edit = async (): Promise<void> => {
    // This page doesn't show tabs, so they may not have been read.
    await tabs.load()
    const tab = tabs.add({ title: name, text, parameters: query.parameters, chart: query.chart ?? null })
    void navigate(`/sql/${encodeURIComponent(tab.id)}`)
  }
  return (
    <>
      {busy ? (
        <Button icon={<Square aria-hidden />} title="Cancel (Esc)" onClick={() => runner?.cancel()}>
          Cancel
        </Button>
      ) : (
        <Button
          look="primary"
          icon={<RefreshCw aria-hidden />}
          title={`Run it again (${MOD}Enter)`}
          onClick={onRefresh}
        >
          Refresh
        </Button>
      )}
      <Button
        icon={<ChartColumn aria-hidden />}
        aria-pressed={query.chart !== undefined}
        onClick={() => void saved.change(id, { chart: query.chart === undefined ? null : undefined })}
      >
        Chart
      </Button>
      <Button
        icon={<FileDown aria-hidden />}
        disabled={busy || !rows || run.problem !== null}
        title="What this page shows, as one HTML file that needs nothing"
        onClick={() => (rows ? void savePage(query, rows, runner?.current ?? null) : undefined)}
      >
        Save web page
      </Button>
      <Button icon={<SquarePen aria-hidden />} onClick={() => void edit()}>
        Edit in a tab
      </Button>
      <MoreMenu
        items={[
          {
            key: 'details',
            label: 'Name and description…',
            icon: <Pen aria-hidden />,
            onSelect: onEdit,
          },
          {
            key: 'remove',
            label: 'Remove',
            icon: <Trash aria-hidden />,
            onSelect: () => {
              void removeSaved(saved, query).then((gone) => (gone ? navigate('/sql') : undefined))
            },
          },
        ]}
      />
    </>
  )
}

/** Downloads a saved query's page as self-contained HTML. */
async function savePage(query: SavedQuery, run: HeldRun, session: SqlSession | null): Promise<void> {
  const { name, text, description = '', chart } = query
  await saveReport({
    run: { ...run, statement: text.trim() },
    title: name,
    description,
    chart: async (signal) => {
      if (!chart) return null
      const { chartPicture } = await import('../results/chart/chart-picture.ts')
      return chartPicture({ run, session, spec: chart, title: name }, signal)
    },
  })
}
