import { measure } from '../../../ui/overlays/files-dropped.ts'
import type { ToastMessage } from '../../../ui/overlays/toasts.ts'
import type { Job } from '../model/job.ts'
import { toRecord, type JobRecord } from '../model/records.ts'
import type { ConvertDatabase } from './database.ts'
import type { Tabs } from './tabs.ts'

interface Writer {
  /** Resolves when all earlier changes are written. */
  readonly written: () => Promise<void>
  /** Jobs that come while others are being written are written together. */
  readonly keep: (...jobs: readonly Job[]) => Promise<void>
  readonly put: (records: readonly JobRecord[]) => Promise<void>
  readonly remove: (ids: readonly string[]) => Promise<void>
}

/**
 * Writes changes one after another, and reports once if that fails.
 * @param changed called when this tab's records must be read again
 */
export function createWriter(
  database: Pick<ConvertDatabase, 'putJobs' | 'removeJobs'>,
  tabs: Pick<Tabs, 'id' | 'tell'>,
  changed: () => void,
  toast: (message: ToastMessage) => void,
): Writer {
  let last = Promise.resolve()
  let warned = false
  /** Jobs that aren't being written yet, if that's the last of what waits. */
  let next: Map<string, Job> | null = null
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    next = null
    last = last
      .then(work)
      .then(() => tabs.tell('jobs'))
      .catch(() => {
        if (!warned) toast(UNKEPT)
        warned = true
      })
    return last
  }
  return {
    written: () => last,
    // Other records needn't be read again, since this tab shows its own jobs from the store.
    keep(...jobs) {
      const isNew = next === null
      const byId: Map<string, Job> = next ?? new Map()
      for (const job of jobs) byId.set(job.id, job)
      if (!isNew) return last
      const written = enqueue(async () => {
        if (next === byId) next = null
        const all = [...byId.values()]
        await measure(all.map(({ file }) => file))
        await database.putJobs(all.map((job) => toRecord(job, tabs.id, Date.now())))
      })
      next = byId
      return written
    },
    async put(records) {
      if (records.length === 0) return
      await enqueue(() => database.putJobs(records))
      changed()
    },
    async remove(ids) {
      await enqueue(() => database.removeJobs(ids))
      changed()
    },
  }
}

const UNKEPT: ToastMessage = {
  title: 'The queue can’t be kept',
  description: 'This browser provides no storage, or it’s full. Download your files before you close the page.',
  tone: 'bad',
}
