import { canCreate, NO_CREATE } from '../model/access.ts'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useSession } from '../../../session/context.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { Page, PageHeader } from '../../../ui/Page.tsx'
import { formatBytes } from '../../../lib/bytes.ts'
import { creationPath, useCreation } from '../context.tsx'
import {
  applyFilter,
  countTags,
  isFiltered,
  readFilter,
  writeFilter,
  type Entry,
  type Filter,
} from '../model/filters.ts'
import { useEntries, useLimitReason } from '../queries.ts'
import { UnfinishedNotice } from '../create/UnfinishedNotice.tsx'
import { NotLoaded } from '../NotLoaded.tsx'
import { EmptyList } from './EmptyList.tsx'
import { FilterBar } from './FilterBar.tsx'
import { DatasetList } from './DatasetList.tsx'
import css from './List.module.css'

const CreateDialog = lazy(() => import('../create/CreateDialog.tsx'))

/** The workspace's datasets: search, filter, sort, open, and create. */
export function DatasetsScreen() {
  const [params, setParams] = useSearchParams()
  const query = useEntries()
  const { data, isPending } = query
  const [filter, setFilter] = useFilter(params, setParams)
  const setNew = useCallback(
    (open: boolean) =>
      setParams((old) => {
        const next = new URLSearchParams(old)
        if (open) next.set('new', '')
        else next.delete('new')
        return next
      }),
    [setParams],
  )
  return (
    <Page>
      <Header entries={data} onNew={() => setNew(true)} />
      {params.has('new') ? null : <UnfinishedNotice dismissable />}
      <NotLoaded query={query} what="The datasets weren’t loaded" />
      {isPending ? <Loading /> : null}
      {data?.length === 0 ? <EmptyList onNew={() => setNew(true)} /> : null}
      {data && data.length > 0 ? <Found entries={data} filter={filter} onFilter={setFilter} /> : null}
      {params.has('new') ? (
        <Suspense>
          <CreateDialog onClose={() => setNew(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

type SetParams = ReturnType<typeof useSearchParams>[1]

/** The filter in the address. Typing is shown at once; the address follows in a transition of the router. */
function useFilter(params: URLSearchParams, setParams: SetParams): readonly [Filter, (next: Filter) => void] {
  const settled = useMemo(() => readFilter(params), [params])
  const [typed, setTyped] = useState<Filter | null>(null)
  if (typed && sameFilter(typed, settled)) setTyped(null)
  const set = useCallback(
    (next: Filter) => {
      setTyped(next)
      // Replaced, since otherwise each typed letter would be an entry in the history.
      setParams((old) => writeFilter(next, old), { replace: true, preventScrollReset: true })
    },
    [setParams],
  )
  return [typed ?? settled, set]
}

function sameFilter(a: Filter, b: Filter): boolean {
  const none = new URLSearchParams()
  return writeFilter(a, none).toString() === writeFilter(b, none).toString()
}

function Header({ entries, onNew }: { readonly entries: readonly Entry[] | undefined; readonly onNew: () => void }) {
  const { scopes } = useSession()
  const creation = useCreation()
  const { stage, draft } = creation
  const navigate = useNavigate()
  const limit = useLimitReason()
  const refused = canCreate(scopes) ? limit : NO_CREATE
  const going = stage !== 'draft' || draft.files.length > 0
  return (
    <PageHeader
      title="Datasets"
      summary={entries && entries.length > 0 ? summary(entries) : null}
      actions={
        <Button
          // The empty page has the primary button.
          look={entries?.length === 0 ? 'secondary' : 'primary'}
          icon={<Plus aria-hidden />}
          disabled={refused !== null}
          aria-describedby={refused ? 'new-refused' : undefined}
          onClick={onNew}
        >
          New dataset
        </Button>
      }
    >
      {refused ? (
        <p id="new-refused" className={css.refused}>
          {refused}
        </p>
      ) : null}
      {going ? (
        <output className={css.going}>
          {stage === 'draft'
            ? draft.into
              ? `What you chose for “${draft.into.name}” isn’t added yet.`
              : `A new dataset, “${draft.name}”, isn’t created yet.`
            : draft.into
              ? `Files are being added to “${draft.into.name}”.`
              : `“${draft.name}” is being created.`}{' '}
          <button type="button" className={css.link} onClick={() => void navigate(creationPath(creation))}>
            {stage === 'draft' ? 'Continue' : 'Show'}
          </button>
        </output>
      ) : null}
    </PageHeader>
  )
}

function summary(entries: readonly Entry[]): string {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const rows = entries.reduce((sum, entry) => sum + entry.rows, 0)
  return `${plural(entries.length, 'dataset')} · ${plural(rows, 'row')} · ${formatBytes(bytes)}`
}

interface FoundProps {
  readonly entries: readonly Entry[]
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

function Found({ entries, filter, onFilter }: FoundProps) {
  const tags = useMemo(() => countTags(entries), [entries])
  // A long list must not delay typing.
  const deferred = useDeferredValue(filter)
  const shown = useMemo(() => applyFilter(entries, deferred), [entries, deferred])
  return (
    <>
      <FilterBar filter={filter} tags={tags} onFilter={onFilter} />
      <output className={css.count}>
        {isFiltered(deferred) ? `${formatCount(shown.length)} of ${plural(entries.length, 'dataset')}` : ''}
      </output>
      {shown.length > 0 ? (
        <DatasetList entries={shown} filter={filter} onFilter={onFilter} />
      ) : (
        <EmptyState
          actions={
            <Button size="small" onClick={() => onFilter({ ...filter, search: '', tags: [], visibility: 'all' })}>
              Show all
            </Button>
          }
        >
          {filter.search === '' ? 'No datasets match.' : `No datasets match “${filter.search}”.`}
        </EmptyState>
      )}
    </>
  )
}

function Loading() {
  return (
    <div className={css.loading} aria-busy>
      <output className="visually-hidden">Loading datasets</output>
      {Array.from({ length: 6 }, (_, i) => (
        <div key={i} className={css.bone} aria-hidden />
      ))}
    </div>
  )
}
