import type { ToastMessage } from '../../../ui/overlays/toasts.ts'
import { keepProblem } from '../database.ts'
import type { LocalTableRecord } from '../types.ts'

interface Question extends Pick<ToastMessage, 'title' | 'description' | 'tone'> {
  /** Label of the action. */
  readonly label: string
}

export const removed = ({ name, kept }: LocalTableRecord): Question => ({
  title: `“${name}” removed`,
  description: `${kept ? '' : 'Its file on your disk is untouched. '}Statements that name it no longer run.`,
  label: 'Undo',
})

export const notPutBack = ({ name }: LocalTableRecord, error: unknown): Question => ({
  title: `“${name}” couldn’t be put back`,
  description: keepProblem(error),
  tone: 'bad',
  label: 'Try again',
})

/** Shows a toast with an action. Resolves to whether the person chose it before the toast was gone. */
export function ask(toast: (message: ToastMessage) => void, { label, ...words }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    toast({ ...words, action: { label, run: () => resolve(true) }, onGone: () => resolve(false) })
  })
}
