import { cx } from './cx.ts'
import css from './Tag.module.css'

/** A word that a person gave a thing, to find it by. */
export function Tag({ className, children }: { readonly className?: string | undefined; readonly children: string }) {
  return <span className={cx(css.tag, className)}>{children}</span>
}
