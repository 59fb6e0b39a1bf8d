import type { ReactNode } from 'react'
import css from './Notice.module.css'

interface Props {
  readonly tone: 'info' | 'warn' | 'bad' | 'good'
  /** How it's told to assistive technology when it appears. */
  readonly live?: 'alert' | 'status'
  readonly icon?: ReactNode
  readonly actions?: ReactNode
  /** Without the margins that it has in a card. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** Something that the person should know before going on, with what can be done about it. */
export function Notice({ tone, live, icon, actions, flush, children }: Props) {
  return (
    <div role={live} className={css.notice} data-tone={tone} data-flush={flush}>
      {icon ? <span className={css.icon}>{icon}</span> : null}
      <div className={css.text}>{children}</div>
      {actions ? <div className={css.actions}>{actions}</div> : null}
    </div>
  )
}
