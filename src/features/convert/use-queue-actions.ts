import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { toast } from '../../ui/toasts.ts'
import { useConvert } from './context.tsx'
import { isHeld } from './model/job.ts'
import type { JobRecord } from './model/records.ts'
import { useDownload } from './use-download.ts'
import { useRemove } from './use-remove.ts'
import { JOBS_KEY, type StoredJobs } from './store/services.ts'

export interface QueueActions {
  readonly convertAll: () => void
  readonly downloadAll: () => void
  readonly cancelAll: () => void
  readonly clearFinished: () => void
}

/** What can be done with the whole queue. Looks at the queue when it's done, not when it's rendered. */
export function useQueueActions(): QueueActions {
  const { store } = useConvert()
  const download = useDownload()
  const remove = useRemove()
  const queries = useQueryClient()
  return useMemo(() => {
    const others = (): JobRecord[] => {
      const live = new Set(store.snapshot().map((job) => job.id))
      const stored = queries.getQueryData<StoredJobs>(JOBS_KEY)?.records ?? []
      return stored.filter((record) => record.settled && !live.has(record.id))
    }
    return {
      convertAll: () => store.convertAll(),
      cancelAll: () => store.cancelAll(),
      downloadAll: () => {
        const results = [
          ...store.snapshot().map((job) => (job.stage.kind === 'done' ? job.result : null)),
          ...others().map((record) => record.result),
        ]
        const outputs = results.flatMap((result) => (result && !isHeld(result) ? result.outputs : []))
        if (outputs.length === 0) toast({ title: 'No file is ready to be downloaded' })
        else download(outputs, 'rowhouse.zip')
      },
      clearFinished: () => {
        const done = store.snapshot().filter((job) => job.stage.kind === 'done')
        remove({ ids: done.map((job) => job.id), records: others() })
      },
    }
  }, [store, queries, download, remove])
}
