import { canCreate } from '../model/access.ts'
import FlaskConical from 'lucide-react/icons/flask-conical'
import Plus from 'lucide-react/icons/plus'
import { useSession } from '../../../session/context.tsx'
import { sampleFile } from '../../../tables/sample.ts'
import { Button } from '../../../ui/Button.tsx'
import { Points } from '../../../ui/Points.tsx'
import { useDatasets } from '../context.tsx'
import css from './EmptyList.module.css'

const POINTS = [
  {
    title: 'Files become tables',
    text: 'CSV, JSON, Excel, Parquet: each file is a table, each sheet too. Types are detected from every row, and yours to correct.',
  },
  {
    title: 'Loaded whole, or not at all',
    text: 'Each table shows whether it loaded. One that fails says why, and can be retried alone.',
  },
  {
    title: 'Open to programs',
    text: 'Every dataset answers to SQL over the API. It’s private until you make it public.',
  },
] as const

/** The list without datasets: explains what they are, with a sample to try. */
export function EmptyList({ onNew }: { readonly onNew: () => void }) {
  const { scopes } = useSession()
  const { creation } = useDatasets()
  const allowed = canCreate(scopes)
  return (
    <section className={css.empty} aria-label="No datasets yet">
      <div className={css.card}>
        <h2 className={css.title}>Keep tables together and query them.</h2>
        <p className={css.lead}>
          A dataset is a set of tables with a name. It’s kept after you close the page, and can be browsed, queried and
          shared.
        </p>
        <div className={css.actions}>
          <Button look="primary" size="large" icon={<Plus aria-hidden />} disabled={!allowed} onClick={onNew}>
            Create the first one
          </Button>
          <Button
            size="large"
            icon={<FlaskConical aria-hidden />}
            disabled={!allowed}
            onClick={() => {
              creation.addFiles([sampleFile()])
              onNew()
            }}
          >
            Try with a sample file
          </Button>
        </div>
      </div>
      <Points heading="h3" points={POINTS} />
    </section>
  )
}
