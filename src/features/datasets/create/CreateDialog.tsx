import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import FilePlus from 'lucide-react/icons/file-plus'
import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { explain, inWords } from '../../shared/problem.ts'
import { canCreate, canWrite, NO_ADD, NO_CREATE } from '../model/access.ts'
import { useEffect, useId, useState } from 'react'
import { READABLE } from '../../../contract/formats.ts'
import { useSession } from '../../../session/context.tsx'
import { plural } from '../../../ui/format.ts'
import { announce } from '../../../ui/overlays/announce.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useCreation, useDatasets } from '../context.tsx'
import { isEmpty } from '../model/draft.ts'
import { draftProblem } from '../model/problems.ts'
import { datasetKey, useEntries, useLimitReason } from '../queries.ts'
import { nameProblem } from '../model/names.ts'
import type { Spot } from '../model/placed-problem.ts'
import type { Creation, PartialDataset } from '../store/creation.ts'
import { DatasetFields } from '../DatasetFields.tsx'
import { mistakesIn, NONE_MISTYPED } from '../../../ui/fields/mistyped.ts'
import { type MistypedByFile, TableCards } from './TableCards.tsx'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useNavigate } from 'react-router'
import { Notice } from '../../../ui/Notice.tsx'
import { SelectField } from '../../../ui/fields/Field.tsx'
import { FileButton } from '../../../ui/fields/FileButton.tsx'
import { withUnpacked } from '../../shared/archives.ts'
import { UnfinishedNotice } from './UnfinishedNotice.tsx'
import css from './Create.module.css'

/** The dialog for a new dataset, or for adding tables to one: files, tables, name, and progress. */
export default function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { creation, unfinished } = useDatasets()
  const state = useCreation()
  const { draft, stage, partial, problem } = state
  const [asking, setAsking] = useState(false)
  const [mistyped, setMistyped] = useState<MistypedByFile>({})
  const reason = useReason(state, mistyped)
  useProgressAnnounced(state)
  const running = stage !== 'draft'
  // Hidden at once when it's over: the address changes a moment later, and until then it would be empty.
  const [ran, setRan] = useState(false)
  if (running && !ran) setRan(true)
  const [discarded, setDiscarded] = useState(false)
  const close = (): void => {
    if (running || !isEmpty(draft)) setAsking(true)
    else discard()
  }
  const discard = (): void => {
    creation.reset()
    unfinished.forget()
    setDiscarded(true)
    onClose()
  }
  if (discarded || (ran && !running && isEmpty(draft))) return null
  return (
    <>
      <Dialog
        size="large"
        title={titleOf(state)}
        description={
          running
            ? null
            : draft.into
              ? 'Each file becomes a new table, or more rows of one. Nothing is sent before you add it.'
              : 'Each file becomes a table. Nothing is sent before you create it.'
        }
        open
        onClose={close}
        cancel="Close"
        foot={running ? null : <output>{reason}</output>}
        action={<Actions state={state} reason={reason} />}
      >
        <div className={css.form} data-running={running}>
          <UnfinishedNotice />
          {partial && !running ? <PartialNotice partial={partial} /> : null}
          {problem?.spot === 'form' ? <ProblemNotice problem={problem.problem} /> : null}
          <AddFiles disabled={running || partial !== null} large={draft.files.length === 0} />
          {draft.files.length > 0 && partial === null ? <Destination state={state} /> : null}
          <TableCards state={state} mistyped={mistyped} onMistyped={setMistyped} />
          {draft.into ? null : (
            <DatasetFields
              values={draft}
              errors={errorsOf(state)}
              disabled={running || partial !== null}
              onChange={(change) => creation.setDetails(change)}
            />
          )}
        </div>
      </Dialog>
      {asking ? <Leaving state={state} onStay={() => setAsking(false)} onDiscard={discard} onLater={onClose} /> : null}
    </>
  )
}

function titleOf({ draft, stage, partial }: Creation): string {
  const { into, name } = draft
  if (stage !== 'draft') return into ? `Adding to “${into.name}”` : `Creating “${name}”`
  if (into) return `Add to “${into.name}”`
  return partial ? `“${partial.name}” is incomplete` : 'New dataset'
}

function Actions({ state, reason }: { readonly state: Creation; readonly reason: string | null }) {
  const { creation } = useDatasets()
  if (state.stage !== 'draft') {
    return (
      <Button disabled={state.stage === 'cancelling'} onClick={() => creation.cancel()}>
        {state.stage === 'cancelling' ? 'Cancelling…' : 'Cancel'}
      </Button>
    )
  }
  return (
    <Button look="primary" disabled={reason !== null} onClick={() => void creation.publish()}>
      {state.draft.into ? 'Add to dataset' : state.partial ? 'Retry failed' : 'Create dataset'}
    </Button>
  )
}

/** Why it can't be created now; null if it can. */
function useReason({ draft }: Creation, mistyped: MistypedByFile): string | null {
  const { scopes } = useSession()
  const limit = useLimitReason()
  const isMoving = useIsMutating({ mutationKey: MOVE }) > 0
  if (!canCreate(scopes)) return draft.into ? NO_ADD : NO_CREATE
  // Until it's opened, the files would still go where they were to go before.
  if (isMoving) return 'Opening the chosen dataset…'
  const [mistake] = draft.files.flatMap(({ id }) => mistakesIn(mistyped[id] ?? NONE_MISTYPED))
  return draftProblem(draft) ?? mistake ?? limit
}

