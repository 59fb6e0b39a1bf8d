import { useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql } from '../context.tsx'
import type { SavedStore } from '../tabs/records.ts'
import type { SqlTab } from '../types.ts'
import { FormDialog } from '../../../ui/overlays/Dialog.tsx'
import { Field, TextArea, TextField } from '../../../ui/fields/Field.tsx'

/** Saves a tab's text and parameters under a name. */
export function SaveQuery({ tab, onClose }: { readonly tab: SqlTab; readonly onClose: () => void }) {
  const { saved, tabs, newId } = useSql()
  const { items } = useStore(saved)
  const navigate = useNavigate()
  useEffect(() => void saved.load(), [saved])
  const save = async (name: string): Promise<void> => {
    onClose()
    // Enter may come before they are read.
    await saved.load()
    const before = saved.snapshot().items?.find((each) => each.name.toLowerCase() === name.toLowerCase())
    const { text, parameters, view, chart } = tabs.find(tab.id) ?? tab
    const id = before?.id ?? newId()
    const shown = view === 'chart' ? { chart } : {}
    const kept = await saved.put({ ...before, ...shown, id, name, text, parameters, updatedAt: Date.now() })
    if (!kept) {
      const { problem } = saved.snapshot()
      toast({ title: `“${name}” wasn’t saved`, description: problem, tone: 'bad' })
      return
    }
    tabs.change(tab.id, { title: name })
    toast({
      title: `“${name}” saved`,
      tone: 'good',
      action: before
        ? { label: 'Undo', run: () => void saved.put(before) }
        : { label: 'Open its page', run: () => void navigate(pageOf(id)) },
    })
  }
  return (
    <NameDialog
      title="Save the query"
      action="Save"
      first={tab.title}
      taken={items?.map(({ name }) => name) ?? []}
      replaceHint="A query with this name is replaced."
      onName={(name) => void save(name)}
      onClose={onClose}
    />
  )
}

export const pageOf = (id: string): string => `/sql/saved/${encodeURIComponent(id)}`

/** The names of the other saved queries. */
export const othersNames = (saved: SavedStore, id: string): string[] =>
  (saved.snapshot().items ?? []).filter((query) => query.id !== id).map(({ name }) => name)

interface Props {
  readonly title: string
  readonly action: string
  readonly first: string
  /** Absent if the description can't be changed here. */
  readonly description?: string
  /** Names of other queries. */
  readonly taken: readonly string[]
  /** Shown for a taken name, if saving replaces that query. Without it, taken names aren't allowed. */
  readonly replaceHint?: ReactNode
  readonly onName: (name: string, description: string) => void
  readonly onClose: () => void
}

export function NameDialog({ title, action, first, taken, replaceHint, onName, onClose, description }: Props) {
  const [name, setName] = useState(first)
  const [about, setAbout] = useState(description ?? '')
  const wanted = name.trim()
  const isTaken = taken.some((each) => each.toLowerCase() === wanted.toLowerCase())
  const refused = isTaken && !replaceHint
  return (
    <FormDialog
      title={title}
      action={isTaken && replaceHint ? 'Replace' : action}
      disabled={wanted === '' || refused}
      onClose={onClose}
      onSubmit={() => {
        if (wanted !== '' && !refused) onName(wanted, about.trim())
      }}
    >
      <TextField
        label="Name"
        {...(refused ? { error: 'Another query has this name: choose another one.' } : {})}
        {...(isTaken && replaceHint ? { hint: replaceHint } : {})}
        value={name}
        maxLength={100}
        onFocus={(event) => event.target.select()}
        onChange={setName}
      />
      {description === undefined ? null : (
        <Field label="Description">
          {(ids) => (
            <TextArea
              {...ids}
              rows={5}
              maxLength={2000}
              placeholder="What it shows and who it’s for"
              value={about}
              onChange={setAbout}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
