import Ban from 'lucide-react/icons/ban'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import type { ApiKey } from '../../../contract/schemas.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { formatWhen } from '../../../ui/format.ts'
import { useDatasetNames } from '../use-console.ts'
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
  /** Whether this app uses it. */
  readonly own: boolean
  readonly onEnd: (how: Ending) => void
}

/** The ways to end a key. */
export type Ending = 'rotate' | 'revoke'

/** A key: name, scopes, last use, and actions to end it. */
export function KeyRow({ item, now, own, onEnd }: Props) {
  const names = useDatasetNames()
  const state = stateOfKey(item, now)
  const badge = BADGES[state]
  const over = state === 'expired' || state === 'revoked'
  const titleId = `key-${item.id}`
  return (
    <li className={css.row} data-over={over} aria-labelledby={titleId}>
      <div className={css.rowMain}>
        <p className={css.rowName}>
          <span id={titleId}>{item.name}</span>
          <code>sk_live_…{item.last4}</code>
          {own && !over ? <Badge tone="accent">This app</Badge> : null}
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
            onClick={() => onEnd('rotate')}
          >
            Rotate
          </Button>
          <Button
            size="small"
            look="danger"
            icon={<Ban aria-hidden />}
            aria-label={`Revoke ${item.name}`}
            onClick={() => onEnd('revoke')}
          >
            Revoke
          </Button>
        </div>
      )}
    </li>
  )
}

function endText({ revoked_at, expires_at }: ApiKey, state: KeyState): string {
  if (state === 'revoked' && revoked_at) return `Revoked ${formatDay(Date.parse(revoked_at))}`
  if (!expires_at) return 'Never expires'
  return `${state === 'expired' ? 'Expired' : 'Expires'} ${formatDay(Date.parse(expires_at))}`
}
