import { ReadingFields } from '../../shared/reading/ReadingFields.tsx'
import { Proposals } from '../../shared/proposals/Proposals.tsx'
import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { type ReactNode, useState } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { formatInfo } from '../../../contract/formats.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { AsideNotice } from '../../shared/AsideNotice.tsx'
import { describeSettings, tableCount } from '../../../tables/labels.ts'
import { openProposals } from '../../../tables/proposals.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { CheckedForm } from '../../../ui/fields/CheckedField.tsx'
import { type Mistyped, NONE_MISTYPED } from '../../../ui/fields/mistyped.ts'
import { FormatTile } from '../../../ui/FormatTile.tsx'
import { formatCount, formatWhen, plural } from '../../../ui/format.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { useDatasets } from '../context.tsx'
import { repeatOf, type Repeat } from '../model/adding.ts'
import { isLeftAside, type Draft, type DraftFile } from '../model/draft.ts'
import { nameProblems } from '../model/problems.ts'
import type { Creation } from '../store/creation.ts'
import { TableCard } from './TableCard.tsx'
import css from './Create.module.css'

/** Invalid input in each file's settings, by file id. */
export type MistypedByFile = Readonly<Record<string, Mistyped>>

interface CardsProps {
  readonly state: Creation
  readonly mistyped: MistypedByFile
  readonly onMistyped: (change: (old: MistypedByFile) => MistypedByFile) => void
}

/** The files, each with its tables. */
export function TableCards({ state, mistyped, onMistyped }: CardsProps) {
  const { creation } = useDatasets()
  const { draft } = state
  if (draft.files.length === 0) return null
  const names = nameProblems(draft)
  const locked = state.stage !== 'draft' || state.partial !== null
  return (
    <ul className={css.files} aria-label="Files">
      {draft.files.map((file) => (
        <li key={file.id} className={css.file}>
          <FileHead file={file} state={state} />
          <Reading
            file={file}
            locked={locked}
            mistyped={mistyped[file.id] ?? NONE_MISTYPED}
            onMistyped={(change) => onMistyped((old) => ({ ...old, [file.id]: change(old[file.id] ?? NONE_MISTYPED) }))}
          />
          <FileState file={file} />
          {state.stage === 'draft' ? <Repeated file={file} draft={draft} /> : null}
          {isLeftAside(draft, file) ? (
            <AsideNotice
              effect="It doesn’t become a table of the dataset."
              flush
              disabled={locked}
              onTake={() => creation.includeSheet(file.id, 0, true)}
            />
          ) : (
            <FileProposals file={file} locked={locked} />
          )}
          <Sheets file={file} draft={draft} locked={locked} />
          {draft.tables
            .filter((table) => table.fileId === file.id)
            .map((table) => (
              <TableCard
                key={table.id}
                state={state}
                file={file}
                table={table}
                nameError={names.get(table.id) ?? null}
              />
            ))}
        </li>
      ))}
    </ul>
  )
}

