import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useConvert } from '../context.tsx'
import { isUnreadable, type Failure } from '../model/failure.ts'
import { pickFiles } from './AddFiles.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import css from './Card.module.css'

/* Messages that files and combinations share. */

export function QueuedNotice() {
  return <p className={css.quiet}>Waiting for its turn: two files are converted at a time.</p>
}

export function CancelledNotice() {
  return <p className={css.quiet}>Cancelled. Nothing was kept.</p>
}

/** What went wrong, with a retry if that can help. */
export function FailedNotice({ id, failure }: { readonly id: string; readonly failure: Failure }) {
  const { store } = useConvert()
  return (
    <FailureNotice
      failure={failure}
      actions={
        isUnreadable(failure) ? (
          <AddAgain />
        ) : (
          <Button size="small" onClick={() => store.retry(id)}>
            Retry
          </Button>
        )
      }
    />
  )
}

/** Asks for a file that can't be read any more; its settings are kept. */
export function AddAgain() {
  return (
    <Button size="small" onClick={pickFiles}>
      Add the file again
    </Button>
  )
}

const SHOWN = 3

/** What must be changed before it can be converted. */
export function ProblemsNotice({ problems }: { readonly problems: readonly string[] }) {
  return (
    <Notice tone="bad" live="alert">
      {problems.slice(0, SHOWN).map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Notice>
  )
}
