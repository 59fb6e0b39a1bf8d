import { useEffect, useState } from 'react'
import { isAbort } from '../../../lib/abort.ts'
import { Button } from '../../../ui/Button.tsx'
import { toastProblem } from '../../../ui/overlays/toasts.ts'
import { useConvert } from '../context.tsx'
import { toFailure } from '../model/failure.ts'
import type { JobResult } from '../model/job.ts'
import { downloadJson } from '../queue-actions.ts'
import { filesOf, hashesOf } from '../store/sealing.ts'
import { withHashes } from '../../../tables/outputs.ts'
import css from './Receipt.module.css'
import { stemOf } from '../../../tables/file-names.ts'

interface Props {
  readonly fileName: string
  readonly result: JobResult
}

/** Saves the receipt as a file, including the hashes of the files in it. */
export function SaveReceipt({ fileName, result }: Props) {
  const { store, client } = useConvert()
  const [hashing, setHashing] = useState<AbortController | null>(null)
  useEffect(() => () => hashing?.abort(), [hashing])
  const save = async (): Promise<void> => {
    const job = store.snapshot().find((each) => each.result === result)
    const abort = new AbortController()
    setHashing(abort)
    try {
      const hashes = await hashesOf(result, job ? filesOf(job) : [], client, abort.signal)
      const receipts = withHashes(result, hashes).outputs.flatMap((output) => output.receipts)
      const { toReceiptFile } = await import('../../../tables/files/receipt-file.ts')
      downloadJson(toReceiptFile(receipts, location.origin), `${stemOf(fileName)}.receipt.json`)
    } catch (error) {
      if (!isAbort(error)) toastProblem(toFailure(error))
    } finally {
      setHashing(null)
    }
  }
  return (
    <Button
      size="small"
      look="quiet"
      className={css.save}
      onClick={() => {
        if (hashing) hashing.abort()
        else void save()
      }}
    >
      {hashing ? 'Cancel hashing' : 'Save receipt'}
    </Button>
  )
}
