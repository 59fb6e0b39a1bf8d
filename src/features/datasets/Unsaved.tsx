import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'

/** Asks before the page or the screen is left, as long as it's there: what was typed would be lost. */
export function Unsaved({ what }: { readonly what: string }) {
  const blocker = useBlocker(true)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      cancel="Stay"
      danger
      open={blocker.state === 'blocked'}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <p>Your changes to {what} aren’t saved yet.</p>
    </ConfirmDialog>
  )
}
