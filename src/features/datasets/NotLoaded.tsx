import { formatWhen } from '../../ui/format.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { ProblemNotice } from '../shared/ProblemNotice.tsx'
import { explain } from '../shared/problem.ts'

interface Props {
  /** The query that failed. */
  readonly query: {
    readonly error: Error | null
    readonly dataUpdatedAt: number
    readonly refetch: () => Promise<unknown>
  }
  /** “The list wasn’t loaded”. */
  readonly what: string
}

/** Why something wasn't loaded and, if earlier data is shown, from when it is. */
export function NotLoaded({ query: { error, dataUpdatedAt, refetch }, what }: Props) {
  const now = useNow()
  if (!error) return null
  const isShown = dataUpdatedAt > 0
  return (
    <ProblemNotice problem={explain(error, isShown ? `${what} again` : what)} onRetry={() => void refetch()}>
      {isShown ? <p>What’s shown was loaded {formatWhen(dataUpdatedAt, now)}, and may have changed since.</p> : null}
    </ProblemNotice>
  )
}
