import { isBusy, type Job } from '../model/job.ts'
import type { ConvertStore } from './store.ts'

/**
 * Whether leaving the page would lose something: a conversion under way, or a file that is being read and can't be
 * opened again by itself.
 * @param canReopen whether a job's file can be
 */
export function losesOnLeaving(jobs: readonly Job[], canReopen: (id: string) => boolean = () => true): boolean {
  return jobs.some((job) => isBusy(job) || (job.stage.kind === 'reading' && !canReopen(job.id)))
}

/** Has the browser ask before the page is left, only as long as that would lose something. */
export function guardLeaving(store: ConvertStore, canReopen: (id: string) => boolean): void {
  let guarding = false
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  store.subscribe(() => {
    const needed = losesOnLeaving(store.snapshot(), canReopen)
    if (needed === guarding) return
    guarding = needed
    if (needed) addEventListener('beforeunload', ask)
    else removeEventListener('beforeunload', ask)
  })
}
