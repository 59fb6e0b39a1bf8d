import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import Bookmark from 'lucide-react/icons/bookmark'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { usePageTitle } from '../../../ui/hooks/use-page-title.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { BackLink } from '../../shared/BackLink.tsx'
import { useSql } from '../context.tsx'
import { ImportList, RejectedRowsDialog } from '../local/ImportList.tsx'
import { WaitingFiles } from '../local/WaitingFiles.tsx'
import { ParameterForm, useParameters } from '../tabs/ParameterForm.tsx'
import { NO_RUN } from '../results/types.ts'
import type { SavedQuery } from '../types.ts'
import { PageHead } from './PageHead.tsx'
import { PageResult } from './PageResult.tsx'
import { usePageRun } from './use-page-run.ts'
import css from './Saved.module.css'

/** The page of a saved query: description, statement and result. */
export function SavedPage({ id }: { readonly id: string }) {
  const { saved } = useSql()
  const { items } = useStore(saved)
  const found = items?.find((query) => query.id === id) ?? null
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  useEffect(() => void saved.load(), [saved])
  usePageTitle(items ? (found?.name ?? 'No such query') : undefined)
  if (!items) return <Page aria-busy />
  if (!found) return <Gone query={last?.id === id ? last : null} />
  return <QueryPage key={id} query={found} />
}

function QueryPage({ query }: { readonly query: SavedQuery }) {
  const [parameters, setParameters] = useState(query.parameters)
  const { runner, refresh } = usePageRun(query, parameters)
  const names = useParameters(runner, query.text)
  const { problem } = useStore(runner ?? NO_RUN)
  useKeys(refresh, () => runner?.cancel())
  return (
    <Page className={css.page}>
      <BackLink to="/sql">SQL</BackLink>
      <PageHead query={query} runner={runner} onRefresh={refresh} />
      <details className={css.text} open>
        <summary>Statement</summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what is scrolled has to be reached by the keyboard */}
        <section tabIndex={0} aria-label="Statement">
          <pre>
            <code>{query.text.trim()}</code>
          </pre>
        </section>
      </details>
      {names.length > 0 ? (
        <ParameterForm
          values={parameters}
          names={names}
          problem={problem}
          onChange={(change) => setParameters(change)}
          onRun={refresh}
        />
      ) : null}
      <WaitingFiles />
      <ImportList />
      {runner ? <PageResult query={query} runner={runner} /> : null}
      <RejectedRowsDialog />
    </Page>
  )
}

/** Shortcuts of the SQL screen that also work here. */
function useKeys(refresh: () => void, cancel: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('[role=dialog], [role=menu]')) return
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey) refresh()
      else if (event.key === 'Escape') cancel()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

/** @param query its last state, if it was removed while shown */
function Gone({ query }: { readonly query: SavedQuery | null }) {
  const { saved } = useSql()
  const navigate = useNavigate()
  return (
    <EmptyState
      className={css.gone}
      icon={<Bookmark aria-hidden />}
      title={query ? `“${query.name}” was removed` : 'That query isn’t in this browser'}
      actions={
        <>
          {query ? (
            <Button look="primary" onClick={() => void saved.put(query)}>
              Put it back
            </Button>
          ) : null}
          <Button onClick={() => void navigate('/sql')}>Go to SQL</Button>
        </>
      }
    >
      {query
        ? 'It’s no longer among the saved queries, here or in another window.'
        : 'It was removed, or its address is of another browser: saved queries stay where they were saved.'}
    </EmptyState>
  )
}
