import FileLock2 from 'lucide-react/icons/file-lock-2'
import { Button } from '../../../ui/Button.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql } from '../context.tsx'
import css from './Local.module.css'

/** Files on the disk that need the user's permission again. Renders nothing if there are none. */
export function WaitingFiles() {
  const { tables } = useSql().local
  const waiting = useStore(tables.waiting)
  if (waiting.length === 0) return null
  return (
    <ul aria-label="Files that wait for your permission" className={css.list}>
      {waiting.map(({ id, source }) => (
        <li key={id} className={css.line}>
          <div className={css.head}>
            <span className={css.icon}>
              <FileLock2 aria-hidden />
            </span>
            <span className={css.name} title={source.name}>
              {source.name}
            </span>
            <Button size="small" aria-label={`Allow reading ${source.name}`} onClick={() => void tables.allow(id)}>
              Allow reading
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}
