import type { ReactNode } from 'react'
import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import type { Failure } from '../model/failure.ts'
import { Differences } from './Receipt.tsx'

/** What went wrong with a file, and the differences if it read back differently. */
export function FailureNotice({ failure, actions }: { readonly failure: Failure; readonly actions?: ReactNode }) {
  const differences = failure.receipts.flatMap((receipt) => receipt.differences)
  return (
    <ProblemNotice problem={failure} flush={false} actions={actions}>
      {differences.length > 0 ? <Differences differences={differences} /> : null}
    </ProblemNotice>
  )
}
