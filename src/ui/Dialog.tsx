import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import css from './Dialog.module.css'

export interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** The button that does it; beside it stands "Cancel". */
  readonly action: ReactNode
}

/** A question that the rest of the page waits for. */
export function Dialog({ title, open, onClose, children, action }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup className={css.popup}>
          <Base.Title className={css.title}>{title}</Base.Title>
          {children}
          <div className={css.actions}>
            <Base.Close render={<Button look="quiet" />}>Cancel</Base.Close>
            {action}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
