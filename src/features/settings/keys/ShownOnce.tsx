import { useRef, useState } from 'react'
import type { ApiKey, NewApiKeyData } from '../../../contract/schemas.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { Field, TextInput } from '../../../ui/fields/Field.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { formatDay } from './expiry.ts'
import own from './Keys.module.css'

interface Props {
  readonly made: NewApiKeyData
  /** Keys that the same request has made before. */
  readonly twins: readonly ApiKey[]
  readonly onClose: () => void
}

/** Shows a new key, which can't be shown again. */
export function ShownOnce({ made, twins, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const end = made.api_key.expires_at
  // A key that is rotated for the second time has only its grace period left, and so has its successor.
  const isShort = end !== null && twins.some(({ expires_at }) => expires_at === null || expires_at > end)
  const [reminded, setReminded] = useState(false)
  return (
    <Dialog
      title={`Your key “${made.api_key.name}”`}
      open
      onClose={onClose}
      onDismiss={() => setReminded(true)}
      done="I’ve copied it"
    >
      <Notice tone="warn" flush>
        <p>
          <strong>It’s shown this once.</strong> Only its fingerprint is kept: copy it to where it’s used, such as an
          environment variable. A key that’s lost can be rotated.
        </p>
      </Notice>
      {twins.length > 0 ? (
        <Notice tone="warn" flush>
          <p>
            Another key of this name was made just before:{' '}
            <code>{twins.map(({ last4 }) => `sk_live_…${last4}`).join(', ')}</code>. If that wasn’t you, the connection
            broke off, and the browser sent the request twice. Then nobody has that key’s text:{' '}
            {isShort
              ? `rotate it, and use its successor instead of this key, which expires ${formatDay(Date.parse(end))}.`
              : 'revoke it.'}
          </p>
        </Notice>
      ) : null}
      <Field
        label="API key"
        error={reminded ? 'Copy it first, then choose “I’ve copied it”: it isn’t shown again.' : null}
        hint="Sent as “X-API-Key” or “Authorization: Bearer”. Keep it out of code that others see."
      >
        {(ids) => (
          <div className={own.key}>
            <TextInput
              {...ids}
              ref={input}
              mono
              readOnly
              value={made.key}
              onChange={() => undefined}
              onFocus={() => input.current?.select()}
            />
            <CopyButton label="Copy key" text={made.key} />
          </div>
        )}
      </Field>
    </Dialog>
  )
}
