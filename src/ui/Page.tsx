import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import css from './Page.module.css'

/** What a screen shows, one below the other, in a column that's no wider than `--page-width`. */
export function Page({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx(css.page, className)} />
}

interface PageHeaderProps {
  readonly title: string
  /** In a few words: how many there are, which version it is. */
  readonly summary?: ReactNode
  /** After the title or the summary. */
  readonly aside?: ReactNode
  /** What can be done with all of it. */
  readonly actions?: ReactNode
  /** What the actions are called, where they are a toolbar. */
  readonly toolbar?: string
  readonly className?: string | undefined
  /** Below, over the whole width. */
  readonly children?: ReactNode
}

/** What a screen is called, and what can be done with all that it shows. */
export function PageHeader({ title, summary, aside, actions, toolbar, className, children }: PageHeaderProps) {
  return (
    <header className={cx(css.header, className)}>
      <div className={css.heading}>
        <h1 className={css.title}>{title}</h1>
        {summary ? <p className={css.summary}>{summary}</p> : null}
        {aside}
      </div>
      {actions ? (
        <div className={css.actions} {...(toolbar ? { role: 'toolbar', 'aria-label': toolbar } : {})}>
          {actions}
        </div>
      ) : null}
      {children ? <div className={css.below}>{children}</div> : null}
    </header>
  )
}
