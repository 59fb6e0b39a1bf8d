import { useNow } from '../../../ui/hooks/use-now.ts'
import Download from 'lucide-react/icons/download'
import { memo, useState } from 'react'
import { formatInfo } from '../../../contract/formats.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { Button } from '../../../ui/Button.tsx'
import { formatWhen } from '../../../ui/format.ts'
import { type StoredJob, useConvert, usePublish, useQueryFiles } from '../context.tsx'
import { toast } from '../../../ui/overlays/toasts.ts'
import type { Output } from '../../../engine/client.ts'
import { toFailure } from '../model/failure.ts'
import { isHeld } from '../model/job.ts'
import { formatOf, type JobRecord, type StoredState } from '../model/records.ts'
import { useDownload, useRemove } from '../queue-actions.ts'
import { Card } from './Card.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Result } from './Result.tsx'
import { AddAgain } from './StageNotices.tsx'
import css from './Card.module.css'
import { stemOf } from '../../../tables/file-names.ts'

interface Props extends StoredJob {
  readonly startOpen: boolean
  /** Turns it back into one line among many. */
  readonly onFold?: ((id: string) => void) | undefined
}

/** The card of a file from an earlier visit or another tab: its result, or how to continue it. */
export const StoredCard = memo(function StoredCard({ record, state, reopens, startOpen, onFold }: Props) {
  const { agreeStored, client } = useConvert()
  const publish = usePublish()
  const query = useQueryFiles()
  const remove = useRemove()
  const [open, setOpen] = useState(startOpen)
  const now = useNow()
  const { result, fileName } = record
  const use = async (outputs: readonly Output[], take: (files: readonly File[]) => void): Promise<void> => {
    try {
      take(await Promise.all(outputs.map((output) => client.outputs.file(output))))
    } catch (error) {
      toast({ title: 'It can’t be used', description: toFailure(error).message, tone: 'bad' })
    }
  }
  const made = result && state === 'finished' && !isHeld(result) ? result.outputs : null
  return (
    <Card
      id={record.id}
      name={fileName}
      format={formatOf(record)}
      meta={metaOf(record, state, now)}
      stage={state}
      open={open}
      onToggle={onFold ? () => onFold(record.id) : result ? () => setOpen(!open) : undefined}
      onRemove={() => remove({ records: [record] })}
      onQuery={made ? () => void use(made, (files) => query(files.map((file) => ({ file, plan: null })))) : undefined}
      onPublish={
        made
          ? () => void use(made, (files) => publish(files.map((file) => ({ file, plan: null, changed: false }))))
          : undefined
      }
      controls={<StoredDownload record={record} state={state} />}
    >
      {state === 'interrupted' ? <Interrupted reopens={reopens} combined={record.combination !== undefined} /> : null}
      {state === 'failed' && record.failure ? <FailureNotice failure={record.failure} actions={<AddAgain />} /> : null}
      {state === 'elsewhere' ? <p className={css.quiet}>It’s open in another tab of this browser.</p> : null}
      {result ? (
        <Result
          fileName={fileName}
          result={result}
          stale={state !== 'finished'}
          open={open}
          onAgree={() => void agreeStored(record)}
        />
      ) : null}
    </Card>
  )
})

/** Downloads its result, once there is one. */
export function StoredDownload({ record: { result, fileName }, state, size }: StoredDownloadProps) {
  const download = useDownload()
  if (!result || state !== 'finished') return null
  return (
    <Button
      size={size}
      icon={<Download aria-hidden />}
      disabled={isHeld(result)}
      onClick={() => download(result.outputs, `${stemOf(fileName)}.zip`)}
    >
      Download
    </Button>
  )
}

interface StoredDownloadProps extends Pick<StoredJob, 'record' | 'state'> {
  readonly size?: 'small'
}

function Interrupted({ reopens, combined }: { readonly reopens: boolean; readonly combined: boolean }) {
  if (combined) {
    return (
      <p className={css.quiet}>
        Interrupted: it goes on, with the columns as you matched them, once all of its files are open or added again.
      </p>
    )
  }
  if (reopens) return <p className={css.quiet}>Interrupted: the page was closed before it was done.</p>
  return (
    <Notice tone="info" live="status" actions={<AddAgain />}>
      <p>
        <strong>Interrupted: add the file again to go on.</strong> Its settings are kept.
      </p>
    </Notice>
  )
}

function metaOf(record: JobRecord, state: StoredState, now: number): string[] {
  const { result } = record
  const words = [formatBytes(record.size)]
  if (result && state === 'finished') {
    const size = result.outputs.reduce((sum, output) => sum + output.size, 0)
    words.push(`converted to ${formatInfo(result.target).displayName}, ${formatBytes(size)}`)
  }
  words.push(formatWhen(result?.finishedAt ?? record.updatedAt, now))
  return words
}
