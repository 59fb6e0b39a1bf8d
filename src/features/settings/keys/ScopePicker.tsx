import { useId, useMemo, useState } from 'react'
import { scrollable } from '../../../ui/table/DataTable.tsx'
import { cx } from '../../../ui/cx.ts'
import { SearchField } from '../../../ui/fields/SearchField.tsx'
import { describeScopes, NO_ACCESS, scopesOf, withAccess, type Access, type Choice } from './scopes.ts'
import { useDatasetNames } from '../use-console.ts'
import own from './Keys.module.css'

interface Props {
  readonly choice: Choice
  readonly onChange: (choice: Choice) => void
  readonly error: string | null
}

/** Most datasets to list; others are found by searching. */
const LISTED = 200

/** Chooses what a key may do, with all datasets or with single ones. */
export function ScopePicker({ choice, onChange, error }: Props) {
  const names = useDatasetNames()
  const [wanted, setWanted] = useState('')
  const errorId = useId()
  const found = useMemo(() => {
    const words = wanted.trim().toLowerCase()
    return Array.from(names).filter(([, name]) => name.toLowerCase().includes(words))
  }, [names, wanted])
  return (
    <fieldset className={own.picker} aria-describedby={error ? errorId : undefined}>
      <legend className={own.legend}>What it may do</legend>
      <div className={own.grid}>
        <Line
          className={own.first}
          name="All datasets"
          hint="Including future ones; writing creates and deletes"
          access={choice.all}
          onChange={(all) => onChange({ ...choice, all })}
        />
        {names.size > 8 ? (
          <div className={own.find}>
            <SearchField compact label="Find a dataset" value={wanted} onChange={setWanted} />
          </div>
        ) : null}
        {names.size > 0 ? (
          <div className={own.scroll} {...scrollable('Datasets')}>
            {found.slice(0, LISTED).map(([id, name]) => (
              <Line
                key={id}
                name={name}
                access={choice.datasets.get(id) ?? NO_ACCESS}
                given={choice.all}
                onChange={(access) => onChange(withAccess(choice, id, access))}
              />
            ))}
            {found.length === 0 ? <p className={own.none}>No datasets match “{wanted}”.</p> : null}
            {found.length > LISTED ? (
              <p className={own.none}>{found.length - LISTED} more: search to find them.</p>
            ) : null}
          </div>
        ) : null}
      </div>
      {error ? (
        <p id={errorId} role="alert" className={own.error}>
          {error}
        </p>
      ) : (
        <p className={own.summary} aria-live="polite">
          The key{' '}
          {describeScopes(scopesOf(choice), (id) => names.get(id))
            .replace(/^./, (first) => first.toLowerCase())
            .replace(/^nothing$/, 'may do nothing yet')}
          .
        </p>
      )}
    </fieldset>
  )
}

interface LineProps {
  readonly name: string
  readonly hint?: string
  readonly access: Access
  /** Access that it has anyway. */
  readonly given?: Access
  readonly onChange: (access: Access) => void
  readonly className?: string | undefined
}

function Line({ name, hint, access, given = NO_ACCESS, onChange, className }: LineProps) {
  return (
    <fieldset className={cx(own.line, className)} aria-label={name}>
      <span className={own.lineName} title={name}>
        {name}
        {hint ? <small>{hint}</small> : null}
      </span>
      <label>
        <input
          type="checkbox"
          checked={access.read || given.read}
          disabled={given.read}
          onChange={(event) => onChange({ ...access, read: event.currentTarget.checked })}
        />
        Read
      </label>
      <label>
        <input
          type="checkbox"
          checked={access.write || given.write}
          disabled={given.write}
          onChange={(event) => onChange({ ...access, write: event.currentTarget.checked })}
        />
        Write
      </label>
    </fieldset>
  )
}
