import { announce } from './announce.tsx'
import { toast } from './toasts.ts'

/**
 * Copies text to the clipboard and announces it. If the browser refuses, a toast says so.
 * @param instead what to do in that case
 * @param said the announcement
 */
export async function copyText(text: string, instead = 'Select the text instead.', said = 'Copied'): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    toast({ title: 'The browser didn’t allow copying', description: instead, tone: 'bad' })
    return false
  }
  announce(said)
  return true
}
