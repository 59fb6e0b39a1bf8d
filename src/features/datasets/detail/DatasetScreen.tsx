import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { explain } from '../../shared/problem.ts'
import { isGone } from '../model/access.ts'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useCallback } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { DatasetDetails } from '../../../api/client.ts'
import { Tabs, type TabItem } from '../../../ui/Tabs.tsx'
import { usePageTitle } from '../../../ui/use-page-title.ts'
import { useDataset } from '../queries.ts'
import { Gone } from './Gone.tsx'
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
  const setTab = useCallback(
    (next: Tab) =>
      setParams(
        (old) => {
          const changed = new URLSearchParams(old)
          if (next === 'tables') changed.delete('tab')
          else changed.set('tab', next)
          return changed
        },
        { preventScrollReset: true },
      ),
    [setParams],
  )
  // What was here before it was deleted elsewhere mustn't be taken for what is.
  if (error && isGone(error)) return <Gone name={data?.name ?? null} />
  return (
    <div className={css.screen}>
      <Link to="/datasets" className={css.back}>
        <ArrowLeft aria-hidden />
        All datasets
      </Link>
      {error ? (
        <ProblemNotice problem={explain(error, 'The dataset wasn’t loaded')} onRetry={() => void refetch()} />
      ) : null}
      {isPending ? (
        <div className={css.loading} aria-busy>
          <output>Loading the dataset…</output>
        </div>
      ) : null}
      {data ? (
        <>
          <Header dataset={data} />
          <Leftover dataset={data} />
          <div className={css.tabs}>
            <Tabs label="Dataset" value={tab} onChange={setTab} items={tabsOf(data)} />
          </div>
        </>
      ) : null}
    </div>
  )
}

function tabsOf(dataset: DatasetDetails): TabItem<Tab>[] {
  return [
    { value: 'tables', label: 'Tables', panel: () => <TablesTab dataset={dataset} /> },
    { value: 'settings', label: 'Settings', panel: () => <SettingsTab key={dataset.id} dataset={dataset} /> },
  ]
}
