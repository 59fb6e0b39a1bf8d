import CircleAlert from 'lucide-react/icons/circle-alert'
import FileClock from 'lucide-react/icons/file-clock'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import X from 'lucide-react/icons/x'
import { IconButton, Button } from '../../../ui/Button.tsx'
import { formatCount, formatDuration, plural } from '../../../ui/format.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useNavigate } from 'react-router'
import { quoteReference } from '../../../lib/duckdb-sql/index.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { inWords } from '../../shared/problem.ts'
import { useSql } from '../context.tsx'
import { canSample } from './samples.ts'
import { importTimeLeft, shareDone, type ImportStage, type LocalImport, type RejectedRows } from './import-stages.ts'
import { explainImport, type Imports } from './imports.ts'
import css from './Local.module.css'
import { RejectedRowsTable } from '../../shared/RejectedRowsTable.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'

/** Files of this window that are being imported. Renders nothing if there are none. */
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
          <Progress label={`Adding “${name}”`} value={shareDone(stage)} />
          <p className={css.words}>{[wordsOf(stage), ...figuresOf(file)].join(' · ')}</p>
          {file.plan === null && file.copies === null && file.sampled !== 'made' && canSample(file.file) ? (
            <SampleButton file={file} imports={imports} />
          ) : null}
        </>
      )}
    </li>
  )
}

/** Offers the first rows while the rest is loading. */
function SampleButton({ file, imports }: { readonly file: LocalImport; readonly imports: Imports }) {
  const { tabs, run } = useSql()
  const navigate = useNavigate()
  const show = async (): Promise<void> => {
    try {
      const table = await imports.sample(file.id)
      if (!table) return
      await tabs.load()
      const tab = tabs.add({ title: table.name, text: `FROM ${quoteReference(['local', table.name])}` })
      void navigate(`/sql/${encodeURIComponent(tab.id)}`)
      void run(tab, { kind: 'all' })
    } catch (error) {
      toast({ title: 'Its first rows can’t be shown', description: inWords(explainImport(error)), tone: 'bad' })
    }
  }
  return (
    <Button size="small" className={css.sample} disabled={file.sampled === 'making'} onClick={() => void show()}>
      Query its first rows
    </Button>
  )
}

type Going = Exclude<ImportStage, { readonly kind: 'failed' }>

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

/** The progress, and the time left. */
function figuresOf(file: LocalImport): string[] {
  const { stage } = file
  const share = stage.kind === 'failed' ? null : shareDone(stage)
  const left = importTimeLeft(file)
  return [
    ...(share === null ? [] : [`${Math.floor(share * 100)} %`]),
    ...(left === null || left < 1000 ? [] : [`${formatDuration(left)} left`]),
  ]
}

/** Asks before rows that don't fit are left out, for one file after another. */
export function RejectedRowsDialog() {
  const { imports } = useSql().local
  const files = useStore(imports)
  const asking = files.find(({ stage }) => stage.kind === 'asking')
  if (asking?.stage.kind !== 'asking') return null
  const { id, file, stage } = asking
  const count = stage.rejectedRows.reduce((sum, table) => sum + table.count, 0)
  const rows = stage.rejectedRows.reduce((sum, table) => sum + table.rows, 0)
  const one = count === 1
  return (
    <Dialog
      key={id}
      open
      size="large"
      title={`${plural(count, 'row')} of “${file.name}” ${one ? 'doesn’t' : 'don’t'} fit`}
      description={`Nothing was added yet. The other ${plural(rows, 'row')} can be queried without ${one ? 'it' : 'them'}; or mend the file first: Convert sets such rows aside as a file of their own.`}
      cancel="Don’t add it"
      onClose={() => imports.cancel(id)}
      action={
        <Button look="primary" onClick={() => imports.agree(id)}>
          {one ? 'Add it without this row' : `Add it without these ${formatCount(count)} rows`}
        </Button>
      }
    >
      {stage.rejectedRows.map((table) => (
        <RejectedTable key={table.table} {...table} />
      ))}
    </Dialog>
  )
}

function RejectedTable({ table, count, first }: RejectedRows) {
  return (
    <section className={css.rejectedRows}>
      {table === null ? null : <h3 className={css.sheet}>{table}</h3>}
      <RejectedRowsTable {...(table === null ? {} : { label: `Rows of “${table}” that don’t fit` })} rows={first} />
      {count > first.length ? (
        <p className={css.words}>
          The first {first.length} of {formatCount(count)}.
        </p>
      ) : null}
    </section>
  )
}
