import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { Problem } from './problem.ts'
import css from './ProblemNotice.module.css'

interface Props {
  readonly problem: Problem
  readonly onRetry?: () => void
  /** Buttons other than for a retry. */
  readonly actions?: ReactNode
  /** More to show below. */
  readonly children?: ReactNode
  /** Without the margins for use in a card; true by default. */
  readonly flush?: boolean
}

/** What went wrong, where, and what to do about it. */
export function ProblemNotice({ problem, onRetry, actions, children, flush = true }: Props) {
  const { message, place, remedy, requestId } = problem
  const retry = onRetry ? (
    <Button size="small" onClick={onRetry}>
      Try again
    </Button>
  ) : null
  return (
    <Notice tone="bad" live="alert" flush={flush} actions={retry ?? actions}>
      <p className={css.message}>{message}</p>
      {place ? <p>Where: {place}.</p> : null}
      {remedy ? <p>{remedy}</p> : null}
      {requestId ? <p className={css.id}>Request id: {requestId}</p> : null}
      {children}
    </Notice>
  )
}
