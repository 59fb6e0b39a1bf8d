import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import type { DatasetSummary } from '../../../api/client.ts'
import { type Language, snippet } from '../../../contract/snippets/index.ts'
import { useSession } from '../../../session/context.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { ReferenceOperation } from '../model/document.ts'
import { type Draft, type Known, missing, requestOf } from '../model/drafts.ts'
import type { Runs } from '../use-runs.ts'
import { Answer } from './Answer.tsx'
import { type Carried, NextSteps } from './NextSteps.tsx'
import { Reach } from '../../shared/Reach.tsx'
import { RequestForm } from './RequestForm.tsx'
import { SnippetTabs } from './CodeBlock.tsx'
import css from './TryIt.module.css'

interface Props {
  readonly operation: ReferenceOperation
  readonly operations: readonly ReferenceOperation[]
  readonly draft: Draft
  readonly datasets: readonly DatasetSummary[]
  readonly known: Known
  readonly runs: Runs
  readonly onChange: (draft: Draft) => void
  /** Inserts values of the answer in another operation's form. */
  readonly onCarry: (carried: Carried) => void
}

/** An operation as code, and as a form that sends it to the connected service. */
export function TryIt(props: Props) {
  const { operation, operations, draft, datasets, known, runs, onChange, onCarry } = props
  const session = useSession()
  const [language, setLanguage] = useState<Language>('curl')
  const [asking, setAsking] = useState(false)
  const request = requestOf(operation, draft, session.apiBaseUrl)
  const reason = missing(operation, draft)
  const run = runs.of(operation.id)
  const running = run?.status === 'running'
  const changes = operation.method === 'DELETE' || operation.method === 'PATCH' || operation.method === 'PUT'
  const start = (): void => runs.start(operation.id, request)

  return (
    <div className={css.side}>
      <section className={css.card} aria-label="Code">
        <SnippetTabs
          label="Code, in"
          language={language}
          onLanguage={setLanguage}
          code={(chosen) => snippet(chosen, request)}
        />
        <Reach />
      </section>
      <section id={TRY_IT} tabIndex={-1} className={css.card} aria-label="Try it">
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (reason !== null || running) return
            if (changes) setAsking(true)
            else start()
          }}
        >
          <h3 className={css.title}>Try it</h3>
          <RequestForm operation={operation} draft={draft} datasets={datasets} known={known} onChange={onChange} />
          <div className={css.actions}>
            <Button
              type="submit"
              look={operation.method === 'DELETE' ? 'danger' : 'primary'}
              icon={<Play aria-hidden />}
              disabled={reason !== null}
              // Disabled, it would lose the focus that pressing it gave it.
              aria-disabled={running}
              aria-describedby="try-reason"
            >
              Run
            </Button>
            {running ? <Button onClick={() => runs.cancel(operation.id)}>Cancel</Button> : null}
            <p id="try-reason" className={css.reason}>
              {reason ?? where(session.connection)}
            </p>
          </div>
        </form>
        {run ? <Answer run={run} /> : null}
        {run?.status === 'answered' ? (
          <NextSteps
            operation={operation}
            operations={operations}
            outcome={run.outcome}
            sent={run.sent}
            onCarry={onCarry}
          />
        ) : null}
      </section>
      <ConfirmDialog
        title={`${operation.summary}?`}
        action={operation.method === 'DELETE' ? 'Delete' : 'Change'}
        danger={operation.method === 'DELETE'}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          start()
        }}
      >
        <p>
          {operation.method === 'DELETE'
            ? 'This is sent to the connected service and can’t be undone:'
            : 'This is sent to the connected service and changes what is there:'}
        </p>
        <p className={css.request}>
          <code>{`${request.method} ${request.url}`}</code>
        </p>
      </ConfirmDialog>
    </div>
  )
}

function where(connection: { readonly kind: 'stand-in' | 'remote' }): string {
  return connection.kind === 'stand-in' ? 'Answered in this browser.' : 'Sent to the service, with your key.'
}

/** Id of the section that runs an operation. */
const TRY_IT = 'try-it'

/** Scrolls to that section, if it isn't beside the text. */
export function goToTryIt(): void {
  const place = document.getElementById(TRY_IT)
  place?.scrollIntoView({ block: 'start' })
  place?.focus({ preventScroll: true })
}
