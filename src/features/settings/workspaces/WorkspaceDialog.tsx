import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { useState } from 'react'
import { mayBeDone } from '../../../api/errors.ts'
import { nameSchema, type Plan, slugSchema, type Workspace } from '../../../contract/schemas.ts'
import { PLAN_LIMITS } from '../../../contract/limits.ts'
import { useSession, useSessionStore } from '../../../session/context.tsx'
import { announce } from '../../../ui/overlays/announce.tsx'
import { Choices } from '../../../ui/fields/Choices.tsx'
import { FormDialog } from '../../../ui/overlays/Dialog.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatCount } from '../../../ui/format.ts'
import { useAction } from '../use-console.ts'
import css from '../Settings.module.css'
import { capitalized } from '../../../lib/text.ts'

interface Props {
  /** Null for a new one. */
  readonly workspace: Workspace | null
  readonly others: readonly Workspace[]
  readonly onClose: () => void
}

/** A workspace's name, its name in SQL, and its plan. */
export function WorkspaceDialog({ workspace, others, onClose }: Props) {
  const { console, local, workspaceId } = useSession()
  const store = useSessionStore()
  const [name, setName] = useState(workspace?.name ?? '')
  const [slug, setSlug] = useState(workspace?.slug ?? '')
  const [plan, setPlan] = useState<Plan>(workspace?.plan ?? 'business')
  const [tried, setTried] = useState(false)
  const save = useAction(
    async () => {
      const values = { name: name.trim(), plan, ...(slug.trim() === '' ? {} : { slug: slug.trim() }) }
      if (!console) return null
      if (!workspace) return console.createWorkspace(values)
      const saved = await console.updateWorkspace(workspace.id, values)
      // A server doesn't announce changes, and the connection still has the old name in SQL.
      if (!local && saved.id === workspaceId) await store.switchWorkspace(saved.id)
      return saved
    },
    ['workspaces', 'datasets'],
    (error) =>
      !workspace && mayBeDone(error)
        ? 'It may have created the workspace: look at the list before you try again.'
        : null,
  )
  const nameError = nameSchema.safeParse(name).success ? null : 'From 1 to 128 characters.'
  const taken = others.some((other) => other.slug === slug.trim() && other.id !== workspace?.id)
  const slugError = taken
    ? 'Another workspace has it.'
    : (slug.trim() === '' && !workspace) || slugSchema.safeParse(slug.trim()).success
      ? null
      : 'Lower-case letters, digits and “_”, a letter first.'
  const submit = async (): Promise<void> => {
    setTried(true)
    if (nameError || slugError) return
    const saved = await save.run(undefined)
    if (!saved) return
    announce(workspace ? `Workspace ${saved.name} saved` : `Workspace ${saved.name} created`)
    onClose()
  }
  return (
    <FormDialog
      title={workspace ? `Edit “${workspace.name}”` : 'New workspace'}
      action={workspace ? 'Save' : 'Create workspace'}
      disabled={save.busy}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <TextField label="Name" error={tried ? nameError : null} maxLength={128} value={name} onChange={setName} />
      <TextField
        label="Name in SQL"
        error={tried ? slugError : null}
        hint={
          workspace && slug.trim() !== workspace.slug
            ? `Queries that say “${workspace.slug}.…” stop working: change them too.`
            : workspace
              ? 'First part of “workspace.dataset.table”.'
              : 'First part of “workspace.dataset.table”. Made from the name when it’s empty.'
        }
        mono
        maxLength={63}
        value={slug}
        onChange={setSlug}
      />
      <Choices
        label="Plan"
        value={plan}
        onChange={setPlan}
        choices={(['free', 'pro', 'business'] as const).map((value) => ({
          value,
          label: capitalized(value),
          hint: `${formatCount(PLAN_LIMITS[value].hour)} requests an hour`,
        }))}
      />
      <p className={css.words}>
        {local
          ? 'Plans cost nothing here: they’re for trying out how your programs behave at the service’s limits.'
          : 'A plan says how many requests the workspace’s keys may send.'}{' '}
        This app’s own requests count too.
      </p>
      {save.error ? <ProblemNotice problem={save.error} /> : null}
    </FormDialog>
  )
}
