import type { ToastManager } from '@base-ui/react/toast'
import { asError } from '../../lib/errors.ts'

export interface ToastMessage {
  readonly title: string
  readonly description?: string | null
  readonly tone?: 'good' | 'bad'
  /** Until it's dismissed: nothing else on the page says it. */
  readonly stays?: boolean
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Called when it's no longer there: dismissed, or its time was up, or its action was taken. */
  readonly onGone?: () => void
}

let manager: ToastManager | null = null
let waiting: ToastMessage[] = []

/** Says that something happened. Never for errors that a card already shows. */
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

/** Says that something failed, and why. */
export function toastFailure(title: string, error: unknown): void {
  toast({ title, description: asError(error).message, tone: 'bad' })
}

/** Connects the part of the page that shows them; it's loaded after the first paint. */
export function connectToasts(next: ToastManager): void {
  manager = next
  const early = waiting
  waiting = []
  for (const message of early) toast(message)
}
