import { useEffect } from 'react'
import { filesDropped } from '../../ui/files-dropped.ts'
import { useConvert } from './context.tsx'
import { pastedFile } from './model/pasted.ts'

/** Pasting anywhere but into a field adds the files on the clipboard, or its text as one. */
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
        void filesDropped(clipboardData).then(({ files }) => addFiles(files))
        return
      }
      const file = pastedFile(clipboardData.getData('text/plain'))
      if (file) void addFiles([file])
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [addFiles])
}
