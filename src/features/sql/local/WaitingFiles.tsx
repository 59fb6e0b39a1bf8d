import FileLock2 from 'lucide-react/icons/file-lock-2'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql } from '../context.tsx'
import type { LocalTableRecord } from '../types.ts'
import css from './Local.module.css'

/** Files on the disk that need the person's permission again. Renders nothing if there are none. */
export function WaitingFiles() {
  const waiting = useStore(useSql().local.tables.waiting)
  if (waiting.length === 0) return null
  return (
    <ul aria-label="Files that wait for your permission" className={css.list}>
      {waiting.map((table) => (
        <WaitingFile key={table.id} table={table} />
      ))}
    </ul>
  )
}

function WaitingFile({ table: { id, source } }: { readonly table: LocalTableRecord }) {
  const { tables } = useSql().local
  const [refusals, setRefusals] = useState(0)
  const ask = async (): Promise<void> => {
    if (!(await tables.allow(id))) setRefusals((count) => count + 1)
  }
  return (
    <li className={css.line}>
      <div className={css.head}>
        <span className={css.icon} data-failed={refusals > 0}>
          <FileLock2 aria-hidden />
        </span>
        <span className={css.name} title={source.name}>
          {source.name}
        </span>
        <Button size="small" aria-label={`Allow reading ${source.name}`} onClick={() => void ask()}>
          Allow reading
        </Button>
      </div>
      {refusals > 0 ? (
        // A new element each time, so that it's announced again.
        <div key={refusals} role="alert" className={css.problem}>
          <p>The browser doesn’t let the page read it.</p>
          <p>Choose “Allow reading” again and allow it. If the browser no longer asks, drop the file here again.</p>
        </div>
      ) : null}
    </li>
  )
}
