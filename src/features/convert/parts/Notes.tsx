import { groupNotes } from '../../../tables/changes/note-groups.ts'
import Info from 'lucide-react/icons/info'
import { useMemo } from 'react'
import type { Note } from '../../../tables/plan.ts'
import { formatCount } from '../../../ui/format.ts'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import { Notice } from '../../../ui/Notice.tsx'
import { NoteText } from '../../shared/NoteText.tsx'
import css from '../panels/Panel.module.css'

const SHOWN = 8

/** Notes about a file that aren't errors. Doubts are shown on the card instead. */
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

const SHOWN_DOUBTS = 4

/** Guesses made while reading, to check before converting. */
export function Doubts({ notes }: { readonly notes: readonly Note[] }) {
  const doubts = groupNotes(notes.filter(({ doubt }) => doubt))
  if (doubts.length === 0) return null
  return (
    <Notice tone="warn" live="status" icon={<CircleQuestionMark aria-hidden />}>
      {doubts.slice(0, SHOWN_DOUBTS).map((group) => (
        <p key={`${group.code} ${group.message}`}>
          <NoteText group={group} />
        </p>
      ))}
      {doubts.length > SHOWN_DOUBTS ? <p>and {doubts.length - SHOWN_DOUBTS} more: see Reading.</p> : null}
    </Notice>
  )
}
