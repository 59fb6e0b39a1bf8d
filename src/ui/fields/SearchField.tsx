import Search from 'lucide-react/icons/search'
import type { ComponentProps } from 'react'
import { cx } from '../cx.ts'
import { TextInput } from './Field.tsx'
import css from './SearchField.module.css'

interface SearchFieldProps extends Omit<ComponentProps<typeof TextInput>, 'className' | 'aria-label' | 'type'> {
  /** What is searched: the field's accessible name and placeholder. */
  readonly label: string
  readonly className?: string | undefined
}

/** A field for searching a list. */
export function SearchField({ label, className, ...input }: SearchFieldProps) {
  return (
    <div className={cx(css.search, className)}>
      <Search aria-hidden />
      <TextInput type="search" aria-label={label} placeholder={label} {...input} className={css.input} />
    </div>
  )
}
