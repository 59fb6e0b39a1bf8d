import { useId, type ReactNode } from 'react'
import css from './Settings.module.css'

interface Props {
  readonly title: string
  /** At the right of the title. */
  readonly aside?: ReactNode
  /** Buttons below. */
  readonly foot?: ReactNode
  /** Without padding: for lists that go to the edges. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** A group of settings that belong together. */
export function Card({ title, aside, foot, flush, children }: Props) {
  const id = useId()
  return (
    <section className={css.card} aria-labelledby={id}>
      <div className={css.cardHead}>
        <h3 id={id} className={css.cardTitle}>
          {title}
        </h3>
        {aside}
      </div>
      {flush ? children : <div className={css.cardBody}>{children}</div>}
      {foot ? <div className={css.cardFoot}>{foot}</div> : null}
    </section>
  )
}
