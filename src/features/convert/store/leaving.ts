import { isBusy, isSaved, type Job } from '../model/job.ts'
import type { ConvertStore } from './store.ts'

/** Whether leaving the page would lose something: a conversion under way, or files that are only in its memory. */
export function losesOnLeaving(jobs: readonly Job[], persistent: boolean): boolean {
  return jobs.some((job) => isBusy(job) || (!persistent && job.result !== null && !isSaved(job.result)))
}

/** Has the browser ask before the page is left, only as long as that would lose something. */
export function guardLeaving(store: ConvertStore, persistent: boolean): void {
  let guarding = false
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  store.subscribe(() => {
    const needed = losesOnLeaving(store.snapshot(), persistent)
    if (needed === guarding) return
    guarding = needed
    if (needed) addEventListener('beforeunload', ask)
    else removeEventListener('beforeunload', ask)
  })
}
