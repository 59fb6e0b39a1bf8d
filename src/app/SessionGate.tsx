import PlugZap from 'lucide-react/icons/plug-zap'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSessionState } from '../session/context.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import css from './SessionGate.module.css'

/** Shows what's in it once there's a session; until then that it's being opened, or why it can't be. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const state = useSessionState()
  if (state.status === 'ready') return children
  if (state.status === 'connecting') {
    return (
      <EmptyState busy className={css.page} icon={<Spinner />}>
        Opening your workspace…
      </EmptyState>
    )
  }
  return (
    <EmptyState
      live="alert"
      className={css.page}
      icon={<PlugZap aria-hidden />}
      title="Your workspace can’t be opened"
      actions={
        <>
          <Button look="primary" onClick={state.retry}>
            Try again
          </Button>
          <Link to="/convert">Go to Convert, which works without it</Link>
        </>
      }
    >
      {state.error.message}
    </EmptyState>
  )
}
