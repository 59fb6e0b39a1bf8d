import Ban from 'lucide-react/icons/ban'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useState } from 'react'
import type { ApiKey, NewApiKeyData } from '../../../contract/schemas.ts'
import { useSession } from '../../../session/context.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { formatWhen } from '../../../ui/format.ts'
import { useDatasetNames } from '../use-console.ts'
import { RevokeDialog, RotateDialog } from './EndDialogs.tsx'
import { describeScopes, stateOfKey, type KeyState } from './scopes.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { formatDay } from './expiry.ts'
import css from '../Settings.module.css'

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

/** A key: what it's for, what it may do, when it was used, and how it's ended. */
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
