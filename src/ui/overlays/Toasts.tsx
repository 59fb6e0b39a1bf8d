import { Toast } from '@base-ui/react/toast'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { cx } from '../cx.ts'
import { connectToasts } from './toasts.ts'
import button from '../Button.module.css'
import css from './Toasts.module.css'

const manager = Toast.createToastManager()

/** Shows toasts. F6 moves the focus to them. */
export default function Toasts() {
  useEffect(() => connectToasts(manager), [])
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={css.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => (
    <Toast.Root key={item.id} toast={item} className={css.toast} data-tone={item.type}>
      <div className={css.text}>
        <Toast.Title className={css.title} />
        <Toast.Description className={css.description} />
      </div>
      {item.actionProps ? (
        <Toast.Action className={cx(button['button'], button['secondary'], button['small'])} />
      ) : null}
      {/* Base UI hides the button from screen readers until the list is focused, although Tab reaches it. */}
      <Toast.Close
        className={cx(button['button'], button['quiet'], button['square'])}
        aria-label="Dismiss"
        aria-hidden={false}
      >
        <X aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ))
}
