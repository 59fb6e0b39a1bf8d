import DatabaseArrowUp from 'lucide-react/icons/database-arrow-up'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Trash from 'lucide-react/icons/trash-2'
import { Link } from 'react-router'
import type { ReactNode } from 'react'
import type { FormatId } from '../../../contract/formats.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { FormatTile } from '../../../ui/FormatTile.tsx'
import css from './Card.module.css'

interface Props {
  readonly id: string
  /** Id of the heading that names the card. */
  readonly heading: string
  readonly name: string
  readonly format: FormatId | null
  readonly meta: ReactNode
  readonly open: boolean
  /** What selects it. */
  readonly select?: ReactNode
  readonly onToggle?: (() => void) | undefined
  readonly onRemove: () => void
  readonly onPublish?: (() => void) | undefined
  readonly onQuery?: (() => void) | undefined
  /** A menu of what else can be done. */
  readonly menu?: ReactNode
  readonly children?: ReactNode
}

export function CardHeader(props: Props) {
  const { id, heading, name, format, meta, open, select, onToggle, onRemove, onPublish, onQuery, menu, children } =
    props
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
        {meta}
      </div>
      <div className={css.controls}>{children}</div>
      <div className={css.corner}>
        {onQuery ? (
          <Action label="Query it" word="Query" icon={<SquareTerminal aria-hidden />} onClick={onQuery} />
        ) : null}
        {onPublish ? (
          <Action
            label="Publish it as a dataset"
            word="Publish"
            icon={<DatabaseArrowUp aria-hidden />}
            onClick={onPublish}
          />
        ) : null}
        {menu}
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

interface ActionProps {
  /** Its name; it begins with the word. */
  readonly label: string
  /** What is shown where there's room. */
  readonly word: string
  readonly icon: ReactNode
  readonly onClick: () => void
}

function Action({ label, word, icon, onClick }: ActionProps) {
  return (
    <Button look="quiet" size="small" aria-label={label} icon={icon} onClick={onClick}>
      <span className={css.word}>{word}</span>
    </Button>
  )
}
