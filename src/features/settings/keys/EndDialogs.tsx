import { useState } from 'react'
import { conflictOf, mayBeDone } from '../../../api/errors.ts'
import type { ApiKey, NewApiKeyData } from '../../../contract/schemas.ts'
import { useSession } from '../../../session/context.tsx'
import { Button } from '../../../ui/Button.tsx'
import { SelectField } from '../../../ui/fields/Field.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { inWords } from '../../shared/problem.ts'
import { ConfirmAction } from '../parts.tsx'
import { useAction } from '../use-console.ts'
import { GRACE_LABELS, GRACES, type Grace } from './expiry.ts'
import css from '../Settings.module.css'

interface EndProps {
  readonly item: ApiKey
  /** Whether it's the key that this app uses. */
  readonly own: boolean
  readonly onClose: () => void
}

/** Replaces a key by a new one. */
export function RotateDialog({
  item,
  own,
  onClose,
  onRotated,
}: EndProps & { readonly onRotated: (made: NewApiKeyData) => void }) {
  const { console, local } = useSession()
  const [grace, setGrace] = useState<Grace>('86400')
  const rotate = useAction(
    async (seconds: number) => (console ? console.rotateApiKey(item.id, seconds) : null),
    ['keys'],
    // If it was rotated without a grace period, its second rotation is a conflict.
    (error) =>
      mayBeDone(error) || conflictOf(error)
        ? 'It may have been rotated: look at the list before you try again. If a new key of this name is there, rotate that one, because nobody has its text.'
        : null,
  )
  const go = async (): Promise<void> => {
    const made = await rotate.run(Number(grace))
    if (made) onRotated(made)
  }
  return (
    <Dialog
      title={`Rotate “${item.name}”`}
      description="A new key with the same rights and the same end. Put it where the old one is, then the old one may go."
      open
      onClose={onClose}
      action={
        <Button look="primary" disabled={rotate.busy} onClick={() => void go()}>
          Rotate key
        </Button>
      }
    >
      <SelectField
        label="The old key goes on working for"
        hint="Long enough to change it everywhere; no longer, if it may have leaked."
        error={inWords(rotate.error)}
        value={grace}
        options={GRACES.map((value) => ({ value, label: GRACE_LABELS[value] }))}
        onChange={setGrace}
      />
      {own ? (
        <p className={css.words}>
          {local
            ? 'This app uses it: when it ends, the app makes itself a new one.'
            : 'This app uses it: enter the new one under Connection before the old one ends.'}
        </p>
      ) : null}
    </Dialog>
  )
}

/** Revokes a key at once. */
export function RevokeDialog({ item, own, onClose }: EndProps) {
  const { console, local } = useSession()
  return (
    <ConfirmAction
      title={`Revoke “${item.name}”?`}
      action="Revoke key"
      danger
      open
      work={async () => console?.revokeApiKey(item.id)}
      topics={['keys']}
      done={`Key ${item.name} revoked`}
      onClose={onClose}
    >
      <ul className={css.consequences}>
        <li>
          Programs that use <strong>sk_live_…{item.last4}</strong> are refused from this moment on.
        </li>
        <li>It can’t be undone. Datasets stay as they are.</li>
        {own ? (
          <li>
            <strong>It’s the key that this app uses.</strong>{' '}
            {local
              ? 'The app makes itself a new one, with all rights: its address and its datasets stay, and other tabs follow.'
              : 'The app shows no datasets from then on, until you enter another key under Connection.'}
          </li>
        ) : null}
      </ul>
    </ConfirmAction>
  )
}
