import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Cloud from 'lucide-react/icons/cloud'
import HardDrive from 'lucide-react/icons/hard-drive'
import { useId, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import { topicKey, useSessionState, useSessionStore } from '../session/context.tsx'
import type { Session } from '../session/session.ts'
import { Popover } from '../ui/overlays/Popover.tsx'
import { switchWorkspace } from './switch-workspace.ts'
import css from './WorkspaceMenu.module.css'

interface Props {
  readonly className?: string | undefined
}

/** Shows in the rail which workspace this is and where, with a menu to switch to another. */
export default function WorkspaceMenu({ className }: Props) {
  const state = useSessionState()
  const isReady = state.status === 'ready'
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  // The button replaces the link, whose focus would be lost.
  useLayoutEffect(() => {
    if (isReady && hadFocus.current) button.current?.focus()
    hadFocus.current = false
  }, [isReady])
  if (!isReady) {
    return (
      <Link
        to="/settings/connection"
        className={className}
        data-state={state.status}
        onFocus={() => (hadFocus.current = true)}
        onBlur={() => (hadFocus.current = false)}
      >
        <HardDrive aria-hidden />
        <span className={css.name}>{state.status === 'failed' ? 'Not open' : 'Opening…'}</span>
      </Link>
    )
  }
  const { session } = state
  const [name, place] = placeOf(session)
  const Icon = session.local ? HardDrive : Cloud
  return (
    <Popover
      title={session.local ? 'Workspaces in this browser' : 'Connected to a service'}
      side="right"
      trigger={
        <button
          ref={button}
          type="button"
          className={className}
          aria-label={`Workspace ${name}, ${place}`}
          title={`${name} (${place})`}
        >
          <Icon aria-hidden />
          <span className={css.name}>{name}</span>
        </button>
      }
    >
      {session.console ? <Workspaces session={session} /> : null}
      {session.local ? (
        <>
          <p className={css.text}>Everything in them is kept in this browser and never leaves this machine.</p>
          <p className={css.links}>
            <Link to="/settings/workspaces">Manage workspaces</Link>
            <Link to="/settings/connection">Connect to a service</Link>
          </p>
        </>
      ) : (
        <Remote session={session} />
      )}
    </Popover>
  )
}

function placeOf({ connection, slug }: Session): readonly [name: string, place: string] {
  if (connection.kind === 'stand-in') return [connection.workspace.name, 'in this browser']
  const { host } = new URL(connection.baseUrl)
  return [slug || host, `on ${host}`]
}

function Workspaces({ session }: { readonly session: Session }) {
  const store = useSessionStore()
  const list = useId()
  const { data } = useQuery({
    queryKey: topicKey(session, 'workspaces'),
    queryFn: ({ signal }) => session.console?.workspaces({ signal }) ?? [],
  })
  return (
    <ul className={css.list} id={list}>
      {(data ?? []).map(({ id, name, slug }) => (
        <li key={id}>
          <button
            type="button"
            className={css.choice}
            aria-current={id === session.workspaceId}
            onClick={() => void switchWorkspace(store, { id, name })}
          >
            <span className={css.choiceName}>{name}</span>
            <code className={css.slug}>{slug}</code>
            {id === session.workspaceId ? <Check aria-hidden /> : null}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Remote({ session }: { readonly session: Session }) {
  return (
    <>
      <dl className={css.facts}>
        <dt>Address</dt>
        <dd>
          <code>{session.apiBaseUrl}</code>
        </dd>
        {session.console ? null : (
          <>
            <dt>Workspace</dt>
            <dd>
              <code>{session.slug || session.workspaceId}</code>
            </dd>
          </>
        )}
      </dl>
      <p className={css.text}>Datasets are on that service. Files are converted in this browser all the same.</p>
      <p className={css.links}>
        {session.console ? <Link to="/settings/workspaces">Manage workspaces</Link> : null}
        <Link to="/settings/connection">Change the connection</Link>
      </p>
    </>
  )
}
