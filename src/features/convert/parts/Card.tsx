import DatabaseArrowUp from 'lucide-react/icons/database-arrow-up'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Trash from 'lucide-react/icons/trash-2'
import { useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { FormatId } from '../../../contract/formats.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { FormatTile } from '../../../ui/FormatTile.tsx'
import { MoreMenu, type MenuEntry } from '../../../ui/overlays/Menu.tsx'
import { useNarrow } from '../../../ui/hooks/use-media.ts'
import css from './Card.module.css'

interface Props {
  readonly id: string
  readonly name: string
  readonly format: FormatId | null
  /** A few facts, each in a few words. */
  readonly meta: readonly string[]
  readonly stage: string
  readonly open: boolean
  /** The checkbox that selects it. */
  readonly select?: ReactNode
  readonly onToggle?: (() => void) | undefined
  readonly onRemove: () => void
  readonly onPublish?: (() => void) | undefined
  readonly onQuery?: (() => void) | undefined
  /** Further actions, in a menu. */
  readonly more?: readonly MenuEntry[]
  /** The next step. */
  readonly controls: ReactNode
  readonly children: ReactNode
}

/* The label is the accessible name, which must begin with the visible word. */
const QUERY = { key: 'query', label: 'Query it', word: 'Query', icon: <SquareTerminal aria-hidden /> }
const PUBLISH = {
  key: 'publish',
  label: 'Publish it as a dataset',
  word: 'Publish',
  icon: <DatabaseArrowUp aria-hidden />,
}

/** A card for a file in the queue: facts, actions, and below them messages and details. */
export function Card(props: Props) {
  const { stage, open, children } = props
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={css.card} data-stage={stage} data-folded={!open}>
      <Header {...props} heading={heading} />
      {children}
    </section>
  )
}

function Header(props: Omit<Props, 'stage' | 'children'> & { readonly heading: string }) {
  const { id, heading, name, format, meta, open, select, onToggle, onRemove, onPublish, onQuery, controls } = props
  const { more = [] } = props
  const narrow = useNarrow()
  const actions = [
    ...(onQuery ? [{ ...QUERY, onSelect: onQuery }] : []),
    ...(onPublish ? [{ ...PUBLISH, onSelect: onPublish }] : []),
  ]
  // On a narrow screen, five icons would leave no room for a name, and touch screens don't show icons' titles.
  const folded: readonly MenuEntry[] = narrow ? actions : []
  const items = [...folded, ...(folded.length > 0 && more.length > 0 ? (['line'] as const) : []), ...more]
  return (
    <header className={css.header}>
      <div className={css.lead}>
        {select}
        <FormatTile format={format} />
      </div>
      <div className={css.names}>
        <h2 id={heading} className={css.name}>
          <Link to={`/convert/${id}`} title={name}>
            {name}
          </Link>
        </h2>
        <Facts>
          {meta.map((word) => (
            <span key={word}>{word}</span>
          ))}
        </Facts>
      </div>
      <div className={css.controls}>{controls}</div>
      <div className={css.corner}>
        {narrow
          ? null
          : actions.map((action) => (
              <Button
                key={action.key}
                look="quiet"
                size="small"
                aria-label={action.label}
                icon={action.icon}
                onClick={action.onSelect}
              >
                <span className={css.word}>{action.word}</span>
              </Button>
            ))}
        {items.length > 0 ? <MoreMenu items={items} /> : null}
        {onToggle ? (
          <IconButton label={open ? 'Hide details' : 'Show details'} aria-expanded={open} onClick={onToggle}>
            <ChevronDown aria-hidden className={css.chevron} data-open={open} />
          </IconButton>
        ) : null}
        <IconButton label="Remove" onClick={onRemove}>
          <Trash aria-hidden />
        </IconButton>
      </div>
    </header>
  )
}
