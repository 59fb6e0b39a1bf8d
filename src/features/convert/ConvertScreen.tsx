import { lazy, Suspense, useEffect, useMemo, useRef, useState, type ComponentProps } from 'react'
import { useNavigate, useParams } from 'react-router'
import { savesData } from '../../lib/save-data.ts'
import { Button } from '../../ui/Button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { AddFilesProvider } from './parts/AddFiles.tsx'
import { useConvert, useJobs, useStoredJobs, type StoredJob } from './context.tsx'
import { BackLink } from '../shared/BackLink.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import { RecipeForAll } from './parts/RecipeSuggestion.tsx'
import { ScreenHeader } from './parts/ScreenHeader.tsx'
import type * as CardsPart from './parts/Cards.tsx'
import { Welcome } from './parts/Welcome.tsx'
import { isBusy, nameOf, type Job } from './model/job.ts'
import { usePageTitle } from '../../ui/hooks/use-page-title.ts'
import { useStore } from '../../ui/hooks/use-store.ts'
import { usePaste } from './use-paste.ts'
import { useConvertCommands } from './use-commands.tsx'
import css from './ConvertScreen.module.css'

const ReceiptChecks = lazy(() => import('./parts/ReceiptChecks.tsx'))
let loaded: typeof CardsPart | null = null
// The first paint of an empty queue doesn't need them, so they load before the first file is added.
const loadCards = async (): Promise<typeof CardsPart> => (loaded = await import('./parts/Cards.tsx'))
const LazyCards = lazy(loadCards)

/** Renders the cards at once if they're loaded: React's lazy components show nothing for up to 300 ms. */
function Cards(props: ComponentProps<typeof LazyCards>) {
  const [Part] = useState(() => loaded?.default ?? LazyCards)
  return (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}

/** The queue's progress, or the name of the only file shown. */
function titleOf(live: readonly Job[], chosen: string | undefined): string {
  const done = live.filter(({ stage }) => stage.kind === 'done').length
  const busy = live.filter(isBusy).length
  if (busy > 0) return `Converting ${done + 1} of ${done + busy}`
  const only = chosen === undefined ? undefined : live.find(({ id }) => id === chosen)
  return only ? nameOf(only) : 'Convert'
}

/** With more files than this, cards start folded. */
const OPEN_CARDS = 6

/** The Convert screen: this tab's queue and what earlier visits left, or one of them by its address. */
export function ConvertScreen() {
  const { client, receiptChecks } = useConvert()
  const live = useJobs()
  const stored = useStoredJobs()
  const checks = useStore(receiptChecks).length
  const { job: chosen } = useParams()
  useEffect(() => {
    void loadCards()
    if (!savesData()) client.warm()
  }, [client])
  useOnly(chosen, live)
  usePaste()
  useConvertCommands()
  usePageTitle(titleOf(live, chosen))
  const shownLive = useMemo(() => (chosen ? live.filter((job) => job.id === chosen) : live), [live, chosen])
  const shownStored = useMemo(
    () => (stored ?? []).filter(({ record }) => !chosen || record.id === chosen),
    [stored, chosen],
  )
  const count = live.length + (stored?.length ?? 0)
  const empty = count + checks === 0 && !chosen
  if (stored === null && live.length === 0) return <Page aria-busy />
  return (
    <AddFilesProvider large={empty}>
      {empty ? (
        <Welcome />
      ) : (
        <Page>
          <ScreenHeader live={live} stored={stored ?? []} />
          <OpenAgain stored={shownStored} />
          {chosen ? <OneOnly count={count} found={shownLive.length + shownStored.length > 0} /> : null}
          {checks > 0 ? (
            <Suspense>
              <ReceiptChecks />
            </Suspense>
          ) : null}
          <RecipeForAll jobs={shownLive}>
            <Cards live={shownLive} stored={shownStored} open={shownLive.length + shownStored.length <= OPEN_CARDS} />
          </RecipeForAll>
        </Page>
      )}
    </AddFilesProvider>
  )
}

/** Scrolls to the card in the address, and shows all cards again when a file is added. */
function useOnly(chosen: string | undefined, live: readonly Job[]): void {
  const navigate = useNavigate()
  const known = useRef(live)
  useEffect(() => {
    if (chosen) scrollTo({ top: 0 })
  }, [chosen])
  useEffect(() => {
    const before = new Set(known.current.map((job) => job.id))
    known.current = live
    if (chosen && live.some((job) => job.id !== chosen && !before.has(job.id))) void navigate('/convert')
  }, [chosen, live, navigate])
}

/** One button to continue all interrupted jobs. */
function OpenAgain({ stored }: { readonly stored: readonly StoredJob[] }) {
  const { openAgain } = useConvert()
  const records = stored.filter(({ state, reopens }) => state === 'interrupted' && reopens).map(({ record }) => record)
  if (records.length === 0) return null
  return (
    <Notice
      tone="info"
      live="status"
      flush
      actions={
        <Button size="small" onClick={() => void openAgain(records)}>
          Open again ({formatCount(records.length)})
        </Button>
      }
    >
      <p>
        <strong>
          {plural(records.length, 'file')} {records.length === 1 ? 'was' : 'were'} interrupted
        </strong>{' '}
        when the page was closed.
      </p>
    </Notice>
  )
}

function OneOnly({ count, found }: { readonly count: number; readonly found: boolean }) {
  return (
    <div className={css.only}>
      <BackLink to="/convert">All files{count > 0 ? ` (${count})` : ''}</BackLink>
      {found ? null : (
        <p>This conversion isn’t in this browser any more. It was removed, or made in another browser.</p>
      )}
    </div>
  )
}
