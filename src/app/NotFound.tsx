import { Link, useLocation } from 'react-router'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './SessionGate.module.css'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <EmptyState
      className={css.page}
      title="Nobody lives at this address"
      actions={<Link to="/convert">Go to Convert</Link>}
    >
      There’s no page at <code>{pathname}</code>. The link may be old, or mistyped.
    </EmptyState>
  )
}
