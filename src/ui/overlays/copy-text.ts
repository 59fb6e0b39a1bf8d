import { announce } from './announce.tsx'
import { toast } from './toasts.ts'

/**
 * Puts a text on the clipboard, and tells assistive technology. Where the browser forbids it, a toast says so.
 * @param instead what to do then
 * @param said what is announced
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
