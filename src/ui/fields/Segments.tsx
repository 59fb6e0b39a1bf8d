import { useId, useState, type ReactNode } from 'react'
import css from './Segments.module.css'

interface SegmentsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly disabled?: boolean
  readonly items: readonly { readonly value: T; readonly label: ReactNode }[]
}

/** A choice of two or three views: radio buttons that look like a switch. */
export function Segments<T extends string>({ label, value, onChange, items, disabled = false }: SegmentsProps<T>) {
  const name = useId()
  // Shown as chosen right away, since `value` may change later, for example when the view has to be loaded first.
  const [pressed, setPressed] = useState<{ readonly next: T; readonly from: T } | null>(null)
  if (pressed && pressed.from !== value) setPressed(null)
  const shown = pressed?.next ?? value
  return (
    <div role="radiogroup" aria-label={label} className={css.group}>
      {items.map((item) => (
        <label key={item.value} className={css.item}>
          <input
            type="radio"
            name={name}
            value={item.value}
            disabled={disabled}
            checked={item.value === shown}
            onChange={() => {
              setPressed({ next: item.value, from: value })
              onChange(item.value)
            }}
          />
          {item.label}
        </label>
      ))}
    </div>
  )
}
