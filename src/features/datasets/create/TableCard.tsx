import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import { MAX_FILE_BYTES } from '../../../contract/limits.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { isToCheck } from '../../../tables/labels.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Check, SelectField, TextField } from '../../../ui/fields/Field.tsx'
import { formatCount, listOf, plural } from '../../../ui/format.ts'
import { typeName } from '../../../tables/type-names.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { useDatasets } from '../context.tsx'
import {
  type DraftFile,
  type DraftTable,
  foundTable,
  publicationOf,
  publicationWords,
  rejectedOf,
} from '../model/draft.ts'
import { ontoOf, otherTypes } from '../model/adding.ts'
import { tableProblems } from '../model/problems.ts'
import type { Creation } from '../store/creation.ts'
import { ColumnEditor } from '../../shared/columns/ColumnEditor.tsx'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { Steps } from '../../../ui/Steps.tsx'
import { type Step, STEPS, type TableRun } from '../model/publish.ts'
import css from './Create.module.css'

interface Props {
  readonly state: Creation
  readonly file: DraftFile
  readonly table: DraftTable
  readonly nameError: string | null
}

/** No table has this name, since names aren't empty. */
const NEW_TABLE = ''

/** A table to publish: name, columns, questions, and progress. */
export function TableCard({ state, file, table, nameError }: Props) {
  const { creation } = useDatasets()
  const [open, setOpen] = useState(false)
  const found = foundTable(file, table)
  const run = state.runs.get(table.id)
  const { into } = state.draft
  const onto = ontoOf(state.draft, table)
  // In a partial dataset, tables that were loaded can't be changed.
  const locked = state.stage !== 'draft' || run?.kind === 'done'
  if (file.state.kind !== 'read' || !found) return null
  const { inspection } = file.state
  const plan = file.state.plan.tables[table.index]
  const included = plan?.columns.filter((column) => column.include).length ?? 0
  const publication = publicationOf(file, table)
  const risky = found.columns.filter((column) => isToCheck(column, plan)).length
  // For a file's only table, the file's name says more than the table's: a sheet may be “Sheet1”, and the name of a
  // stored table isn't meant for people.
  const source = inspection.tables.length > 1 ? found.name : null
  return (
    <div className={css.table}>
      <div className={css.tableHead}>
        <div className={css.tableName}>
          {into ? (
            <SelectField
              label={`Rows of ${source ?? file.file.name} become`}
              error={onto === null ? null : nameError}
              compact
              value={onto ?? NEW_TABLE}
              options={[
                { value: NEW_TABLE, label: 'A new table' },
                ...into.tables.map(({ name }) => ({ value: name, label: `More rows of “${name}”` })),
              ]}
              disabled={locked}
              onChange={(chosen) => creation.setOnto(table.id, chosen === NEW_TABLE ? null : chosen)}
            />
          ) : null}
          {onto === null ? (
            <TextField
              label={`Table from ${source ?? file.file.name}`}
              error={nameError}
              mono
              compact
              value={table.name}
              disabled={locked}
              onChange={(name) => creation.renameTable(table.id, name)}
            />
          ) : null}
        </div>
        <p className={css.tableMeta}>
          <span>
            {plural(found.rows, 'row')} ·{' '}
            {included === found.columns.length
              ? plural(included, 'column')
              : `${formatCount(included)} of ${plural(found.columns.length, 'column')}`}
          </span>
          {publication ? <span className={css.faint}>{publicationWords(publication)}</span> : null}
        </p>
        <Button size="small" look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide columns' : 'Columns'}
          {risky > 0 ? <Badge tone="warn">{risky} to check</Badge> : null}
        </Button>
      </div>
      {run ? <RunLine name={table.name} run={run} /> : null}
      {!run || run.kind === 'failed' ? <Questions state={state} file={file} table={table} /> : null}
      {open ? (
        <div className={css.columns}>
          <ColumnEditor
            label={`Columns of ${table.name}`}
            columns={found.columns}
            plan={plan}
            locked={locked}
            onChange={(column, patch) => creation.setColumn(table, column, patch)}
            onApply={(column, proposal) => creation.applyProposals(file.id, [{ table: table.index, column, proposal }])}
            reading={{
              inspection,
              request: file.request,
              table: found,
              onChange: (patch) => creation.setSettings(file.id, patch, false),
            }}
          />
        </div>
      ) : null}
    </div>
  )
}

const OPENED = 'Convert reads the file as set here, shows all of them, and lets you fix them or save them as a file.'

