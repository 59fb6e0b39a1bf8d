import { useEffect } from 'react'
import { filesDropped } from '../../ui/overlays/files-dropped.ts'
import { useConvert } from './context.tsx'

/** Pasting outside of fields adds the files on the clipboard, or its text as a file. */
export function usePaste(): void {
  const { addFiles } = useConvert()
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null
      if (
        !event.clipboardData ||
        target?.closest('input:not([type=checkbox], [type=file]), textarea, [contenteditable]')
      )
        return
      const { clipboardData } = event
      event.preventDefault()
      if (clipboardData.files.length > 0) {
        void filesDropped(clipboardData).then(addFiles)
        return
      }
      const file = pastedFile(clipboardData.getData('text/plain'))
      if (file) void addFiles([file])
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [addFiles])
}

/**
 * Clipboard text as a file, with every character unchanged: rows of empty cells and `""` have a meaning that parsing
 * here would lose. Text with tabs is from a spreadsheet; other text may be CSV with any delimiter.
 */
export function pastedFile(text: string): File | null {
  if (text.trim() === '') return null
  if (/^\s*[[{]/.test(text)) return new File([text], 'pasted.json', { type: 'application/json' })
  return /^[^\r\n]*\t/.test(text)
    ? new File([text], 'pasted.tsv', { type: 'text/tab-separated-values' })
    : new File([text], 'pasted.csv', { type: 'text/csv' })
}
