import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import css from './ValueDetails.module.css'

/** Children of a nested value that are shown at first, and with each "more". */
const PAGE = 100
/** Levels that are open at first. */
const OPEN = 2

interface JsonTreeProps {
  readonly value: unknown
  readonly name?: string
  readonly depth?: number
}

/** A value of JSON that is opened level by level. */
export function JsonTree({ value, name, depth = 0 }: JsonTreeProps) {
  const [open, setOpen] = useState(depth < OPEN)
  const [count, setCount] = useState(PAGE)
  const label = name === undefined ? null : <span className={css.key}>{name}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div className={css.leaf}>
        {label}
        <Leaf value={value} />
      </div>
    )
  }
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  if (entries.length === 0) {
    return (
      <div className={css.leaf}>
        {label}
        <span className={css.sign}>{isList ? '[ ]' : '{ }'}</span>
      </div>
    )
  }
  return (
    <details className={css.branch} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className={css.sign}>
          {isList ? `[ ${plural(entries.length, 'item')} ]` : `{ ${plural(entries.length, 'field')} }`}
        </span>
      </summary>
      {open ? (
        <div className={css.children}>
          {entries.slice(0, count).map(([key, own]) => (
            <JsonTree key={key} name={key} value={own} depth={depth + 1} />
          ))}
          {entries.length > count ? (
            <Button size="small" look="quiet" onClick={() => setCount(count + PAGE * 10)}>
              Show more of {formatCount(entries.length)}
            </Button>
          ) : null}
        </div>
      ) : null}
    </details>
  )
}

function Leaf({ value }: { readonly value: unknown }) {
  if (value === null) return <span className={css.nullLeaf}>null</span>
  if (typeof value === 'string') return <span className={css.string}>{JSON.stringify(value)}</span>
  return <span className={css.number}>{JSON.stringify(value)}</span>
}
