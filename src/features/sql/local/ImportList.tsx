import CircleAlert from 'lucide-react/icons/circle-alert'
import FileClock from 'lucide-react/icons/file-clock'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import X from 'lucide-react/icons/x'
import { IconButton } from '../../../ui/Button.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { useStore } from '../../../ui/use-store.ts'
import { useSql } from '../context.tsx'
import type { Imports, ImportStage, LocalImport } from './imports.ts'
import css from './Local.module.css'

/** Files of this window that are on their way to be local tables. Nothing, when there are none. */
export function ImportList() {
  const { imports } = useSql().local
  const files = useStore(imports)
  if (files.length === 0) return null
  return (
    <ul aria-label="Files being added" className={css.list}>
      {files.map((file) => (
        <ImportLine key={file.id} file={file} imports={imports} />
      ))}
    </ul>
  )
}

function ImportLine({ file, imports }: { readonly file: LocalImport; readonly imports: Imports }) {
  const { id, stage } = file
  const { name } = file.file
  const failed = stage.kind === 'failed'
  return (
    <li className={css.line}>
      <div className={css.head}>
        <span className={css.icon} data-failed={failed}>
          {failed ? <CircleAlert aria-hidden /> : <FileClock aria-hidden />}
        </span>
        <span className={css.name} title={name}>
          {name}
        </span>
        {failed ? (
          <IconButton label={`Try “${name}” again`} className={css.small} onClick={() => void imports.retry(id)}>
            <RotateCcw aria-hidden />
          </IconButton>
        ) : null}
        <IconButton
          label={failed ? `Dismiss “${name}”` : `Cancel adding “${name}”`}
          className={css.small}
          onClick={() => imports.cancel(id)}
        >
          <X aria-hidden />
        </IconButton>
      </div>
      {stage.kind === 'failed' ? (
        <div role="alert" className={css.problem}>
          <p>{stage.problem.message}</p>
          {stage.problem.place ? <p>Where: {stage.problem.place}.</p> : null}
          {stage.problem.remedy ? <p>{stage.problem.remedy}</p> : null}
          {stage.made.length > 0 ? <p>{plural(stage.made.length, 'table')} of it can be queried.</p> : null}
        </div>
      ) : (
        <>
          <Progress label={`Adding “${name}”`} value={shareOf(stage)} />
          <p className={css.words}>{wordsOf(stage)}</p>
        </>
      )}
    </li>
  )
}

type Going = Exclude<ImportStage, { readonly kind: 'failed' }>

/** Reading it through is about half of the work. */
function shareOf(stage: Going): number | null {
  switch (stage.kind) {
    case 'reading':
      return stage.share === null ? null : stage.share / 2
    case 'asking':
      return 0.5
    case 'loading':
      return 0.5 + (stage.table + (stage.share ?? 0)) / stage.tables / 2
  }
}

function wordsOf(stage: Going): string {
  switch (stage.kind) {
    case 'reading':
      return 'Looking at every row'
    case 'asking':
      return 'Some rows don’t fit: waiting for you'
    case 'loading': {
      const table = stage.tables > 1 ? `Table ${stage.table + 1} of ${stage.tables}: ` : ''
      return `${table}${formatCount(stage.rows)} ${stage.rows === 1 ? 'row' : 'rows'} loaded`
    }
  }
}