/** The service's errors, by field. */
function errorsOf({ draft, problem }: Creation): Partial<Record<Spot, string>> {
  const wrong = draft.name === '' ? null : nameProblem(draft.name)
  return { ...(wrong ? { name: wrong } : {}), ...(problem ? { [problem.spot]: problem.problem.message } : {}) }
}

interface LeavingProps {
  readonly state: Creation
  readonly onStay: () => void
  readonly onDiscard: () => void
  readonly onLater: () => void
}

function Leaving({ state, onStay, onDiscard, onLater }: LeavingProps) {
  if (state.stage !== 'draft') {
    return (
      <ConfirmDialog
        open
        title={state.draft.into ? 'It’s still being added' : 'It’s still being created'}
        action="Close the window"
        cancel="Stay"
        onConfirm={onLater}
        onClose={onStay}
      >
        <p>It continues in the background while this page is open, and a message says when it’s done.</p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      open
      danger
      title={
        state.partial
          ? 'Leave it without the failed tables?'
          : state.draft.into
            ? 'Discard what you entered?'
            : 'Discard this dataset?'
      }
      action={state.partial ? 'Keep it without them' : 'Discard'}
      cancel="Go on editing"
      onConfirm={onDiscard}
      onClose={onStay}
    >
      <p>
        {state.partial
          ? `“${state.partial.name}” stays as it is. The tables that failed would have to be added as a new dataset.`
          : 'The files on your disk stay as they are. What you entered and corrected here is lost.'}
      </p>
    </ConfirmDialog>
  )
}

/** Announces progress and the outcome to assistive technology. */
function useProgressAnnounced({ draft, stage, partial, runs, problem }: Creation): void {
  const adding = draft.into !== null
  const failed = [...runs.values()].filter((run) => run.kind === 'failed').length
  useEffect(() => {
    if (stage === 'running') announce(adding ? 'Adding to the dataset' : 'Creating the dataset')
    if (stage === 'cancelling') announce('Cancelling')
  }, [stage, adding])
  useEffect(() => {
    if (stage === 'draft' && partial && failed > 0) announce(`${plural(failed, 'table')} failed`)
  }, [stage, partial, failed])
  useEffect(() => {
    if (problem && problem.spot === 'name') document.querySelector<HTMLElement>('[data-field=dataset-name]')?.focus()
  }, [problem])
}

/** Says that the dataset was created without some of its tables, and offers what can be done. */
function PartialNotice({ partial }: { readonly partial: PartialDataset }) {
  const { creation } = useDatasets()
  const navigate = useNavigate()
  return (
    <Notice
      tone="warn"
      live="alert"
      flush
      icon={<TriangleAlert aria-hidden />}
      actions={
        <Button
          size="small"
          onClick={() => {
            creation.reset()
            void navigate(`/datasets/${encodeURIComponent(partial.id)}`, { replace: true })
          }}
        >
          Keep it without them
        </Button>
      }
    >
      <p>
        <strong>Some tables weren’t loaded.</strong> The others are in “{partial.name}” already.
      </p>
      <p>
        Correct what failed below, then retry: only that is uploaded again. The whole dataset takes the place of this
        one when every table is loaded, and not before.
      </p>
    </Notice>
  )
}

const NEW = ''
const MOVE = ['datasets', 'move']

/** Which dataset the files are added to: a new one, or one of those that may be changed. */
function Destination({ state: { draft, stage } }: { readonly state: Creation }) {
  const { creation } = useDatasets()
  const session = useSession()
  const queries = useQueryClient()
  const { data = [] } = useEntries()
  const move = useMutation({
    mutationKey: MOVE,
    networkMode: 'always',
    mutationFn: async (id: string) =>
      id === NEW
        ? null
        : queries.fetchQuery({
            queryKey: datasetKey(session, id),
            queryFn: ({ signal }) => session.api.getDataset(id, { signal }),
          }),
  })
  const datasets = data.filter(({ id }) => canWrite(session.scopes, id))
  if (datasets.length === 0) return null
  return (
    <SelectField
      label="Add to"
      className={css.destination}
      value={move.isPending ? move.variables : (draft.into?.id ?? NEW)}
      options={[
        { value: NEW, label: 'A new dataset' },
        ...datasets
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map(({ id, name }) => ({ value: id, label: `“${name}”` })),
      ]}
      error={move.error ? inWords(explain(move.error, 'The dataset wasn’t opened')) : null}
      // Stays enabled while it opens a dataset, or it would lose the focus.
      disabled={stage !== 'draft'}
      // Not called if the dialog is closed or another dataset is chosen meanwhile.
      onChange={(id) => move.mutate(id, { onSuccess: (dataset) => creation.moveTo(dataset) })}
    />
  )
}

/** The file input; large while there are no files. */
function AddFiles({ disabled, large }: { readonly disabled: boolean; readonly large: boolean }) {
  const { creation } = useDatasets()
  const hint = useId()
  return (
    <div className={large ? css.zone : css.bar}>
      {large ? <p className={css.zoneTitle}>Drop files anywhere in this window</p> : null}
      <FileButton
        look={large ? 'primary' : 'secondary'}
        icon={<FilePlus aria-hidden />}
        disabled={disabled}
        aria-describedby={hint}
        onFiles={(files) => void withUnpacked(files).then((all) => creation.addFiles(all))}
      >
        Add files
      </FileButton>
      <p id={hint} className={css.hint}>
        {READABLE}, also in a zip archive, or compressed by gzip, zstd or bzip2. At most 50 MB each; larger ones often
        fit as Parquet.
      </p>
    </div>
  )
}
