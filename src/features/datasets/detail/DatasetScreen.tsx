import { usePageTitle } from '../../../ui/hooks/use-page-title.ts'
import { BackLink } from '../../shared/BackLink.tsx'
import { explain } from '../../shared/problem.ts'
import { isGone } from '../../../api/errors.ts'
import Ghost from 'lucide-react/icons/ghost'
import { useCallback, lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, useParams, useSearchParams, useNavigate } from 'react-router'
import type { DatasetDetails } from '../../../api/client.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { Tabs, type TabItem } from '../../../ui/Tabs.tsx'
import { useDataset, useEntries, useUpdateDataset, useDeleteDataset } from '../queries.ts'
import { NotLoaded } from '../NotLoaded.tsx'
import { Header } from './Header.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { TablesTab } from './TablesTab.tsx'
import css from './Detail.module.css'
import { toast } from '../../../ui/overlays/toasts.ts'
import { creationPath, useDatasets } from '../context.tsx'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { foldName, leftoverOf } from '../model/names.ts'

type Tab = 'tables' | 'settings'

/** The page of a dataset: its tables and its settings. */
export function DatasetScreen() {
  const { id = '' } = useParams()
  const query = useDataset(id)
  const { data, error, isPending } = query
  const [params, setParams] = useSearchParams()
  const isMissing = error !== null && isGone(error)
  const remove = useDeleteDataset(id)
  usePageTitle(isMissing ? 'No such dataset' : data?.name)
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
  // After a deletion elsewhere, the old data mustn't be shown as if it still existed.
  // After one's own, the page is about to be left.
  if (isMissing) return remove.isPending || remove.isSuccess ? <Page aria-busy /> : <Gone name={data?.name ?? null} />
  return (
    <Page className={css.screen}>
      <BackLink to="/datasets">All datasets</BackLink>
      <NotLoaded query={query} what="The dataset wasn’t loaded" />
      {isPending ? (
        <EmptyState live="status" busy icon={<Spinner />}>
          Loading the dataset…
        </EmptyState>
      ) : null}
      {data ? (
        <>
          <Header dataset={data} remove={remove} onAdd={() => setParam('add', '')} />
          <Leftover dataset={data} />
          {params.has('add') ? <AddTables key={data.id} dataset={data} onClose={closeAdd} /> : null}
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

/** Shown if a dataset doesn't exist, or not for this key. `name` is its former name, if known. */
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

const CreateDialog = lazy(() => import('../create/CreateDialog.tsx'))

interface Props {
  readonly dataset: DatasetDetails
  readonly onClose: () => void
}

/** The dialog to add tables. If a dataset is already being created, that is shown instead. */
function AddTables({ dataset, onClose }: Props) {
  const { creation } = useDatasets()
  const navigate = useNavigate()
  const { id, name, tables } = dataset
  const begun = useRef(false)
  const [refused] = useState(() => !creation.canBegin(id))
  // Before anything is painted, or the dialog would show a new dataset first.
  useLayoutEffect(
    () => () => {
      begun.current = false
      creation.leave()
    },
    [creation],
  )
  useLayoutEffect(() => {
    // The dialog can move its files to another dataset, and stays open here.
    if (refused || (begun.current && creation.snapshot().draft.into?.id !== id)) return
    begun.current = creation.begin({ id, name, tables })
  }, [creation, refused, id, name, tables])
  useEffect(() => {
    if (!refused) return
    const other = creationPath(creation.snapshot())
    toast({
      title: 'Finish what you began first',
      description: 'Files for another dataset are waiting: create it or discard it, then add to this one.',
      action: { label: 'Show', run: () => void navigate(other) },
    })
    onClose()
  }, [creation, refused, navigate, onClose])
  return refused ? null : (
    <Suspense>
      <CreateDialog onClose={onClose} />
    </Suspense>
  )
}

/** Explains a dataset left over from an interrupted retry, with a button to finish that. */
function Leftover({ dataset }: { readonly dataset: DatasetDetails }) {
  const wanted = leftoverOf(dataset.name)
  return wanted === null ? null : <Explained dataset={dataset} wanted={wanted} />
}

function Explained({ dataset, wanted }: { readonly dataset: DatasetDetails; readonly wanted: string }) {
  const { data } = useEntries()
  const update = useUpdateDataset(dataset.id)
  const other = data?.find((entry) => foldName(entry.name) === foldName(wanted))
  return (
    <Notice
      tone="warn"
      flush
      icon={<TriangleAlert aria-hidden />}
      actions={
        other ? null : (
          <Button size="small" disabled={update.isPending} onClick={() => update.mutate({ name: wanted })}>
            Call it “{wanted}”
          </Button>
        )
      }
    >
      <p>
        <strong>This is left over from a retry of “{wanted}” that was cut off.</strong> It holds every table that was
        loaded.
      </p>
      <p>
        {other ? (
          <>
            <Link to={`/datasets/${encodeURIComponent(other.id)}`}>“{other.name}”</Link> is still there too. Look at
            both: delete the one that lacks tables, then give this one its name.
          </>
        ) : (
          'The dataset that it should replace is already gone. Give this one its name.'
        )}
      </p>
      {update.error ? <p role="alert">{explain(update.error, 'It wasn’t renamed').message}</p> : null}
    </Notice>
  )
}
