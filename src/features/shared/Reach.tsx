import { useSession } from '../../session/context.tsx'
import css from './Reach.module.css'

interface Props {
  /** What a real service is needed for, after “to”. */
  readonly to?: string
}

/** Says so where programs would reach nothing: the stand-in answers this browser’s pages alone. */
export function Reach({ to = 'run this code as it is' }: Props) {
  const { connection } = useSession()
  if (connection.kind === 'remote') return null
  return (
    <p className={css.reach}>
      The service is in this page, where other programs can’t reach it. Connect a real one in Settings to {to}.
    </p>
  )
}
