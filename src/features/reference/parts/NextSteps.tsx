import { asError } from '../../../lib/errors.ts'
import { saveFile } from '../../../ui/save.ts'
import ArrowRight from 'lucide-react/icons/arrow-right'
import CircleCheck from 'lucide-react/icons/circle-check'
import Download from 'lucide-react/icons/download'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSession } from '../../../session/context.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/fields/Field.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import type { ReferenceOperation } from '../model/document.ts'
import { nextOf } from '../model/next.ts'
import type { Outcome } from '../model/send.ts'
import css from './NextSteps.module.css'

/** Values of an answer to insert in another operation's body. */
export interface Carried {
  /** The other operation's id. */
  readonly to: string
  readonly fields: (body: Record<string, unknown>) => unknown
}

interface Props {
  readonly operation: ReferenceOperation
  readonly operations: readonly ReferenceOperation[]
  readonly outcome: Outcome
  readonly sent: string | null
  readonly onCarry: (carried: Carried) => void
}

/** Next steps after an answer: upload a file to its URL, and continue with that. */
export function NextSteps({ operation, operations, outcome, sent, onCarry }: Props) {
  const next = useMemo(() => nextOf(operation.id, outcome, sent), [operation, outcome, sent])
  const [uploaded, setUploaded] = useState<readonly string[]>([])
  const following = operation.id === 'signUploads' ? 'createDataset' : 'convert'
  const target = operations.find(({ id }) => id === following)
  if (next.download !== null) {
    return (
      <section className={css.steps} aria-label="Next steps">
        <Result url={next.download} />
      </section>
    )
  }
  if (next.uploads.length === 0) return null
  const goOn = (): void => {
    if (next.sourcePath !== null) {
      const path = next.sourcePath
      onCarry({ to: following, fields: (body) => ({ ...body, ...formatsOf(sent), source_url: path }) })
      return
    }
    const tables = next.uploads
      .filter(({ url }) => uploaded.includes(url))
      .map(({ label, url }) => ({ table_name: label.replace(/\.[^.]+$/, ''), signed_url: url }))
    onCarry({ to: following, fields: (body) => ({ ...body, tables }) })
  }
  return (
    <section className={css.steps} aria-label="Next steps">
      {next.uploads.map((upload) => (
        <Upload key={upload.url} {...upload} onUploaded={() => setUploaded((before) => [...before, upload.url])} />
      ))}
      {target && uploaded.length > 0 ? (
        <Button icon={<ArrowRight aria-hidden />} onClick={goOn}>
          {`Go on: ${target.summary}`}
        </Button>
      ) : null}
    </section>
  )
}

/** The conversion's formats and name from the request. */
function formatsOf(sent: string | null): object {
  try {
    const body: unknown = JSON.parse(sent ?? '')
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

/** Saves a signed URL's contents. A download link would bypass the service worker, which answers such URLs. */
function Result({ url }: { readonly url: string }) {
  const { api } = useSession()
  const [state, setState] = useState<'idle' | 'loading' | Error>('idle')
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const download = (): void => {
    const { signal } = (controller.current = new AbortController())
    setState('loading')
    api.download(url, { signal }).then(
      (blob) => {
        setState('idle')
        saveFile(blob, decodeURIComponent(new URL(url).pathname.split('/').pop() ?? '') || 'result')
      },
      (error: unknown) => {
        if (!signal.aborted) setState(asError(error))
      },
    )
  }
  return (
    <>
      <Button icon={<Download aria-hidden />} disabled={state === 'loading'} onClick={download}>
        Download the result
      </Button>
      {state instanceof Error ? (
        <p role="alert" className={css.failed}>
          {state.message}
        </p>
      ) : null}
    </>
  )
}

type UploadState =
  | { readonly status: 'idle' | 'done' }
  | { readonly status: 'sending'; readonly value: number }
  | { readonly status: 'failed'; readonly message: string }

interface UploadProps {
  readonly label: string
  readonly url: string
  readonly contentType: string
  readonly onUploaded: () => void
}

function Upload({ label, url, contentType, onUploaded }: UploadProps) {
  const { api } = useSession()
  const [state, setState] = useState<UploadState>({ status: 'idle' })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  const upload = (file: File): void => {
    controller.current?.abort()
    const current = new AbortController()
    controller.current = current
    const { signal } = current
    setState({ status: 'sending', value: 0 })
    const onProgress = (sent: number): void => {
      if (!signal.aborted) setState({ status: 'sending', value: file.size ? sent / file.size : 1 })
    }
    api.upload(url, file, { contentType, signal, onProgress }).then(
      () => {
        setState({ status: 'done' })
        onUploaded()
      },
      (error: unknown) => {
        if (signal.aborted) return
        const message = asError(error).message
        setState({ status: 'failed', message })
      },
    )
  }
  if (state.status === 'done') {
    return (
      <p className={css.done}>
        <CircleCheck aria-hidden />
        {`Uploaded ${label}`}
      </p>
    )
  }
  return (
    <Field
      label={`Upload ${label}`}
      hint={`Sent with PUT as ${contentType}.`}
      error={state.status === 'failed' ? state.message : undefined}
    >
      {(ids) => (
        <>
          <input
            {...ids}
            type="file"
            className={css.file}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              if (file) upload(file)
            }}
          />
          {state.status === 'sending' ? <Progress label={`Uploading ${label}`} value={state.value} /> : null}
        </>
      )}
    </Field>
  )
}
