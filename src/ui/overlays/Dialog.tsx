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
  /** Called instead of `onClose` when Escape or a click beside it would close it: it stays open. */
  readonly onDismiss?: () => void
  readonly children: ReactNode
  /** The button that does it; beside it stands "Cancel". */
  readonly action?: ReactNode
  /** What the button that closes it is called. */
  readonly cancel?: string
  /** The same, where closing it is all there is to do. */
  readonly done?: string
  /** `large` for a form: it takes most of the window, and its body scrolls between title and buttons. */
  readonly size?: 'medium' | 'large'
  /** At the left of the buttons. */
  readonly foot?: ReactNode
}

/** A question that the rest of the page waits for. */
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
  /** What the button is called that submits it. */
  readonly action: string
  readonly disabled?: boolean
  /** How the form is laid out, where its fields don't just stand one below the other. */
  readonly className?: string | undefined
  readonly onSubmit: () => void
  /** Below the form: it may hold forms of its own. */
  readonly below?: ReactNode
}

/**
 * A form that the rest of the page waits for: its button submits it, and so does Enter in a field. While something in it is
 * mistyped, that takes the focus to it instead.
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
