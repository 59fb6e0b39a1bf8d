import Database from 'lucide-react/icons/database'
import { Button } from '../../../../ui/Button.tsx'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import css from '../../parts/Card.module.css'

/** Characters of a statement that are shown where the whole of it isn't. */
const MAX_SHOWN = 120

/** Says that a statement shapes what is written, or will as it was typed, and takes that back. */
export function ShapeLine({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const typed = job.draft?.shape
  const shape = typed ?? job.shape
  if (!shape) return null
  const text = shape.sql.replaceAll(/\s+/g, ' ')
  return (
    <p className={css.split}>
      <Database aria-hidden />
      <span>
        {typed ? 'Converting applies the statement that you typed' : 'Shaped with SQL'}:{' '}
        <code>{text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}</code>
      </span>
      {typed ? (
        <Button size="small" look="quiet" onClick={() => store.setDraft(job.id, null)}>
          Discard it
        </Button>
      ) : (
        <Button size="small" look="quiet" onClick={() => store.setShape(job.id, null)}>
          Write all rows as they are
        </Button>
      )}
    </p>
  )
}
