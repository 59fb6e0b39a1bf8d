import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import css from './Notice.module.css'

interface Props {
  readonly tone: keyof typeof ICONS
  /** How assistive technology announces it when it appears. */
  readonly live?: 'alert' | 'status'
  /** By default, the tone's own. */
  readonly icon?: ReactNode
  readonly actions?: ReactNode
  /** Without the margins for use in a card. */
  readonly flush?: boolean
  readonly children: ReactNode
}

const ICONS = {
  info: <Info aria-hidden />,
  good: <CircleCheck aria-hidden />,
  warn: <TriangleAlert aria-hidden />,
  bad: <CircleAlert aria-hidden />,
}

/** Something to know before going on, and what can be done about it. */
export function Notice({ tone, live, icon = ICONS[tone], actions, flush, children }: Props) {
  return (
    <div role={live} className={css.notice} data-tone={tone} data-flush={flush}>
      <span className={css.icon}>{icon}</span>
      <div className={css.text}>{children}</div>
      {actions ? <div className={css.actions}>{actions}</div> : null}
    </div>
  )
}
