import type { ReactNode } from 'react'
import { useId } from 'react'
import css from './Segments.module.css'

export interface SegmentsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly items: readonly { readonly value: T; readonly label: ReactNode }[]
}

/** One of two or three views of the same thing: radio buttons that look like a switch. */
export function Segments<T extends string>({ label, value, onChange, items }: SegmentsProps<T>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={css.group}>
      {items.map((item) => (
        <label key={item.value} className={css.item}>
          <input
            type="radio"
            name={name}
            value={item.value}
            checked={item.value === value}
            onChange={() => onChange(item.value)}
          />
          {item.label}
        </label>
      ))}
    </div>
  )
}
