import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import css from './Tabs.module.css'

export interface TabItem<T extends string> {
  readonly value: T
  readonly label: string
  /** A count or a dot after the label. */
  readonly note?: ReactNode
  readonly tone?: 'warn' | 'bad'
  readonly panel: () => ReactNode
}

interface TabsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly items: readonly TabItem<T>[]
}

/** Panels of which one is shown. Only that one is rendered. */
export function Tabs<T extends string>({ label, value, onChange, items }: TabsProps<T>) {
  return (
    <Base.Root value={value} onValueChange={(next: T) => onChange(next)} className={css.root}>
      <Base.List aria-label={label} className={css.list} activateOnFocus={false}>
        {items.map((item) => (
          <Base.Tab
            key={item.value}
            value={item.value}
            className={css.tab}
            // A press is enough: what is above may change and move the tab before it's released, so that no click comes.
            // The field that was left has its value by now.
            onFocus={(event) => (event.currentTarget.matches(':active') ? onChange(item.value) : undefined)}
          >
            {item.label}
            {item.note === undefined ? null : (
              <span className={css.note} data-tone={item.tone}>
                {item.note}
              </span>
            )}
          </Base.Tab>
        ))}
        <Base.Indicator className={css.indicator} renderBeforeHydration />
      </Base.List>
      {items.map((item) => (
        <Base.Panel key={item.value} value={item.value} className={css.panel}>
          {item.value === value ? item.panel() : null}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
