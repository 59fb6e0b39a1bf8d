import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { guardLeaving } from '../../ui/leaving.ts'

/** State of a navigation away from something deleted: there's nothing left to save. */
export const GONE = 'gone'

/** While mounted, asks before the page or the screen is left, since input would be lost. */
export function Unsaved({ what }: { readonly what: string }) {
  const blocker = useBlocker(({ nextLocation }) => nextLocation.state !== GONE)
  useEffect(
    () =>
      guardLeaving(
        () => () => undefined,
        () => true,
      ),
    [],
  )
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
