import Trash from 'lucide-react/icons/trash-2'
import { IconButton } from '../../../ui/Button.tsx'
import { formatElapsed, formatWhen, plural } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql } from '../context.tsx'
import type { HistoryEntry } from '../types.ts'
import { RecordsPanel } from './RecordsPanel.tsx'
import css from './Panel.module.css'

interface Props {
  /** Opens the statement in a new tab. */
  readonly onOpen: (entry: HistoryEntry) => void
}

const textsOf = ({ text, error }: HistoryEntry): readonly (string | null)[] => [text, error]

/** The list of past statements, latest first. */
export function HistoryPanel({ onOpen }: Props) {
  const { history } = useSql()
  const count = useStore(history, ({ items }) => items?.length ?? 0)
  const now = useNow()
  const clear = async (): Promise<void> => {
    const undo = await history.clear()
    if (undo) toast({ title: 'History cleared', action: { label: 'Undo', run: () => void undo() } })
  }
  return (
    <RecordsPanel
      store={history}
      label="History"
      empty="What you run is listed here, with its time and outcome."
      none="No statements match."
      texts={textsOf}
      action={
        <IconButton label="Clear history" disabled={count === 0} onClick={() => void clear()}>
          <Trash aria-hidden />
        </IconButton>
      }
    >
      {(entry) => (
        <button type="button" className={css.open} title="Open in a new tab" onClick={() => onOpen(entry)}>
          <code className={css.text}>{entry.text.trim().slice(0, 400)}</code>
          <span className={css.facts} data-outcome={entry.outcome}>
            <span title={new Date(entry.startedAt).toLocaleString()}>{formatWhen(entry.startedAt, now)}</span>
            <span>{outcomeWords(entry)}</span>
          </span>
          {entry.error ? <span className={css.error}>{entry.error.slice(0, 200)}</span> : null}
        </button>
      )}
    </RecordsPanel>
  )
}

function outcomeWords({ outcome, rows, milliseconds, where }: HistoryEntry): string {
  const place = where === 'service' ? ' on the service' : ''
  if (outcome === 'failed') return `failed${place}`
  if (outcome === 'cancelled') return `cancelled after ${formatElapsed(milliseconds)}${place}`
  return `${rows === null ? 'done' : plural(rows, 'row')}, ${formatElapsed(milliseconds)}${place}`
}
