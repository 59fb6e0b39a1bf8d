import Database from 'lucide-react/icons/database'
import { Button } from '../../../../ui/Button.tsx'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import css from '../../parts/Card.module.css'

/** Characters of a statement in the summary. */
const MAX_SHOWN = 120

/** Says that a statement is applied, or will be as typed, with a button to remove it. */
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
