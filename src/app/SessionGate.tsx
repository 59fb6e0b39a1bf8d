import LoaderCircle from 'lucide-react/icons/loader-circle'
import PlugZap from 'lucide-react/icons/plug-zap'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSessionState } from '../session/context.tsx'
import { Button } from '../ui/Button.tsx'
import css from './SessionGate.module.css'

/** Shows what's in it once there's a session; until then that it's being opened, or why it can't be. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const state = useSessionState()
  if (state.status === 'ready') return children
  if (state.status === 'connecting') {
    return (
      <div className={css.page} aria-busy>
        <LoaderCircle aria-hidden className={css.spinner} />
        <p className={css.text}>Opening your workspace…</p>
      </div>
    )
  }
  return (
    <div className={css.page} role="alert">
      <PlugZap aria-hidden className={css.icon} />
      <h1 className={css.title}>Your workspace can’t be opened</h1>
      <p className={css.text}>{state.error.message}</p>
      <div className={css.actions}>
        <Button look="primary" onClick={state.retry}>
          Try again
        </Button>
        <Link to="/convert" className={css.link}>
          Go to Convert, which works without it
        </Link>
      </div>
    </div>
  )
}
