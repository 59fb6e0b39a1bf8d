import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import css from './Button.module.css'

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly size?: 'small' | 'medium' | 'large' | undefined
  readonly icon?: ReactNode
}

/** Use one `primary` button for the next step, and `quiet` for what is seldom needed. */
export function Button({ look = 'secondary', size = 'medium', icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={cx(css.button, css[look], css[size], className)} {...rest}>
      {icon}
      {children}
    </button>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** Its accessible name, also shown on hover. */
  readonly label: string
  readonly look?: 'secondary' | 'quiet'
}

/** A square button with only an icon. */
export function IconButton({ label, look = 'quiet', className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(css.button, css[look], css.square, className)}
      {...rest}
    >
      {children}
    </button>
  )
}
