import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import type { Failure } from '../model/failure.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Differences } from './Receipt.tsx'
import css from './Card.module.css'

/** What went wrong, where, and what to do about it: a line each. */
export function FailureNotice({ failure, children }: { readonly failure: Failure; readonly children?: ReactNode }) {
  const differences = failure.receipts.flatMap((receipt) => receipt.differences)
  return (
    <Notice tone="bad" live="alert" icon={<CircleAlert aria-hidden />} actions={children}>
      <p className={css.failure}>{failure.message}</p>
      {failure.place ? (
        <p>
          <span className={css.failureWord}>Where</span> {failure.place}
        </p>
      ) : null}
      {failure.remedy ? (
        <p>
          <span className={css.failureWord}>What to do</span> {failure.remedy}
        </p>
      ) : null}
      {differences.length > 0 ? <Differences differences={differences} /> : null}
    </Notice>
  )
}
