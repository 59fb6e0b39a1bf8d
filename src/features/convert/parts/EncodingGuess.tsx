import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import { Notice } from '../../../ui/Notice.tsx'
import { useConvert } from '../context.tsx'
import type { Job } from '../model/job.ts'
import css from './Card.module.css'

/** Says that a file's encoding is a guess, with the file's own words in the likeliest ones, to choose from. */
export function EncodingGuess({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const { inspection } = job
  if (!inspection?.notes.some(({ code }) => code === 'encoding-guess') || !('encoding' in inspection.settings))
    return null
  const { kind, encoding } = inspection.settings
  return (
    <Notice tone="warn" live="status" icon={<CircleQuestionMark aria-hidden />}>
      <p>
        <strong>Encoding is a guess.</strong> Choose the one that reads right.
      </p>
      <ul className={css.guesses} aria-label="Encodings">
        {inspection.encodings?.map((candidate) => (
          <li key={candidate.encoding}>
            <button type="button" onClick={() => store.setSettings(job.id, { kind, encoding: candidate.encoding })}>
              <q>{candidate.sample}</q>
              <span>
                {candidate.label}
                {candidate.encoding === encoding ? ', as shown' : ''}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
