import { useState, type ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { Dialog } from './Dialog.tsx'
import { TextField } from '../fields/Field.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** What will happen, and that it can't be undone. */
  readonly children: ReactNode
  /** The label of the button that does it: a verb and its object. */
  readonly action: string
  readonly cancel?: string
  readonly danger?: boolean
  /** A phrase that must be typed before the button is enabled. */
  readonly phrase?: string
  /** Why the last attempt failed. */
  readonly error?: ReactNode
  readonly busy?: boolean
  readonly open: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that can't be undone. For what matters most, a phrase must be typed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, cancel, danger, phrase, error, busy, open, onConfirm, onClose } = props
  const [typed, setTyped] = useState('')
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    setTyped('')
  }
  const ready = phrase === undefined || typed.trim() === phrase.trim()
  const confirm = (): void => {
    if (ready && !busy) onConfirm()
  }
  return (
    <Dialog
      title={title}
      open={open}
      onClose={onClose}
      {...(cancel ? { cancel } : {})}
      action={
        <Button look={danger ? 'danger' : 'primary'} disabled={!ready || busy} onClick={confirm}>
          {action}
        </Button>
      }
    >
      {children}
      {phrase === undefined ? null : (
        <TextField
          label={`Type “${phrase}” to confirm`}
          error={error}
          value={typed}
          onChange={setTyped}
          onKeyDown={(event) => (event.key === 'Enter' ? confirm() : undefined)}
        />
      )}
      {phrase === undefined && error ? <p role="alert">{error}</p> : null}
    </Dialog>
  )
}
