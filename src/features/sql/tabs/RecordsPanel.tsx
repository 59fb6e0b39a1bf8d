import { useDeferredValue, useEffect, useMemo, useState, type ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { SearchField } from '../../../ui/fields/SearchField.tsx'
import { plural } from '../../../ui/format.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import type { RecordsStore } from './records.ts'
import css from './Panel.module.css'

/** Entries shown initially, and with each "Show more". */
const PAGE = 50

interface Props<T extends { readonly id: string }> {
  readonly store: RecordsStore<T>
  /** Name of the list, also used for the search field. */
  readonly label: string
  /** Shown if the list is empty. */
  readonly empty: string
  /** Shown if the search finds nothing. */
  readonly none: string
  /** The searched texts of an entry. */
  readonly texts: (item: T) => readonly (string | null)[]
  readonly children: (item: T) => ReactNode
  /** Shown beside the search field. */
  readonly action?: ReactNode
}

/** A searchable list of stored records. */
export function RecordsPanel<T extends { readonly id: string }>(props: Props<T>) {
  const { store, label, texts, children } = props
  const { items, problem } = useStore(store)
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(PAGE)
  const words = useDeferredValue(search)
  useEffect(() => void store.load(), [store])
  const matching = useMemo(() => (items ?? []).filter((item) => found(words, ...texts(item))), [items, words, texts])
  return (
    <div className={css.panel}>
      <div className={css.head}>
        <SearchField
          compact
          label={`Search ${label.toLowerCase()}`}
          value={search}
          onChange={(next) => {
            setSearch(next)
            setMost(PAGE)
          }}
        />
        {props.action}
      </div>
      {problem ? (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      ) : null}
      {items && matching.length === 0 ? (
        <p className={css.nothing}>{items.length === 0 ? props.empty : props.none}</p>
      ) : null}
      <ul className={css.list} aria-label={label}>
        {matching.slice(0, most).map((item) => (
          <li key={item.id} className={css.entry}>
            {children(item)}
          </li>
        ))}
      </ul>
      {matching.length > most ? (
        <Button look="quiet" size="small" className={css.more} onClick={() => setMost(most + PAGE * 2)}>
          Show more of {plural(matching.length, 'statement')}
        </Button>
      ) : null}
    </div>
  )
}

/** Whether every search word is in one of the texts, ignoring case. */
export function found(search: string, ...texts: readonly (string | null)[]): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const all = texts
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase()
  return words.every((word) => all.includes(word))
}
