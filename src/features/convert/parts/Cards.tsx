import { useDeferredValue, useEffect, useMemo, useRef, type RefObject } from 'react'
import { ErrorBoundary } from '../../../ui/ErrorBoundary.tsx'
import type { StoredJob } from '../context.tsx'
import { nameOf, type Job } from '../model/job.ts'
import { CombinationCard } from './combination/CombinationCard.tsx'
import { JobCard } from './JobCard.tsx'
import { StoredCard } from './StoredCard.tsx'
import { useSteadyPointer } from '../use-steady-pointer.ts'
import css from '../ConvertScreen.module.css'

interface Props {
  readonly live: readonly Job[]
  readonly stored: readonly StoredJob[]
  /** Whether cards begin unfolded. */
  readonly open: boolean
}

/** The files of this tab, then those of earlier visits and other tabs. */
export default function Cards({ live, stored, open }: Props) {
  const list = useRef<HTMLDivElement>(null)
  // Hundreds of new cards are rendered in slices that never hold up the page. What is typed into those that are there is
  // shown at once: a field that lags behind loses letters.
  const known = useDeferredValue(live)
  const there = useMemo(() => new Set(known.map(({ id }) => id)), [known])
  const shown = known === live ? live : live.filter(({ id }) => there.has(id))
  useSteadyPointer(list)
  useFocusOnCombined(list, shown)
  const selectable = live.filter(({ combination }) => !combination).length > 1
  return (
    <div ref={list} className={css.lists}>
      <div className={css.cards}>
        {shown.map((job) => (
          <ErrorBoundary key={job.id} what={`The card of “${nameOf(job)}”`}>
            {job.combination ? (
              <CombinationCard job={job} combination={job.combination} />
            ) : (
              <JobCard job={job} startOpen={open} selectable={selectable || tablesIn(job) > 1} />
            )}
          </ErrorBoundary>
        ))}
      </div>
      {stored.length > 0 && live.length > 0 ? <h2 className={css.section}>Earlier</h2> : null}
      <div className={css.cards}>
        {stored.map(({ record, state, reopens }) => (
          <ErrorBoundary key={record.id} what={`The card of “${record.fileName}”`}>
            <StoredCard record={record} state={state} reopens={reopens} startOpen={open} />
          </ErrorBoundary>
        ))}
      </div>
    </div>
  )
}

/** A combination that has just been made is where the person goes on: the button that made it is done with. */
function useFocusOnCombined(list: RefObject<HTMLElement | null>, shown: readonly Job[]): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    const combined = shown.filter(({ combination }) => combination).map(({ id }) => id)
    const fresh = combined.find((id) => known.current && !known.current.has(id))
    known.current = new Set(combined)
    if (fresh !== undefined) list.current?.querySelector<HTMLElement>(`a[href$="/convert/${fresh}"]`)?.focus()
  }, [list, shown])
}

const tablesIn = ({ plan }: Job): number => plan?.tables.filter(({ include }) => include).length ?? 0
