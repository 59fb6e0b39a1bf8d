import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import css from './Facts.module.css'

/** Short facts about something: one element each, separated by dots. */
export function Facts({ className, ...rest }: ComponentProps<'p'>) {
  return <p {...rest} className={cx(css.facts, className)} />
}
