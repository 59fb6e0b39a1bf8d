import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../cx.ts'
import button from '../Button.module.css'
import css from './FileButton.module.css'

interface FileButtonProps extends Omit<ComponentProps<'input'>, 'size'> {
  readonly icon: ReactNode
  readonly look: 'primary' | 'secondary' | 'quiet'
  readonly size?: 'small' | 'medium' | 'large'
  readonly onFiles: (files: readonly File[]) => void
  /** Without it, only the icon is shown. Then pass `aria-label` and `title`. */
  readonly children?: ReactNode
}

/** The browser's file input, which looks like a button. Hidden files are left out. */
export function FileButton({ icon, look, size = 'medium', onFiles, children, ...rest }: FileButtonProps) {
  return (
    <label
      className={cx(button['button'], button[look], button[size], !children && button['square'], css.label)}
      data-disabled={rest.disabled ?? false}
    >
      {icon}
      {children}
      <input
        type="file"
        multiple
        className={css.input}
        {...rest}
        onChange={(event) => {
          const input = event.currentTarget
          const files = [...(input.files ?? [])].filter((file) => !file.name.startsWith('.'))
          // Cleared, so that the same file can be chosen again.
          input.value = ''
          onFiles(files)
        }}
      />
    </label>
  )
}
