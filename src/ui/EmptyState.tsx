import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import css from './EmptyState.module.css'

interface EmptyStateProps {
  readonly icon?: ReactNode
  /** Its heading, unless a heading above already says it. */
  readonly title?: string
  /** `alert` if something failed, `status` if it only has to be announced. */
  readonly live?: 'alert' | 'status'
  readonly busy?: boolean
  /** What to do next. */
  readonly actions?: ReactNode
  readonly className?: string | undefined
  /** Why there's nothing to see, in one sentence. */
  readonly children: ReactNode
}

/** Shown in place of content that's missing, or not there yet, with the reason. */
export function EmptyState({ icon, title, live, busy, actions, className, children }: EmptyStateProps) {
  return (
    <div className={cx(css.empty, className)} role={live} aria-busy={busy}>
      {icon}
      {title ? <h1 className={css.title}>{title}</h1> : null}
      <p className={css.text}>{children}</p>
      {actions ? <div className={css.actions}>{actions}</div> : null}
    </div>
  )
}
