import { zipStream } from '../../lib/zip/write.ts'
import { saveFile } from '../../ui/save.ts'
import type { EngineClient, Output } from '../../engine/client.ts'
import { toast, toastProblem } from '../../ui/overlays/toasts.ts'
import { fileNames } from '../../tables/names.ts'
import { toFailure } from './model/failure.ts'
import { useCallback, useMemo } from 'react'
import { useConvert } from './context.tsx'
import { useNavigate, useParams } from 'react-router'
import type { Unwanted } from './store/removal.ts'
import { useQueryClient } from '@tanstack/react-query'
import { isHeld } from './model/job.ts'
import type { JobRecord } from './model/records.ts'
import { JOBS_KEY, type StoredJobs } from './store/services.ts'

/** Saves one file as it is, several as a zip. Reports a file that's gone. Returns whether it succeeded. */
async function saveOutputs(client: EngineClient, outputs: readonly Output[], zipName: string): Promise<boolean> {
  try {
    const files = await Promise.all(outputs.map((output) => client.outputs.file(output)))
    const [only] = files
    if (!only) return false
    if (files.length === 1) saveFile(only, only.name)
    else saveFile(await zipped(files), zipName)
    return true
  } catch (error) {
    toastProblem(toFailure(error))
    return false
  }
}

/** Streams the zip to a file stored by the browser, so that it isn't in the page's memory all at once. */
async function zipped(files: readonly File[]): Promise<Blob> {
  const names = fileNames(files.map((file) => file.name))
  const modified = new Date()
  const zip = zipStream(files.map((content, i) => ({ name: names[i] ?? content.name, content, modified })))
  return new Response(zip, { headers: { 'Content-Type': 'application/zip' } }).blob()
}

export function downloadJson(value: unknown, name: string): void {
  saveFile(new Blob([JSON.stringify(value, null, 2), '\n'], { type: 'application/json' }), name)
}

/** Saves files, and marks them as downloaded. */
export function useDownload(): (outputs: readonly Output[], zipName: string) => void {
  const { client, markSaved } = useConvert()
  return useCallback(
    (outputs, zipName) => {
      void saveOutputs(client, outputs, zipName).then((done) => (done ? markSaved(outputs) : undefined))
    },
    [client, markSaved],
  )
}

/** Removes jobs. If the page showed only those, it shows the whole queue afterwards. */
export function useRemove(): (unwanted: Unwanted) => void {
  const { remove } = useConvert()
  const { job: chosen } = useParams()
  const navigate = useNavigate()
  return useCallback(
    (unwanted) => {
      const ids = [...(unwanted.ids ?? []), ...(unwanted.records ?? []).map(({ id }) => id)]
      const card = document.activeElement?.closest('section[data-stage]')
      const next = card?.nextElementSibling ?? card?.previousElementSibling
      void remove(unwanted).then(() => {
        if (next?.isConnected) next.querySelector<HTMLElement>('header a')?.focus()
      })
      if (chosen && ids.includes(chosen)) void navigate('/convert')
    },
    [remove, navigate, chosen],
  )
}

interface QueueActions {
  readonly convertAll: () => void
  readonly downloadAll: () => void
  readonly cancelAll: () => void
  readonly clearFinished: () => void
  readonly hasFinished: () => boolean
}

/** Actions for the whole queue. They read the queue when called, not when rendered. */
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
    const done = () => store.snapshot().filter((job) => job.stage.kind === 'done')
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
      clearFinished: () => remove({ ids: done().map((job) => job.id), records: others() }),
      hasFinished: () => done().length + others().length > 0,
    }
  }, [store, queries, download, remove])
}
