import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import css from './Page.module.css'

/** A screen's content in one column, at most `--page-width` wide. */
export function Page({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx(css.page, className)} />
}

interface PageHeaderProps {
  readonly title: string
  /** A few words, such as a count or a version. */
  readonly summary?: ReactNode
  /** Shown after the title or the summary. */
  readonly aside?: ReactNode
  /** Actions that apply to all of it. */
  readonly actions?: ReactNode
  /** The accessible name of the actions, if they are a toolbar. */
  readonly toolbar?: string
  readonly className?: string | undefined
  /** Shown below, over the whole width. */
  readonly children?: ReactNode
}

/** A screen's title, and the actions that apply to all of it. */
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
