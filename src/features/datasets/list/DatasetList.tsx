import Globe from 'lucide-react/icons/globe'
import { memo, useRef, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { formatBytes } from '../../../lib/bytes.ts'
import { Badge, Tag } from '../../../ui/Badge.tsx'
import { formatCount, formatWhen, plural } from '../../../ui/format.ts'
import { useNarrow } from '../../../ui/hooks/use-media.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useRowsInView } from '../../../ui/table/use-rows-in-view.ts'
import { SIZE_HINT, startsDescending, type Entry, type Filter, type Sort } from '../model/filters.ts'
import css from './List.module.css'

const HEIGHT = 56
const NARROW_HEIGHT = 72
/** Most tags per line. */
const TAGS = 3

interface Props {
  readonly entries: readonly Entry[]
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

/** The list's lines. Only those in view are rendered; arrow keys move between all of them. */
export function DatasetList({ entries, filter, onFilter }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const height = useNarrow() ? NARROW_HEIGHT : HEIGHT
  const now = useNow()
  const [span, scrollTo] = useRowsInView(list, entries.length, height)
  const keyDown = (event: KeyboardEvent): void => {
    const place = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-index]') : null
    const next = place ? nextIndex(event.key, Number(place.dataset['index']), entries.length) : null
    if (next === null) return
    event.preventDefault()
    scrollTo(next)
    focusLine(list.current, next)
  }
  return (
    <div className={css.table}>
      <Heads filter={filter} onFilter={onFilter} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between its links */}
      <ul
        ref={list}
        aria-label="Datasets"
        className={css.list}
        style={{ height: height * entries.length }}
        onKeyDown={keyDown}
      >
        {entries.slice(span.start, span.end).map((entry, i) => (
          <Line
            key={entry.id}
            entry={entry}
            index={span.start + i}
            count={entries.length}
            top={(span.start + i) * height}
            height={height}
            when={formatWhen(entry.createdAt, now)}
          />
        ))}
      </ul>
    </div>
  )
}

function nextIndex(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(count - 1, at + 1)
  if (key === 'ArrowUp') return Math.max(0, at - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** Focuses a line's link, which is only rendered after scrolling to it. */
function focusLine(list: HTMLElement | null, index: number, tries = 10): void {
  const link = list?.querySelector<HTMLElement>(`[data-index="${index}"] a`)
  if (link) link.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusLine(list, index, tries - 1))
}

interface LineProps {
  readonly entry: Entry
  readonly index: number
  readonly count: number
  readonly top: number
  readonly height: number
  readonly when: string
}

const Line = memo(function Line({ entry, index, count, top, height, when }: LineProps) {
  const { id, name, tags, visibility, tables, rows, bytes } = entry
  const words = `${id}-words`
  return (
    <li
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={css.line}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <div className={css.main}>
        <Link to={`/datasets/${encodeURIComponent(id)}`} className={css.name} aria-describedby={words} title={name}>
          {name}
        </Link>
        {visibility === 'public' ? (
          <Badge tone="accent" icon={<Globe aria-hidden />}>
            Public
          </Badge>
        ) : null}
        {tags.slice(0, TAGS).map((tag) => (
          <Tag key={tag} className={css.tag}>
            {tag}
          </Tag>
        ))}
        {tags.length > TAGS ? <Tag className={css.tag}>{`+${tags.length - TAGS}`}</Tag> : null}
      </div>
      <div id={words} className={css.figures}>
        <span className={css.figure}>{plural(tables, 'table')}</span>
        <span className={css.figure}>
          {formatCount(rows)}
          <span className={css.unit}> {rows === 1 ? 'row' : 'rows'}</span>
        </span>
        <span className={css.figure} title={SIZE_HINT}>
          {formatBytes(bytes)}
        </span>
        <span className={css.figure}>{when}</span>
      </div>
    </li>
  )
})

const HEADS: readonly (readonly [Sort | null, string])[] = [
  ['name', 'Name'],
  [null, 'Tables'],
  ['rows', 'Rows'],
  ['size', 'Size'],
  ['created', 'Created'],
]

/** Column headers, which sort the list. */
function Heads({ filter, onFilter }: Omit<Props, 'entries'>) {
  return (
    <div className={css.heads}>
      {HEADS.map(([sort, label]) => {
        if (!sort) return <span key={label}>{label}</span>
        const on = filter.sort === sort
        const descending = on ? !filter.descending : startsDescending(sort)
        const state = on ? (filter.descending ? ', descending' : ', ascending') : ''
        return (
          <button key={label} type="button" data-on={on} onClick={() => onFilter({ ...filter, sort, descending })}>
            <span className="visually-hidden">Sort by </span>
            {label}
            <span className="visually-hidden">{state}</span>
            <span aria-hidden className={css.arrow}>
              {on ? (filter.descending ? '↓' : '↑') : ''}
            </span>
          </button>
        )
      })}
    </div>
  )
}
