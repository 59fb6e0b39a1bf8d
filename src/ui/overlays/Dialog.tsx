import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Button } from '../Button.tsx'
import { keepFocus } from '../focus.ts'
import { CheckedForm } from '../fields/CheckedField.tsx'
import { mistakesIn, NONE_MISTYPED } from '../fields/mistyped.ts'
import css from './Dialog.module.css'

interface DialogProps {
  readonly title: string
  /** One line below the title. */
  readonly description?: ReactNode
  readonly open: boolean
  readonly onClose: () => void
  /** Called instead of `onClose` for Escape or a click outside; the dialog stays open. */
  readonly onDismiss?: () => void
  readonly children: ReactNode
  /** The main button; "Cancel" is beside it. */
  readonly action?: ReactNode
  /** The label of the closing button. */
  readonly cancel?: string
  /** The label of the closing button if the dialog has no other action. */
  readonly done?: string
  /** `large` for forms: fills most of the window, and the body scrolls between title and buttons. */
  readonly size?: 'medium' | 'large'
  /** Shown to the left of the buttons. */
  readonly foot?: ReactNode
}

/** A modal dialog. */
export function Dialog(props: DialogProps) {
  const { title, description, open, onClose, children, action, cancel = 'Cancel', done, size = 'medium', foot } = props
  const close = (next: boolean, { reason }: Base.Root.ChangeEventDetails): void => {
    if (next) return
    if (props.onDismiss && reason !== 'close-press') props.onDismiss()
    else onClose()
  }
  const [popup, setPopup] = useState<HTMLElement | null>(null)
  useEffect(() => (popup ? keepFocus(popup) : undefined), [popup])
  return (
    <Base.Root open={open} onOpenChange={close}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup ref={setPopup} className={cx(css.popup, size === 'large' && css.large)}>
          <div className={css.head}>
            <Base.Title className={css.title}>{title}</Base.Title>
            {description ? <Base.Description className={css.description}>{description}</Base.Description> : null}
          </div>
          {size === 'large' ? <div className={css.body}>{children}</div> : children}
          <div className={css.actions}>
            {foot ? <div className={css.foot}>{foot}</div> : null}
            <Base.Close render={<Button look={done ? 'primary' : 'quiet'} />}>{done ?? cancel}</Base.Close>
            {action}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

interface FormDialogProps extends Omit<DialogProps, 'open' | 'action'> {
  /** The label of the submit button. */
  readonly action: string
  readonly disabled?: boolean
  /** For a layout other than fields below each other. */
  readonly className?: string | undefined
  readonly onSubmit: () => void
  /** Shown below the form, since it may contain forms of its own. */
  readonly below?: ReactNode
}

/**
 * A modal dialog with a form, submitted by its button or by Enter in a field. If a field has invalid input, submitting
 * moves the focus there instead.
 */
export function FormDialog({ action, disabled, className, onSubmit, children, below, ...dialog }: FormDialogProps) {
  const form = useId()
  const [mistyped, setMistyped] = useState(NONE_MISTYPED)
  const button = (
    <Button type="submit" form={form} look="primary" disabled={disabled}>
      {action}
    </Button>
  )
  return (
    <Dialog {...dialog} open action={button}>
      <form
        id={form}
        className={cx(css.form, className)}
        onSubmit={(event) => {
          event.preventDefault()
          if (mistakesIn(mistyped).length === 0) onSubmit()
          else event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
        }}
      >
        <CheckedForm mistyped={mistyped} onMistyped={setMistyped}>
          {children}
        </CheckedForm>
      </form>
      {below}
    </Dialog>
  )
}
