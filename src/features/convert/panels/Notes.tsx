import Info from 'lucide-react/icons/info'
import { useMemo } from 'react'
import type { Note } from '../../../tables/plan.ts'
import { formatCount } from '../../../ui/format.ts'
import { groupNotes } from '../model/notes.ts'
import { NoteText } from '../parts/NoteText.tsx'
import css from './Panel.module.css'

const SHOWN = 8

/** What is to be told about a file that is no error. What was guessed, the card tells. */
export function Notes({ notes }: { readonly notes: readonly Note[] }) {
  const groups = useMemo(() => groupNotes(notes.filter(({ doubt }) => !doubt)), [notes])
  if (groups.length === 0) return null
  return (
    <ul className={css.notes} aria-label="Notes">
      {groups.slice(0, SHOWN).map((group) => (
        <li key={`${group.code} ${group.message}`}>
          <Info aria-hidden />
          <NoteText group={group} />
        </li>
      ))}
      {groups.length > SHOWN ? <li>and {formatCount(groups.length - SHOWN)} more</li> : null}
    </ul>
  )
}
