import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useSession } from '../../../session/context.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Card } from '../parts.tsx'
import { useAction } from '../use-console.ts'
import css from '../Settings.module.css'

/** Removes everything that Rowhouse keeps in this browser. */
export function EraseCard({ reason }: { readonly reason: string | undefined }) {
  const { local } = useSession()
  const [open, setOpen] = useState(false)
  const erase = useAction(async () => {
    await local?.erase()
    // As on the very first visit.
    location.reload()
  })
  return (
    <Card
      title="Erase everything"
      foot={
        <Button
          look="danger"
          icon={<Trash aria-hidden />}
          disabled={!local}
          aria-describedby={reason}
          onClick={() => setOpen(true)}
        >
          Erase everything…
        </Button>
      }
    >
      <p className={css.words}>
        Removes all that Rowhouse keeps in this browser: workspaces, datasets, keys, conversions, recipes, local tables,
        queries, settings, and the app’s own files for offline use.
      </p>
      <ConfirmDialog
        title="Erase everything?"
        action="Erase everything"
        danger
        phrase="erase"
        open={open}
        busy={erase.busy}
        error={erase.error}
        onClose={() => setOpen(false)}
        onConfirm={() => void erase.run(undefined)}
      >
        <ul className={css.consequences}>
          <li>
            <strong>All datasets of all workspaces</strong>, all keys, all conversions, and all that SQL keeps in this
            browser are gone.
          </li>
          <li>Programs that use a key of this browser are refused.</li>
          <li>A backup that you downloaded is the only way back. Files that you downloaded stay.</li>
          <li>The page begins anew, and so do other tabs of Rowhouse.</li>
        </ul>
      </ConfirmDialog>
    </Card>
  )
}
