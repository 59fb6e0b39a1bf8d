import { useSession } from '../../../session/context.tsx'
import css from './Reach.module.css'

/** Says so where the code would reach nothing: the stand-in answers this browser’s pages alone. */
export function Reach() {
  const { connection } = useSession()
  if (connection.kind === 'remote') return null
  return (
    <p className={css.reach}>
      The service is in this page, where other programs can’t reach it. Connect a real one in Settings to run this code
      as it is.
    </p>
  )
}
