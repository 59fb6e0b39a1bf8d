import { useId, useState, type ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, TextInput } from '../../../ui/Field.tsx'

interface Props {
  readonly title: string
  readonly action: string
  readonly first: string
  /** Names that others have. */
  readonly taken: readonly string[]
  /** What happens with a name that another one has: it takes its place. Without it such a name can't be chosen. */
  readonly replaceHint?: ReactNode
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

/** Asks for the name of a query. */
export function NameDialog({ title, action, first, taken, replaceHint, onName, onClose }: Props) {
  const [name, setName] = useState(first)
  const form = useId()
  const wanted = name.trim()
  const isTaken = taken.some((each) => each.toLowerCase() === wanted.toLowerCase())
  const refused = isTaken && !replaceHint
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      action={
        <Button type="submit" form={form} look="primary" disabled={wanted === '' || refused}>
          {isTaken && replaceHint ? 'Replace' : action}
        </Button>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted !== '' && !refused) onName(wanted)
        }}
      >
        <Field
          label="Name"
          {...(refused ? { error: 'Another query has this name: choose another one.' } : {})}
          {...(isTaken && replaceHint ? { hint: replaceHint } : {})}
        >
          {(ids) => (
            <TextInput
              {...ids}
              value={name}
              maxLength={100}
              onFocus={(event) => event.target.select()}
              onChange={setName}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
