import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import css from './Badge.module.css'

interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'good' | 'warn' | 'bad'
  readonly icon?: ReactNode
  readonly title?: string
  readonly children: ReactNode
}

/** A short label for the state of something. The word carries the meaning; the color only supports it. */
export function Badge({ tone = 'neutral', icon, title, children }: BadgeProps) {
  return (
    <span className={cx(css.badge, css[tone])} title={title}>
      {icon}
      {children}
    </span>
  )
}

/** A tag that a person gave something, to find it by. */
export function Tag({ className, children }: { readonly className?: string | undefined; readonly children: string }) {
  return <span className={cx(css.tag, className)}>{children}</span>
}
