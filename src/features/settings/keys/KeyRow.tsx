import Ban from 'lucide-react/icons/ban'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useState } from 'react'
import type { ApiKey, NewApiKeyData } from '../../../contract/schemas.ts'
import { useSession } from '../../../session/context.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { formatWhen } from '../../../ui/format.ts'
import { useDatasetNames, useAction } from '../use-console.ts'
import { describeScopes, stateOfKey, type KeyState } from './scopes.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { formatDay, GRACE_LABELS, GRACES, type Grace } from './expiry.ts'
import css from '../Settings.module.css'
import { inWords } from '../../shared/problem.ts'
import { announce } from '../../../ui/overlays/announce.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { SelectField } from '../../../ui/fields/Field.tsx'

const BADGES: Readonly<Record<KeyState, { tone: 'good' | 'warn' | 'bad'; word: string } | null>> = {
  active: null,
  ending: { tone: 'warn', word: 'Expires soon' },
  expired: { tone: 'bad', word: 'Expired' },
  revoked: { tone: 'bad', word: 'Revoked' },
}

interface Props {
  readonly item: ApiKey
  readonly now: number
  readonly onRotated: (made: NewApiKeyData) => void
}

/** A key: name, scopes, last use, and actions to end it. */
export function KeyRow({ item, now, onRotated }: Props) {
  const { connection } = useSession()
  const names = useDatasetNames()
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null)
  const state = stateOfKey(item, now)
  const badge = BADGES[state]
  const over = state === 'expired' || state === 'revoked'
  const own = !over && connection.key.endsWith(item.last4)
  const titleId = `key-${item.id}`
  return (
    <li className={css.row} data-over={over} aria-labelledby={titleId}>
      <div className={css.rowMain}>
        <p className={css.rowName}>
          <span id={titleId}>{item.name}</span>
          <code>sk_live_…{item.last4}</code>
          {own ? <Badge tone="accent">This app</Badge> : null}
          {badge ? <Badge tone={badge.tone}>{badge.word}</Badge> : null}
        </p>
        <p className={css.rowText}>{describeScopes(item.scopes, (id) => names.get(id))}</p>
        <Facts>
          <span>Created {formatWhen(Date.parse(item.created_at), now)}</span>
          <span>
            {item.last_used_at ? `Last used ${formatWhen(Date.parse(item.last_used_at), now)}` : 'Never used'}
          </span>
          <span>{endText(item, state)}</span>
        </Facts>
      </div>
      {over ? null : (
        <div className={css.rowActions}>
          <Button
            size="small"
            icon={<RefreshCw aria-hidden />}
            aria-label={`Rotate ${item.name}`}
            onClick={() => setAsking('rotate')}
          >
            Rotate
          </Button>
          <Button
            size="small"
            look="danger"
            icon={<Ban aria-hidden />}
            aria-label={`Revoke ${item.name}`}
            onClick={() => setAsking('revoke')}
          >
            Revoke
          </Button>
        </div>
      )}
      {asking === 'rotate' ? (
        <RotateDialog
          item={item}
          own={own}
          onClose={() => setAsking(null)}
          onRotated={(made) => {
            setAsking(null)
            onRotated(made)
          }}
        />
      ) : null}
      {asking === 'revoke' ? <RevokeDialog item={item} own={own} onClose={() => setAsking(null)} /> : null}
    </li>
  )
}

function endText({ revoked_at, expires_at }: ApiKey, state: KeyState): string {
  if (state === 'revoked' && revoked_at) return `Revoked ${formatDay(Date.parse(revoked_at))}`
  if (!expires_at) return 'Never expires'
  return `${state === 'expired' ? 'Expired' : 'Expires'} ${formatDay(Date.parse(expires_at))}`
}

interface EndProps {
  readonly item: ApiKey
  /** Whether it's the key that this app uses. */
  readonly own: boolean
  readonly onClose: () => void
}

/** Replaces a key by a new one. */
function RotateDialog({
  item,
  own,
  onClose,
  onRotated,
}: EndProps & { readonly onRotated: (made: NewApiKeyData) => void }) {
  const { console, local } = useSession()
  const [grace, setGrace] = useState<Grace>('86400')
  const rotate = useAction(async (seconds: number) => (console ? console.rotateApiKey(item.id, seconds) : null), 'keys')
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
function RevokeDialog({ item, own, onClose }: EndProps) {
  const { console, local } = useSession()
  const revoke = useAction(async () => {
    await console?.revokeApiKey(item.id)
    return true
  }, 'keys')
  const go = async (): Promise<void> => {
    if (!(await revoke.run(undefined))) return
    announce(`Key ${item.name} revoked`)
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Revoke “${item.name}”?`}
      action="Revoke key"
      danger
      open
      busy={revoke.busy}
      error={inWords(revoke.error)}
      onClose={onClose}
      onConfirm={() => void go()}
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
    </ConfirmDialog>
  )
}
