import { useRef, useState } from 'react'
import type { NewApiKeyData } from '../../../contract/schemas.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { Field } from '../../../ui/fields/Field.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { TextInput } from '../../../ui/fields/Field.tsx'
import own from './Keys.module.css'

/** Shows a new key, which can't be shown again. */
export function ShownOnce({ made, onClose }: { readonly made: NewApiKeyData; readonly onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null)
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
