import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import css from './Facts.module.css'

/** What there is to know of a thing, in a few words each: an element each, with dots between them. */
export function Facts({ className, ...rest }: ComponentProps<'p'>) {
  return <p {...rest} className={cx(css.facts, className)} />
}
