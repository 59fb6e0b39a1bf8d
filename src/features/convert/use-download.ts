import { useCallback } from 'react'
import type { Output } from '../../engine/client.ts'
import { useConvert } from './context.tsx'
import { download } from './downloads.ts'

/** Hands files over, and notes that the person has them. */
export function useDownload(): (outputs: readonly Output[], zipName: string) => void {
  const { client, markSaved } = useConvert()
  return useCallback(
    (outputs, zipName) => {
      void download(client, outputs, zipName).then((done) => (done ? markSaved(outputs) : undefined))
    },
    [client, markSaved],
  )
}