function FileHead({ file, state }: { readonly file: DraftFile; readonly state: Creation }) {
  const { creation } = useDatasets()
  const inspection = file.state.kind === 'read' ? file.state.inspection : null
  return (
    <div className={css.fileHead}>
      <FormatTile format={inspection?.format ?? null} small />
      <div className={css.fileWords}>
        <p className={css.fileName}>{file.file.name}</p>
        <p className={css.faint}>
          {[
            inspection ? formatInfo(inspection.format).displayName : '',
            formatBytes(file.file.size),
            ...(inspection ? describeSettings(inspection.settings) : []),
            inspection && inspection.tables.length > 1 ? tableCount(inspection) : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {state.stage === 'draft' && !state.partial ? (
        <IconButton label={`Remove ${file.file.name}`} onClick={() => creation.remove(file.id)}>
          <X aria-hidden />
        </IconButton>
      ) : null}
    </div>
  )
}

function FileState({ file }: { readonly file: DraftFile }) {
  const { creation } = useDatasets()
  if (file.state.kind === 'failed') {
    return (
      <ProblemNotice
        problem={file.state.problem}
        actions={
          <Button size="small" icon={<RotateCw aria-hidden />} onClick={() => creation.reread(file.id)}>
            Read again
          </Button>
        }
      />
    )
  }
  if (file.state.kind === 'read') return null
  const { progress } = file.state
  return (
    <div className={css.reading}>
      <Progress
        label={`Reading ${file.file.name}`}
        value={progress && progress.totalBytes > 0 ? progress.bytes / progress.totalBytes : null}
      />
      <p className={css.faint}>
        Reading all of it, to be sure of every column{progress ? `: ${plural(progress.rows, 'row')}` : ''}
      </p>
    </div>
  )
}

/** Says before uploading that a file was already added, and asks whether to add it again. */
function Repeated({ file, draft }: { readonly file: DraftFile; readonly draft: Draft }) {
  const { creation } = useDatasets()
  const now = useNow()
  const repeat = file.again ? null : repeatOf(draft, file)
  if (!repeat) return null
  return (
    <Notice
      tone="warn"
      live="status"
      flush
      actions={
        <>
          <Button size="small" onClick={() => creation.remove(file.id)}>
            Leave it out
          </Button>
          <Button size="small" onClick={() => creation.takeAgain(file.id)}>
            {repeat.kind === 'alike' ? 'Add it' : 'Add it again'}
          </Button>
        </>
      }
    >
      <p>{repeatWords(repeat, file.file.name, now)}</p>
    </Notice>
  )
}

function repeatWords(repeat: Repeat, name: string, now: number): ReactNode {
  switch (repeat.kind) {
    case 'twice':
      return (
        <>
          <strong>
            {repeat.name === name ? 'This file is here twice.' : `This is the same file as “${repeat.name}”.`}
          </strong>{' '}
          Every byte is the same, so all of its rows would be there twice.
        </>
      )
    case 'added':
      return (
        <>
          <strong>
            This file was added to “{repeat.table}” before ({formatWhen(repeat.at, now)}).
          </strong>{' '}
          Every byte is the same, so all of its rows would be there twice.
        </>
      )
    case 'alike':
      return (
        <>
          <strong>“{repeat.table}” may hold this file already.</strong> It has the same name, the same columns and the
          same number of rows: {formatCount(repeat.rows)}.
        </>
      )
  }
}

function FileProposals({ file, locked }: { readonly file: DraftFile; readonly locked: boolean }) {
  const { creation } = useDatasets()
  if (file.state.kind !== 'read') return null
  const { inspection, plan } = file.state
  return (
    <Proposals
      flush
      inspection={inspection}
      proposals={openProposals(inspection, plan)}
      locked={locked}
      applied={file.applied}
      onApply={(chosen) => creation.applyProposals(file.id, chosen)}
      onUndo={() => creation.undoProposals(file.id)}
    />
  )
}

interface ReadingProps {
  readonly file: DraftFile
  readonly locked: boolean
  readonly mistyped: Mistyped
  readonly onMistyped: (change: (old: Mistyped) => Mistyped) => void
}

/** A file's settings for reading. */
function Reading({ file, locked, mistyped, onMistyped }: ReadingProps) {
  const { creation } = useDatasets()
  const [open, setOpen] = useState(false)
  if (!file.found) return null
  return (
    <div className={css.reading}>
      <Button
        size="small"
        look="quiet"
        aria-expanded={open}
        aria-label={`Reading options of ${file.file.name}`}
        className={css.toggle}
        onClick={() => setOpen(!open)}
      >
        Reading options
      </Button>
      {open ? (
        <div className={css.columns}>
          <CheckedForm mistyped={mistyped} onMistyped={onMistyped}>
            <ReadingFields
              inspection={file.found}
              request={file.request}
              locked={locked}
              onSettings={(patch, typing) => creation.setSettings(file.id, patch, typing)}
              onFormat={(format) => creation.setFormat(file.id, format)}
              onReset={() => {
                onMistyped(() => NONE_MISTYPED)
                creation.resetSettings(file.id)
              }}
            />
          </CheckedForm>
        </div>
      ) : null}
    </div>
  )
}

interface SheetProps {
  readonly file: DraftFile
  readonly draft: Draft
  readonly locked: boolean
}

/** A workbook's sheets: each chosen one becomes a table. */
function Sheets({ file, draft, locked }: SheetProps) {
  const { creation } = useDatasets()
  if (file.state.kind !== 'read' || file.state.inspection.tables.length < 2) return null
  const chosen = new Set(draft.tables.filter((table) => table.fileId === file.id).map((table) => table.index))
  return (
    <fieldset className={css.sheets} disabled={locked}>
      <legend className="visually-hidden">Tables of {file.file.name}</legend>
      {file.state.inspection.tables.map((sheet, index) => (
        <label key={sheet.name} className={css.sheet}>
          <input
            type="checkbox"
            checked={chosen.has(index)}
            disabled={sheet.columns.length === 0}
            onChange={(event) => creation.includeSheet(file.id, index, event.currentTarget.checked)}
          />
          {sheet.name}
          <span>
            {sheet.columns.length === 0 ? 'empty' : `${plural(sheet.rows, 'row')}${sheet.hidden ? ', hidden' : ''}`}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
