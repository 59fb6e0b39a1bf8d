import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useState } from 'react'
import { mayBeDone } from '../../../api/errors.ts'
import type { NewApiKeyData, Scope } from '../../../contract/schemas.ts'
import { FormDialog } from '../../../ui/overlays/Dialog.tsx'
import { SelectField, TextField } from '../../../ui/fields/Field.tsx'
import { useSession } from '../../../session/context.tsx'
import { useAction } from '../use-console.ts'
import { EXPIRIES, EXPIRY_LABELS, expiryOf, type ExpiryChoice } from './expiry.ts'
import { NOTHING, scopesOf } from './scopes.ts'
import { ScopePicker } from './ScopePicker.tsx'
import own from './Keys.module.css'

/** Most scopes per key. */
const MAX_SCOPES = 100
const MAX_NAME = 128

interface Props {
  readonly onClose: () => void
  readonly onMade: (made: NewApiKeyData) => void
}

/** Creates a key: name, scopes, expiry. */
export function NewKeyDialog({ onClose, onMade }: Props) {
  const { console, workspaceId } = useSession()
  const now = useNow()
  const [name, setName] = useState('')
  const [choice, setChoice] = useState({ ...NOTHING, all: { read: true, write: false } })
  const [expiry, setExpiry] = useState<ExpiryChoice>('90')
  const [day, setDay] = useState('')
  const [tried, setTried] = useState(false)
  const create = useAction(
    async (key: { name: string; scopes: readonly Scope[]; expiresAt: Date | null }) =>
      console ? console.createApiKey(workspaceId, key) : null,
    ['keys'],
    (error) =>
      mayBeDone(error)
        ? 'It may have created the key: look at the list before you try again. If it’s there, revoke it, because nobody has its text.'
        : null,
  )
  const scopes = scopesOf(choice)
  const expiresAt = expiryOf(expiry, day, now)
  const nameError = name.trim() === '' ? 'Give it the name of the program or person that uses it.' : null
  const scopesError =
    scopes.length === 0
      ? 'Choose at least one right: a key without any is of no use.'
      : scopes.length > MAX_SCOPES
        ? `A key has at most ${MAX_SCOPES} rights, this has ${scopes.length}: give it all datasets, or make two keys.`
        : null
  const dayError = expiresAt === undefined ? 'Choose today or a later day.' : null
  const submit = async (): Promise<void> => {
    setTried(true)
    if (nameError || scopesError || expiresAt === undefined) return
    const made = await create.run({ name: name.trim(), scopes, expiresAt })
    if (made) onMade(made)
  }
  return (
    <FormDialog
      title="New key"
      description="One for each program, so that each can be revoked without the others."
      size="large"
      action="Create key"
      disabled={create.busy}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <TextField
        label="Name"
        error={tried ? nameError : null}
        maxLength={MAX_NAME}
        placeholder="Nightly import"
        value={name}
        onChange={setName}
      />
      <ScopePicker choice={choice} onChange={setChoice} error={tried ? scopesError : null} />
      <div className={own.pair}>
        <SelectField
          label="Expires"
          hint={expiry === 'never' ? 'A key without an end works until someone revokes it.' : null}
          value={expiry}
          options={EXPIRIES.map((value) => ({ value, label: EXPIRY_LABELS[value] }))}
          onChange={setExpiry}
        />
        {expiry === 'date' ? (
          <TextField label="Last day" error={tried ? dayError : null} type="date" value={day} onChange={setDay} />
        ) : null}
      </div>
      {create.error ? <ProblemNotice problem={create.error} /> : null}
    </FormDialog>
  )
}