/** Questions to answer before the table can be published. */
function Questions({ state, file, table }: Omit<Props, 'nameError'>) {
  const { creation, onConvertFiles } = useDatasets()
  const rejected = rejectedOf(file, table)
  const publication = publicationOf(file, table)
  const large = publication?.how === 'parquet' && publication.because === 'size'
  const others = tableProblems(state.draft, table).filter((said) => !/50 MB|rows don’t fit|measured/.test(said))
  return (
    <>
      {others.map((said) => (
        <Notice key={said} tone="bad" flush>
          <p>{said}</p>
        </Notice>
      ))}
      {rejected ? (
        <Notice
          tone="warn"
          flush
          actions={
            onConvertFiles ? (
              <Button
                size="small"
                onClick={() => onConvertFiles([file.file], { request: file.request, edits: file.edits })}
              >
                Open in Convert
              </Button>
            ) : null
          }
        >
          <p>
            <strong>
              {plural(rejected.count, 'row')} {rejected.count === 1 ? 'doesn’t' : 'don’t'} fit the columns.
            </strong>{' '}
            The service loads a table only if every row fits.
          </p>
          <ol className={css.rejects}>
            {rejected.first.slice(0, 3).map((row) => (
              <li key={row.row}>
                {row.line === null ? `Row ${formatCount(row.row)}` : `Line ${formatCount(row.line)}`}: {row.message}
              </li>
            ))}
          </ol>
          <Check
            checked={table.agreed}
            onChange={(agreed) => creation.agree(table.id, agreed)}
            label={`Publish without ${rejected.count === 1 ? 'it' : 'them'}`}
            hint={OPENED}
          />
        </Notice>
      ) : null}
      <OtherTypes state={state} table={table} />
      {large || table.measure.kind !== 'none' ? <Size file={file} table={table} /> : null}
    </>
  )
}

/** Columns with another type in the existing table. The rows that don't fit can be found before uploading. */
function OtherTypes({ state, table }: { readonly state: Creation; readonly table: DraftTable }) {
  const { creation } = useDatasets()
  const columns = otherTypes(state.draft, table)
  if (columns.length === 0) return null
  const listed = listOf(
    columns.map(({ name, type }) => `“${name}” (${typeName(type)})`),
    4,
  )
  return (
    <Notice
      tone="warn"
      flush
      actions={
        <Button
          size="small"
          onClick={() => {
            for (const { index, type } of columns) creation.setColumn(table, index, { type })
          }}
        >
          Read as in the table
        </Button>
      }
    >
      <p>
        <strong>Of another type in the table: {listed}.</strong> A row whose value can’t be read as that is refused, and
        nothing is added. Read as in the table, such rows are shown before anything is sent.
      </p>
    </Notice>
  )
}

/** A file larger than the service accepts, with a button to check whether it fits as Parquet. */
function Size({ file, table }: { readonly file: DraftFile; readonly table: DraftTable }) {
  const { creation } = useDatasets()
  const { measure } = table
  if (measure.kind === 'failed') {
    return <ProblemNotice problem={measure.problem} onRetry={() => void creation.measure(table.id)} />
  }
  if (measure.kind === 'measured') {
    const fits = measure.bytes <= MAX_FILE_BYTES
    return (
      <Notice tone={fits ? 'good' : 'bad'} live="status" flush>
        <p>
          {fits
            ? `As Parquet it’s ${formatBytes(measure.bytes)}: that can be published.`
            : `As Parquet it’s ${formatBytes(measure.bytes)}, still more than 50 MB. Leave out columns, or split the file.`}
        </p>
      </Notice>
    )
  }
  const measuring = measure.kind === 'measuring'
  return (
    <Notice
      tone="warn"
      flush
      actions={
        measuring ? (
          <Button size="small" onClick={() => creation.stopMeasuring(table.id)}>
            Stop
          </Button>
        ) : (
          <Button size="small" look="primary" onClick={() => void creation.measure(table.id)}>
            Publish as Parquet
          </Button>
        )
      }
    >
      <p>
        <strong>{formatBytes(file.file.size)} is more than the service takes: 50 MB.</strong>{' '}
        {measuring ? 'Measuring its size as Parquet.' : 'Parquet is often a tenth of it, with every value the same.'}
      </p>
      {measuring ? <Progress label={`Making ${table.name} as Parquet`} value={measure.progress} /> : null}
    </Notice>
  )
}

const WORDS: Readonly<Record<Step, string>> = { prepare: 'Prepare', sign: 'Sign', upload: 'Upload', load: 'Load' }

/** A table's progress by step, or its result. */
function RunLine({ name, run }: { readonly name: string; readonly run: TableRun }) {
  if (run.kind === 'done') {
    return (
      <div className={css.end} data-tone="good">
        <CircleCheck aria-hidden />
        <div>
          <p>{plural(run.rows, 'row')} loaded</p>
          {run.notes.map((note) => (
            <p key={note} className={css.faint}>
              {note}
            </p>
          ))}
        </div>
      </div>
    )
  }
  if (run.kind === 'failed') {
    return (
      <div className={css.end} data-tone="bad" role="alert">
        <CircleAlert aria-hidden />
        <div>
          <p>
            {run.step === 'load' ? 'Not loaded' : run.step === 'upload' ? 'Not uploaded' : 'Not prepared'}:{' '}
            {run.problem.message}
          </p>
          {run.problem.place ? <p className={css.faint}>Where: {run.problem.place}.</p> : null}
          {run.problem.remedy ? <p className={css.faint}>{run.problem.remedy}</p> : null}
        </div>
      </div>
    )
  }
  const at = run.kind === 'waiting' ? -1 : STEPS.indexOf(run.step)
  return (
    <div className={css.run}>
      <Steps label={`Steps of ${name}`} steps={STEPS.map((step) => WORDS[step])} at={at} />
      {run.kind === 'running' ? <Progress label={`${WORDS[run.step]}: ${name}`} value={run.progress} /> : null}
    </div>
  )
}
