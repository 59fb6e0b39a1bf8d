import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { Problem } from './problem.ts'
import css from './ProblemNotice.module.css'

interface Props {
  readonly problem: Problem
  readonly onRetry?: () => void
  /** Buttons, where trying again isn't one. */
  readonly actions?: ReactNode
  /** What is to be seen besides, below. */
  readonly children?: ReactNode
  /** Default true: without the margins that it has in a card. */
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
