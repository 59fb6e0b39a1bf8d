import { usePageTitle } from '../../../ui/hooks/use-page-title.ts'
import { BackLink } from '../../shared/BackLink.tsx'
import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { explain } from '../../shared/problem.ts'
import { isGone } from '../model/access.ts'
import Ghost from 'lucide-react/icons/ghost'
import { useCallback } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { DatasetDetails } from '../../../api/client.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { Tabs, type TabItem } from '../../../ui/Tabs.tsx'
import { useDataset } from '../queries.ts'
import { AddTables } from './AddTables.tsx'
import { Header } from './Header.tsx'
import { Leftover } from './Leftover.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { TablesTab } from './TablesTab.tsx'
import css from './Detail.module.css'

type Tab = 'tables' | 'settings'

/** One dataset: its tables to look through, and what can be changed of it. */
export function DatasetScreen() {
  const { id = '' } = useParams()
  const { data, error, isPending, refetch } = useDataset(id)
  const [params, setParams] = useSearchParams()
  usePageTitle(data?.name)
  const tab: Tab = params.get('tab') === 'settings' ? 'settings' : 'tables'
  const setParam = useCallback(
    (name: string, value: string | null) =>
      setParams(
        (old) => {
          const changed = new URLSearchParams(old)
          if (value === null) changed.delete(name)
          else changed.set(name, value)
          return changed
        },
        { preventScrollReset: true },
      ),
    [setParams],
  )
  const closeAdd = useCallback(() => setParam('add', null), [setParam])
  const setTab = (next: Tab): void => setParam('tab', next === 'tables' ? null : next)
  // What was here before it was deleted elsewhere mustn't be taken for what is.
  if (error && isGone(error)) return <Gone name={data?.name ?? null} />
  return (
    <Page className={css.screen}>
      <BackLink to="/datasets">All datasets</BackLink>
      {error ? (
        <ProblemNotice problem={explain(error, 'The dataset wasn’t loaded')} onRetry={() => void refetch()} />
      ) : null}
      {isPending ? (
        <EmptyState live="status" busy icon={<Spinner />}>
          Loading the dataset…
        </EmptyState>
      ) : null}
      {data ? (
        <>
          <Header dataset={data} onAdd={() => setParam('add', '')} />
          <Leftover dataset={data} />
          {params.has('add') ? <AddTables dataset={data} onClose={closeAdd} /> : null}
          <div className={css.tabs}>
            <Tabs label="Dataset" value={tab} onChange={setTab} items={tabsOf(data)} />
          </div>
        </>
      ) : null}
    </Page>
  )
}

function tabsOf(dataset: DatasetDetails): TabItem<Tab>[] {
  return [
    { value: 'tables', label: 'Tables', panel: () => <TablesTab dataset={dataset} /> },
    { value: 'settings', label: 'Settings', panel: () => <SettingsTab key={dataset.id} dataset={dataset} /> },
  ]
}

/** A dataset that isn't there, or not for this key. `name` is what it was called, where that's known. */
function Gone({ name }: { readonly name: string | null }) {
  return (
    <EmptyState
      live="alert"
      className={css.gone}
      icon={<Ghost aria-hidden />}
      title={name ? `“${name}” is gone` : 'This dataset isn’t here'}
      actions={<Link to="/datasets">All datasets</Link>}
    >
      {name
        ? 'It was deleted, in another tab or by another program, with all of its tables.'
        : 'It was deleted, is in another workspace, or this API key may not read it.'}
    </EmptyState>
  )
}
