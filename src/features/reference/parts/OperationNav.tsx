import { useMemo } from 'react'
import { Link } from 'react-router'
import { SelectField } from '../../../ui/fields/Field.tsx'
import type { ReferenceDocument, ReferenceOperation } from '../model/document.ts'
import { Method } from './Method.tsx'
import css from './OperationNav.module.css'

interface Props {
  readonly document: ReferenceDocument
  readonly selected: string | null
  readonly onSelect: (id: string | null) => void
}

/** All operations by topic: a list, or a select on phones. */
export function OperationNav({ document, selected, onSelect }: Props) {
  const groups = useMemo(() => grouped(document.operations), [document])
  return (
    <>
      <nav aria-label="Operations" className={css.nav}>
        <ul className={css.list}>
          <li>
            <Link to="?" className={css.link} aria-current={selected === null ? 'page' : undefined}>
              Overview
            </Link>
          </li>
        </ul>
        {groups.map(([tag, operations]) => (
          <section key={tag} aria-label={tag}>
            <h2 className={css.tag}>{tag}</h2>
            <ul className={css.list}>
              {operations.map(({ id, method, summary }) => (
                <li key={id}>
                  <Link
                    to={`?operation=${encodeURIComponent(id)}`}
                    className={css.link}
                    aria-current={id === selected ? 'page' : undefined}
                  >
                    <Method method={method} />
                    <span className={css.summary}>{summary}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <SelectField
        label="Operation"
        className={css.pick}
        value={selected ?? ''}
        options={[
          { value: '', label: 'Overview' },
          ...document.operations.map(({ id, method, summary }) => ({ value: id, label: `${summary} (${method})` })),
        ]}
        onChange={(id) => onSelect(id === '' ? null : id)}
      />
    </>
  )
}

function grouped(operations: readonly ReferenceOperation[]): readonly (readonly [string, ReferenceOperation[]])[] {
  const groups = new Map<string, ReferenceOperation[]>()
  for (const operation of operations) groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation])
  return [...groups]
}
