import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import type { Note } from '../../../tables/plan.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { groupNotes } from '../model/notes.ts'
import { NoteText } from './NoteText.tsx'

const SHOWN = 4

/** What reading had to guess: to be looked at before the file is converted. */
export function Doubts({ notes }: { readonly notes: readonly Note[] }) {
  const doubts = groupNotes(notes.filter(({ doubt }) => doubt))
  if (doubts.length === 0) return null
  return (
    <Notice tone="warn" live="status" icon={<CircleQuestionMark aria-hidden />}>
      {doubts.slice(0, SHOWN).map((group) => (
        <p key={`${group.code} ${group.message}`}>
          <NoteText group={group} />
        </p>
      ))}
      {doubts.length > SHOWN ? <p>and {doubts.length - SHOWN} more: see Reading.</p> : null}
    </Notice>
  )
}
