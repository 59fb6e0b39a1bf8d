import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import css from './Badge.module.css'

interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'good' | 'warn' | 'bad'
  readonly icon?: ReactNode
  readonly title?: string
  readonly children: ReactNode
}

/** A word about the state of something. Its meaning is in the word; the color only agrees. */
export function Badge({ tone = 'neutral', icon, title, children }: BadgeProps) {
  return (
    <span className={cx(css.badge, css[tone])} title={title}>
      {icon}
      {children}
    </span>
  )
}
