import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import css from './Page.module.css'

/** What a screen shows, one below the other, in a column that's no wider than `--page-width`. */
export function Page({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx(css.page, className)} />
}
