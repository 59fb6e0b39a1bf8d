import Info from 'lucide-react/icons/info'
import type { Note } from '../../../tables/plan.ts'
import { formatCount } from '../../../ui/format.ts'
import css from './Panel.module.css'

const SHOWN = 8

/** What is to be told about a file that is no error. */
export function Notes({ notes }: { readonly notes: readonly Note[] }) {
  if (notes.length === 0) return null
  return (
    <ul className={css.notes} aria-label="Notes">
      {notes.slice(0, SHOWN).map((note) => (
        <li key={`${note.code} ${note.column ?? ''} ${note.message}`}>
          <Info aria-hidden />
          <span>
            {note.column === undefined ? null : <strong>{note.column}: </strong>}
            {note.message}
          </span>
        </li>
      ))}
      {notes.length > SHOWN ? <li>and {formatCount(notes.length - SHOWN)} more</li> : null}
    </ul>
  )
}
