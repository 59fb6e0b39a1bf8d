import FilePlus from 'lucide-react/icons/file-plus'
import FlaskConical from 'lucide-react/icons/flask-conical'
import { useRef } from 'react'
import { Link } from 'react-router'
import { sampleFile } from '../../../../tables/sample.ts'
import { Button } from '../../../../ui/Button.tsx'
import type { SchemaTreeProps } from '../../parts.ts'
import css from './Tree.module.css'

/** What could be here, and how it comes here. Nothing, once there are both local files and datasets. */
export function EmptyHints({ schema, status, onAddFiles }: Pick<SchemaTreeProps, 'schema' | 'status' | 'onAddFiles'>) {
  const input = useRef<HTMLInputElement>(null)
  const noDatasets = status === 'ready' && schema.workspaces.length === 0
  if (schema.local.length > 0 && !noDatasets) return null
  return (
    <div className={css.hints}>
      {schema.local.length === 0 ? (
        <section className={css.hint}>
          <h2>Query a file</h2>
          <p>
            Drop a CSV, JSON, Excel, Parquet, Arrow or DuckDB file in this window. It becomes{' '}
            <code>local.its_name</code>, without publishing it.
          </p>
          <div className={css.hintActions}>
            <Button size="small" icon={<FilePlus aria-hidden />} onClick={() => input.current?.click()}>
              Choose files
            </Button>
            <Button
              size="small"
              look="quiet"
              icon={<FlaskConical aria-hidden />}
              onClick={() => onAddFiles([sampleFile()])}
            >
              Use a sample
            </Button>
          </div>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label="Files to query at once"
            onChange={(event) => {
              const files = [...(event.currentTarget.files ?? [])]
              event.currentTarget.value = ''
              onAddFiles(files)
            }}
          />
        </section>
      ) : null}
      {noDatasets ? (
        <section className={css.hint}>
          <h2>Query a dataset</h2>
          <p>Tables that you publish are here for everyone in the workspace, as workspace.dataset.table.</p>
          <Link to="/datasets?new" className={css.hintLink}>
            New dataset
          </Link>
        </section>
      ) : null}
    </div>
  )
}
