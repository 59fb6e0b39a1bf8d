import type { ToastManager } from '@base-ui/react/toast'
import { asError } from '../../lib/errors.ts'

export interface ToastMessage {
  readonly title: string
  readonly description?: string | null
  readonly tone?: 'good' | 'bad'
  /** Stays until it's dismissed, for what nothing else on the page says. */
  readonly stays?: boolean
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Called when it has closed: dismissed, timed out, or its action was taken. */
  readonly onGone?: () => void
}

let manager: ToastManager | null = null
let waiting: ToastMessage[] = []

/** Reports an event. Not for errors that a card already shows. */
export function toast(message: ToastMessage): void {
  if (!manager) {
    waiting.push(message)
    return
  }
  const { title, description, tone, stays, action, onGone } = message
  const shower = manager
  const id = shower.add({
    title,
    description,
    type: tone,
    timeout: stays ? 0 : action || tone === 'bad' ? 10_000 : 5000,
    onClose: onGone,
    actionProps: action
      ? {
          children: action.label,
          onClick: () => {
            action.run()
            shower.close(id)
          },
        }
      : undefined,
  })
}

/** Reports a failure with its reason. */
export function toastFailure(title: string, error: unknown): void {
  toast({ title, description: asError(error).message, tone: 'bad' })
}

/** Reports what went wrong, and what to do next. */
export function toastProblem(found: { readonly message: string; readonly remedy: string | null }): void {
  toast({ title: found.message, description: found.remedy, tone: 'bad' })
}

/** Connects the component that shows toasts, which is loaded after the first paint. */
export function connectToasts(next: ToastManager): void {
  manager = next
  const early = waiting
  waiting = []
  for (const message of early) toast(message)
}
