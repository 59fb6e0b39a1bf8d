import { inWords } from '../../../shared/problem.ts'
import { lazy, Suspense } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { allRows, formatCount, plural } from '../../../../ui/format.ts'
import { announce } from '../../../../ui/overlays/announce.tsx'
import { useConvert } from '../../context.tsx'
import { isBusy, nameOf, type Job } from '../../model/job.ts'
import { firstStatement } from '../../model/shaping.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { PreviewTable } from '../PreviewTable.tsx'
import { type Shaped, SHOWN, useShapeResult } from './use-result.ts'
import { type Sample, useEditorSession, useSample, useSchema, useShapable } from './use-sample.ts'
import panel from '../Panel.module.css'
import css from './ShapePanel.module.css'

const SqlEditor = lazy(() => import('../../../shared/sql-editor/Editor.tsx'))

/** One statement between reading and writing, beside its result for the first rows. */
export default function ShapePanel({ job }: { readonly job: Job }) {
  const shapable = useShapable(job)
  const { sample, failure } = useSample(shapable)
  if (!shapable) return <p className={panel.nothing}>A statement can be written once the files are read.</p>
  return (
    <div className={css.panel}>
      {failure ? <FailureNotice failure={failure} /> : null}
      <Shaping job={job} sample={sample} first={firstStatement(shapable.tables)} tables={shapable.tables} />
    </div>
  )
}

interface ShapingProps {
  readonly job: Job
  readonly sample: Sample | null
  /** The editor's initial text. */
  readonly first: string
  readonly tables: NonNullable<Job['shape']>['tables']
}

function Shaping({ job, sample, first, tables }: ShapingProps) {
  const { store } = useConvert()
  const { shape } = job
  const inForce = shape?.sql ?? first
  const sql = job.draft?.sql ?? inForce
  const shaped = useShapeResult(sample, sql)
  const session = useEditorSession(sample)
  const schema = useSchema(sample)
  const isWrong = shaped.isCurrent && shaped.failure !== null
  const locked = isBusy(job)
  const change = (next: string): void => {
    const text = next.trim()
    const changes = text !== '' && text !== inForce
    store.setDraft(job.id, next === inForce ? null : { sql: next, shape: changes ? { sql: text, tables } : null })
  }
  const apply = (): void => {
    if (locked || isWrong) return
    store.setShape(job.id, { sql: sql.trim(), tables })
    announce('The statement is applied.')
  }
  const remove = (): void => {
    store.setShape(job.id, null)
    announce('All rows are written as they are.')
  }
  return (
    <div className={css.halves}>
      <section className={css.statement} aria-label="Statement">
        <div className={css.editor}>
          <Suspense fallback={<div className={panel.waiting} aria-busy />}>
            <SqlEditor
              documentId={`shape ${job.id}`}
              label={`SQL that shapes ${nameOf(job)}`}
              wraps
              hint="Ctrl+Enter applies the statement."
              value={sql}
              onChange={change}
              session={session}
              schema={schema}
              onRun={apply}
              onCancel={() => undefined}
              problems={shaped.isCurrent ? shaped.problems : NO_PROBLEMS}
            />
          </Suspense>
        </div>
        <div className={css.actions}>
          <Button size="small" disabled={locked || isWrong || shape?.sql === sql.trim()} onClick={apply}>
            Apply statement
          </Button>
          {shape ? (
            <Button size="small" look="quiet" disabled={locked} onClick={remove}>
              Write all rows as they are
            </Button>
          ) : null}
          <span className={css.state}>{isWrong && job.draft ? 'It can’t be applied as it is.' : stateOf(job)}</span>
        </div>
      </section>
      <section className={css.result} aria-label="What the statement gives" aria-busy={!shaped.isCurrent}>
        <Result shaped={shaped} sample={sample} />
      </section>
    </div>
  )
}

const NO_PROBLEMS: Shaped['problems'] = []

function stateOf({ shape, draft, stage }: Job): string {
  if (!draft?.shape) return shape ? 'Applied: its result is written.' : 'Not applied: all rows are written as they are.'
  const is = shape ? 'Changed since it was applied' : 'Not applied yet'
  return stage.kind === 'done' ? `${is}.` : `${is}: converting applies it.`
}

function Result({
  shaped,
  sample,
}: {
  readonly shaped: ReturnType<typeof useShapeResult>
  readonly sample: Sample | null
}) {
  const { result, failure, problems, isCurrent } = shaped
  if (failure && isCurrent) {
    // What the editor underlines is also reported in words.
    const said = problems.length > 0
    return (
      <p className={css.failure}>{said ? 'There are rows to show once the statement is right.' : inWords(failure)}</p>
    )
  }
  if (!result || !sample) return <p className={panel.nothing}>Reading the first rows…</p>
  return (
    <>
      <PreviewTable preview={result} dim={!isCurrent} label="Preview of the statement" />
      <p className={panel.foot}>
        <span>{countOf(result)}</span>
        <span>{basisOf(sample)}</span>
      </p>
    </>
  )
}

function countOf({ count, more }: NonNullable<Shaped['result']>): string {
  if (more) return `The first ${SHOWN} of more than ${formatCount(count)} rows`
  if (count === 0) return 'No rows'
  return count > SHOWN ? `The first ${SHOWN} of ${plural(count, 'row')}` : allRows(count)
}

/** Says which rows the preview is based on. */
function basisOf({ tables }: Sample): string {
  const cut = tables.filter(({ isWhole }) => !isWhole)
  if (cut.length === 0) {
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return `Made of all ${plural(rows, 'row')} of the file.`
  }
  const each = cut.map(({ named, rows, total }) => {
    const all = total === null ? '' : ` of ${formatCount(total)}`
    return `the first ${formatCount(rows)}${all} rows of ${named.name}`
  })
  return `Made of ${each.join(', ')}. Converting uses all of them.`
}
