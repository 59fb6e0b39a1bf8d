import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { explain } from '../../shared/problem.ts'
import { canWrite, NO_WRITE } from '../model/access.ts'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState, type FormEvent } from 'react'
import type { DatasetChange, DatasetDetails } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { useSession } from '../../../session/context.tsx'
import { announce } from '../../../ui/overlays/announce.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Unsaved } from '../Unsaved.tsx'
import { DatasetFields } from '../DatasetFields.tsx'
import type { DatasetValues } from '../model/draft.ts'
import { nameProblem } from '../model/names.ts'
import { useLimitReason, useUpdateDataset } from '../queries.ts'
import css from './Settings.module.css'

/** A dataset's settings. Input stays, even if the dataset changes meanwhile. */
export function SettingsTab({ dataset }: { readonly dataset: DatasetDetails }) {
  const { scopes } = useSession()
  const limit = useLimitReason()
  const update = useUpdateDataset(dataset.id)
  const [typed, setTyped] = useState<Partial<DatasetValues>>({})
  const values: DatasetValues = { ...valuesOf(dataset), ...typed }
  const change = changeOf(dataset, values)
  const dirty = Object.keys(change).length > 0
  const refused = canWrite(scopes, dataset.id) ? null : NO_WRITE
  const errors = errorsOf(update.error)
  const wrong = nameProblem(values.name)
  const set = (next: Partial<DatasetValues>): void => {
    setTyped((old) => ({ ...old, ...next }))
    update.reset()
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (!dirty || wrong || update.isPending) return
    update.mutate(change, {
      onSuccess: () => {
        setTyped({})
        announce('Saved')
      },
    })
  }
  return (
    <form className={css.form} onSubmit={save} aria-label="Settings of the dataset">
      {dirty ? <Unsaved what={`“${dataset.name}”`} /> : null}
      {refused ? (
        <Notice tone="info" flush>
          <p>{refused}</p>
        </Notice>
      ) : null}
      <DatasetFields
        values={values}
        errors={{ ...errors, name: errors.name ?? wrong }}
        disabled={refused !== null}
        nameHint="Queries reach its tables by this name: renaming changes what they have to say."
        onChange={set}
      />
      {change.visibility === 'public' ? <PublicNotice /> : null}
      {errors.form ? <ProblemNotice problem={errors.form} /> : null}
      <div className={css.foot}>
        <Button
          type="submit"
          look="primary"
          disabled={!dirty || wrong !== null || update.isPending || limit !== null || refused !== null}
        >
          {update.isPending ? 'Saving…' : 'Save changes'}
        </Button>
        {dirty && !update.isPending ? (
          <Button
            look="quiet"
            onClick={() => {
              setTyped({})
              update.reset()
            }}
          >
            Undo
          </Button>
        ) : null}
        <output className={css.state}>
          {limit ?? null}
          {!dirty && update.isSuccess ? (
            <>
              <CircleCheck aria-hidden /> Saved
            </>
          ) : null}
          {dirty && !limit && !update.isPending ? 'Not saved yet' : null}
        </output>
      </div>
    </form>
  )
}

function PublicNotice() {
  return (
    <Notice tone="warn" live="status" flush>
      <p>
        <strong>Everyone with a key of this service will be able to read all of it,</strong> every table and every row,
        until you make it private again. What they have read by then stays with them.
      </p>
    </Notice>
  )
}

const valuesOf = ({ name, description, tags, visibility }: DatasetDetails): DatasetValues => ({
  name,
  description,
  tags,
  visibility,
})

/** The differences between the values and the current dataset. Only these are sent. */
function changeOf(dataset: DatasetDetails, { name, description, tags, visibility }: DatasetValues): DatasetChange {
  const sameTags = JSON.stringify(tags) === JSON.stringify(dataset.tags)
  return {
    ...(name.trim() === dataset.name ? {} : { name: name.trim() }),
    ...(description === dataset.description ? {} : { description }),
    ...(sameTags ? {} : { tags }),
    ...(visibility === dataset.visibility ? {} : { visibility }),
  }
}

interface Errors {
  readonly name?: string | undefined
  readonly description?: string
  readonly tags?: string
  readonly form?: ReturnType<typeof explain>
}

/** The service's errors, by field. */
function errorsOf(error: unknown): Errors {
  if (!error) return {}
  if (error instanceof ApiError) {
    if (error.code === 'CONFLICT') return { name: 'Another dataset has this name.' }
    const [issue] = error.issues
    const field = /^\w+/.exec(issue?.path ?? '')?.[0]
    if (issue && (field === 'name' || field === 'tags')) return { [field]: `It ${issue.message}.` }
    if (issue && field === 'short_description') return { description: `It ${issue.message}.` }
  }
  return { form: explain(error, 'The changes weren’t saved') }
}
