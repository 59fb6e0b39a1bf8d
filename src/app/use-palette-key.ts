import { useEffect, useState } from 'react'

/** Whether the command palette is open; Ctrl+K (on a Mac, ⌘K) opens and closes it. */
export function usePaletteKey(): readonly [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen((old) => !old)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return [open, setOpen]
}
