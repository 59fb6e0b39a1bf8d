import { useSession } from '../../session/context.tsx'
import css from './Reach.module.css'

interface Props {
  /** What needs a service on the network, following “to”. */
  readonly to?: string
}

/** Says that other programs can't reach the stand-in, which only answers this browser’s pages. */
export function Reach({ to = 'run this code as it is' }: Props) {
  const { connection } = useSession()
  if (connection.kind === 'remote') return null
  return (
    <p className={css.reach}>
      The service is in this page, where other programs can’t reach it. Connect a real one in Settings to {to}.
    </p>
  )
}
