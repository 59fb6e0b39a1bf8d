import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import css from './EmptyState.module.css'

interface EmptyStateProps {
  readonly icon?: ReactNode
  /** Its heading; none where a heading above says it. */
  readonly title?: string
  /** `alert` where it's there because something failed, `status` where it's said as it comes. */
  readonly live?: 'alert' | 'status'
  readonly busy?: boolean
  /** Where to go from here. */
  readonly actions?: ReactNode
  readonly className?: string | undefined
  /** Why there's nothing to see, in a sentence. */
  readonly children: ReactNode
}

/** Stands where there's nothing to show (yet), and says why. */
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
