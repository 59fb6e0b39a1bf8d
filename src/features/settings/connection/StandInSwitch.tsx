import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useSession, useSessionStore } from '../../../session/context.tsx'
import { useAction } from '../use-console.ts'
import css from '../Settings.module.css'

/** Back from a service on the network to the one in this browser. */
export function StandInSwitch() {
  const { connection } = useSession()
  const store = useSessionStore()
  const [open, setOpen] = useState(false)
  const connect = useAction(() => store.connect(null))
  if (connection.kind === 'stand-in') {
    return (
      <p className={css.words}>
        Rowhouse is connected to this browser. Files, datasets and keys are kept here, on this machine, in this
        browser’s storage: make a backup now and then.
      </p>
    )
  }
  const host = new URL(connection.baseUrl).host
  return (
    <>
      <div className={css.buttons}>
        <Button look="primary" onClick={() => setOpen(true)}>
          Connect to this browser
        </Button>
      </div>
      <ConfirmDialog
        title="Connect to this browser?"
        action="Connect and reload"
        open={open}
        busy={connect.busy}
        error={connect.error}
        onClose={() => setOpen(false)}
        onConfirm={() => void connect.run(undefined)}
      >
        <ul className={css.consequences}>
          <li>Rowhouse shows the datasets of this browser again; they’re as you left them.</li>
          <li>
            Nothing changes at <strong>{host}</strong>, but its key is forgotten here: keep it if you mean to come back.
          </li>
          <li>The page reloads.</li>
        </ul>
      </ConfirmDialog>
    </>
  )
}
