import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { ErrorBoundary } from '../../../ui/ErrorBoundary.tsx'
import type { StoredJob } from '../context.tsx'
import { nameOf, tablesOf, type Job } from '../model/job.ts'
import { COMPACT_FROM, CompactList } from './compact/CompactList.tsx'
import { JobLine, StoredLine } from './compact/Line.tsx'
import { JobCard } from './JobCard.tsx'
import { StoredCard } from './StoredCard.tsx'
import { useSteadyPointer } from '../use-steady-pointer.ts'
import css from '../ConvertScreen.module.css'

interface Props {
  readonly live: readonly Job[]
  readonly stored: readonly StoredJob[]
  /** Whether cards start unfolded. */
  readonly open: boolean
}

/** This tab's files, then those of earlier visits and other tabs. */
export default function Cards({ live, stored, open }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useSteadyPointer(list)
  useFocusOnCombined(list, live)
  const files = live.filter(({ combination }) => !combination)
  const selectable = files.length > 1
  const compact = files.length >= COMPACT_FROM
  return (
    <div ref={list} className={css.lists}>
      <div className={css.cards}>
        {live.map((job) =>
          compact && !job.combination ? null : (
            <Bounded key={job.id} name={nameOf(job)}>
              <JobCard
                job={job}
                startOpen={open || job.combination !== undefined}
                selectable={selectable || tablesOf(job) > 1}
              />
            </Bounded>
          ),
        )}
      </div>
      {compact ? (
        <CompactList
          items={files}
          idOf={({ id }) => id}
          renderLine={(job, onOpen) => <JobLine job={job} onOpen={onOpen} />}
          renderCard={(job, onFold) => (
            <Bounded name={job.file.name}>
              <JobCard job={job} startOpen selectable onFold={onFold} />
            </Bounded>
          )}
        />
      ) : null}
      {stored.length > 0 && live.length > 0 ? <h2 className={css.section}>Earlier</h2> : null}
      {stored.length >= COMPACT_FROM ? (
        <CompactList
          items={stored}
          idOf={({ record }) => record.id}
          renderLine={(job, onOpen) => <StoredLine {...job} onOpen={onOpen} />}
          renderCard={(job, onFold) => (
            <Bounded name={job.record.fileName}>
              <StoredCard {...job} startOpen onFold={onFold} />
            </Bounded>
          )}
        />
      ) : (
        <div className={css.cards}>
          {stored.map((job) => (
            <Bounded key={job.record.id} name={job.record.fileName}>
              <StoredCard {...job} startOpen={open} />
            </Bounded>
          ))}
        </div>
      )}
    </div>
  )
}

function Bounded({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return <ErrorBoundary what={`The card of “${name}”`}>{children}</ErrorBoundary>
}

/** Moves the focus to a new combination, since the button that created it is gone. */
function useFocusOnCombined(list: RefObject<HTMLElement | null>, live: readonly Job[]): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    const combined = live.filter(({ combination }) => combination).map(({ id }) => id)
    const fresh = combined.find((id) => known.current && !known.current.has(id))
    known.current = new Set(combined)
    if (fresh !== undefined) list.current?.querySelector<HTMLElement>(`a[href$="/convert/${fresh}"]`)?.focus()
  }, [list, live])
}
