import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { Problem } from './model/problems.ts'
import css from './Problem.module.css'

interface Props {
  readonly problem: Problem
  readonly onRetry?: () => void
  readonly children?: ReactNode
}

/** What went wrong, and what to do about it. */
export function ProblemNotice({ problem, onRetry, children }: Props) {
  return (
    <Notice
      tone="bad"
      live="alert"
      flush
      icon={<CircleAlert aria-hidden />}
      actions={
        onRetry ? (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        ) : (
          children
        )
      }
    >
      <p className={css.message}>{problem.message}</p>
      {problem.remedy ? <p>{problem.remedy}</p> : null}
      {problem.requestId ? <p className={css.id}>Request id: {problem.requestId}</p> : null}
    </Notice>
  )
}
