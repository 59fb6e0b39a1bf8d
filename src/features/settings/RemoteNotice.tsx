import Server from 'lucide-react/icons/server'
import { Link } from 'react-router'
import { Notice } from '../../ui/Notice.tsx'
import { useSession } from '../../session/context.tsx'

/** Says why there's nothing to set here while Rowhouse is connected to a service of its own pages. */
export function RemoteNotice({ what }: { readonly what: string }) {
  const { connection } = useSession()
  if (connection.kind !== 'remote') return null
  return (
    <Notice tone="info" flush icon={<Server aria-hidden />}>
      <p>
        <strong>{new URL(connection.baseUrl).host}</strong> manages {what} on its own pages. What is kept in this
        browser is untouched: <Link to="/settings/connection">connect to this browser</Link> to get at it.
      </p>
    </Notice>
  )
}
