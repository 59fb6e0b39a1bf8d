import Trash from 'lucide-react/icons/trash-2'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { TextInput } from '../../../ui/Field.tsx'
import { formatElapsed, formatWhen, plural } from '../../../ui/format.ts'
import { toast } from '../../../ui/toasts.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useStore } from '../../../ui/use-store.ts'
import { useSql } from '../context.tsx'
import type { HistoryEntry } from '../types.ts'
import { found } from './search.ts'
import css from './Panel.module.css'

/** Entries that are on the page at first, and with each "Show more". */
const PAGE = 50

interface Props {
  /** Opens the statement in a tab of its own. */
  readonly onOpen: (entry: HistoryEntry) => void
}

/** Statements that were run, the latest first. */
export function HistoryPanel({ onOpen }: Props) {
  const { history } = useSql()
  const { items, problem } = useStore(history)
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(PAGE)
  const words = useDeferredValue(search)
  useEffect(() => void history.load(), [history])
  const matching = useMemo(() => (items ?? []).filter((entry) => found(words, entry.text, entry.error)), [items, words])
  const clear = async (): Promise<void> => {
    const undo = await history.clear()
    if (undo) toast({ title: 'History cleared', action: { label: 'Undo', run: () => void undo() } })
  }
  return (
    <div className={css.panel}>
      <div className={css.head}>
        <TextInput
          type="search"
          compact
          aria-label="Search history"
          placeholder="Search history"
          value={search}
          onChange={(next) => {
            setSearch(next)
            setMost(PAGE)
          }}
        />
        <IconButton label="Clear history" disabled={!items || items.length === 0} onClick={() => void clear()}>
          <Trash aria-hidden />
        </IconButton>
      </div>
      {problem ? (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      ) : null}
      {items && matching.length === 0 ? (
        <p className={css.nothing}>
          {items.length === 0
            ? 'What you run is listed here, with its time and what came of it.'
            : 'Nothing like that was run.'}
        </p>
      ) : null}
      <ul className={css.list} aria-label="History">
        {matching.slice(0, most).map((entry) => (
          <Entry key={entry.id} entry={entry} onOpen={() => onOpen(entry)} />
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

function Entry({ entry, onOpen }: { readonly entry: HistoryEntry; readonly onOpen: () => void }) {
  const { text, startedAt, outcome, error } = entry
  const now = useNow()
  return (
    <li className={css.entry}>
      <button type="button" className={css.open} title="Open in a new tab" onClick={onOpen}>
        <code className={css.text}>{text.trim().slice(0, 400)}</code>
        <span className={css.facts} data-outcome={outcome}>
          <span title={new Date(startedAt).toLocaleString()}>{formatWhen(startedAt, now)}</span>
          <span>{outcomeWords(entry)}</span>
        </span>
        {error ? <span className={css.error}>{error.slice(0, 200)}</span> : null}
      </button>
    </li>
  )
}

function outcomeWords({ outcome, rows, milliseconds, where }: HistoryEntry): string {
  const place = where === 'service' ? ' on the service' : ''
  if (outcome === 'failed') return `failed${place}`
  if (outcome === 'cancelled') return `cancelled after ${formatElapsed(milliseconds)}${place}`
  return `${rows === null ? 'done' : plural(rows, 'row')}, ${formatElapsed(milliseconds)}${place}`
}
