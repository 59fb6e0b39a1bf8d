import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { Reach } from '../../shared/Reach.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import type { ApiKey, NewApiKeyData } from '../../../contract/schemas.ts'
import { useSession } from '../../../session/context.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Check } from '../../../ui/fields/Field.tsx'
import { plural } from '../../../ui/format.ts'
import { Card, ConsoleSection } from '../parts.tsx'
import { useApiKeys } from '../use-console.ts'
import { RevokeDialog, RotateDialog } from './EndDialogs.tsx'
import { KeyRow, type Ending } from './KeyRow.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { ShownOnce } from './ShownOnce.tsx'
import { isTwin, stateOfKey } from './scopes.ts'
import css from '../Settings.module.css'

interface Made {
  readonly key: NewApiKeyData
  /** The id of the key that it replaces; null for none. */
  readonly from: string | null
}

export default function KeysSection() {
  const { connection } = useSession()
  const keys = useApiKeys()
  const now = useNow()
  const [creating, setCreating] = useState(false)
  // Not in the key's row, which disappears when the key has ended, even if the answer was lost.
  const [ending, setEnding] = useState<{ readonly item: ApiKey; readonly how: Ending } | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  const [all, setAll] = useState(false)
  const over = (key: ApiKey): boolean => ['expired', 'revoked'].includes(stateOfKey(key, now))
  const ended = (keys.data ?? []).filter(over).length
  const isOwn = (key: ApiKey): boolean => connection.key.endsWith(key.last4)
  const shown = (keys.data ?? []).filter((key) => all || !over(key))
  return (
    <>
      <ConsoleSection id="keys" action="New key" what="its keys" onAction={() => setCreating(true)}>
        <Card
          title={connection.kind === 'stand-in' ? `Keys of “${connection.workspace.name}”` : 'Keys'}
          flush
          aside={
            ended > 0 ? (
              <Check checked={all} onChange={setAll} label={`Show ${plural(ended, 'expired or revoked key')}`} />
            ) : null
          }
        >
          {keys.error ? (
            <div className={css.cardBody}>
              <ProblemNotice problem={keys.error} />
            </div>
          ) : null}
          {shown.length === 0 ? <NoKeys loading={keys.data === null && !keys.error} /> : null}
          <ul className={css.list}>
            {shown.map((key) => (
              <KeyRow
                key={key.id}
                item={key}
                now={now}
                own={isOwn(key)}
                onEnd={(how) => setEnding({ item: key, how })}
              />
            ))}
          </ul>
          <Reach to="give its keys to programs" />
        </Card>
      </ConsoleSection>
      {creating ? (
        <NewKeyDialog
          onClose={() => setCreating(false)}
          onMade={(key) => {
            setCreating(false)
            setMade({ key, from: null })
          }}
        />
      ) : null}
      {ending?.how === 'rotate' ? (
        <RotateDialog
          item={ending.item}
          own={isOwn(ending.item)}
          onClose={() => setEnding(null)}
          onRotated={(key) => {
            setEnding(null)
            setMade({ key, from: ending.item.id })
          }}
        />
      ) : null}
      {ending?.how === 'revoke' ? (
        <RevokeDialog item={ending.item} own={isOwn(ending.item)} onClose={() => setEnding(null)} />
      ) : null}
      {made ? (
        <ShownOnce
          made={made.key}
          twins={(keys.data ?? []).filter((key) => key.id !== made.from && isTwin(key, made.key.api_key))}
          onClose={() => setMade(null)}
        />
      ) : null}
    </>
  )
}

function NoKeys({ loading }: { readonly loading: boolean }) {
  if (loading) return <EmptyState busy>Loading keys…</EmptyState>
  return (
    <EmptyState icon={<KeyRound aria-hidden />}>
      No key is valid. Create one for each program that uses the service, with no more rights than it needs.
    </EmptyState>
  )
}
