import { type ComponentProps, type ReactNode, useId } from 'react'
import { type SectionId, SECTIONS } from './sections.ts'
import Plus from 'lucide-react/icons/plus'
import Server from 'lucide-react/icons/server'
import { Link } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { announce } from '../../ui/overlays/announce.tsx'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { useSession } from '../../session/context.tsx'
import type { ChangeTopic, Connection } from '../../session/session.ts'
import { inWords } from '../shared/problem.ts'
import { useAction } from './use-console.ts'
import css from './Settings.module.css'
import screen from './SettingsScreen.module.css'

interface Props {
  readonly title: string
  /** Shown at the right of the title. */
  readonly aside?: ReactNode
  /** Buttons at the bottom. */
  readonly foot?: ReactNode
  /** Without padding, for lists that reach the edges. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** A group of related settings. */
export function Card({ title, aside, foot, flush, children }: Props) {
  const id = useId()
  return (
    <section className={css.card} aria-labelledby={id}>
      <div className={css.cardHead}>
        <h3 id={id} className={css.cardTitle}>
          {title}
        </h3>
        {aside}
      </div>
      {flush ? children : <div className={css.cardBody}>{children}</div>}
      {foot ? <div className={css.cardFoot}>{foot}</div> : null}
    </section>
  )
}

/** A section's title and description, with its main action. */
export function SectionHeading({ id, children }: { readonly id: SectionId; readonly children?: ReactNode }) {
  const section = SECTIONS.find((one) => one.id === id)
  return (
    <header className={screen.heading}>
      <div>
        <h2 className={screen.name}>{section?.label}</h2>
        <p className={screen.description}>{section?.description}</p>
      </div>
      {children}
    </header>
  )
}

interface ConfirmActionProps extends Omit<ComponentProps<typeof ConfirmDialog>, 'busy' | 'error' | 'onConfirm'> {
  readonly work: () => Promise<void>
  /** What it changes. */
  readonly topics?: readonly ChangeTopic[]
  /** Announced when it's done, and the dialog closes. Omitted if the page reloads then. */
  readonly done?: string
}

/** Asks before an action, runs it, and says in the dialog why it failed. */
export function ConfirmAction({ work, topics, done, onClose, ...dialog }: ConfirmActionProps) {
  const { run, busy, error } = useAction(async () => {
    await work()
    return true
  }, topics)
  const go = async (): Promise<void> => {
    if (!(await run(undefined)) || done === undefined) return
    announce(done)
    onClose()
  }
  return <ConfirmDialog {...dialog} busy={busy} error={inWords(error)} onClose={onClose} onConfirm={() => void go()} />
}

/** Where workspaces are, in words: `in this browser`, `on data.example.com`. */
export const placeOf = (connection: Connection): string =>
  connection.kind === 'stand-in' ? 'in this browser' : `on ${new URL(connection.baseUrl).host}`

interface ConsoleSectionProps {
  readonly id: SectionId
  /** Label of the button to create one. */
  readonly action: string
  /** What the console manages, in words. */
  readonly what: string
  readonly onAction: () => void
  readonly children: ReactNode
}

/** A section for things that the console manages. */
export function ConsoleSection({ id, action, what, onAction, children }: ConsoleSectionProps) {
  const reason = useId()
  const closed = useSession().console === null
  return (
    <>
      <SectionHeading id={id}>
        <Button
          look="primary"
          icon={<Plus aria-hidden />}
          disabled={closed}
          aria-describedby={closed ? reason : undefined}
          onClick={onAction}
        >
          {action}
        </Button>
      </SectionHeading>
      {closed ? (
        <div id={reason}>
          <ConsoleNotice what={what} />
        </div>
      ) : (
        children
      )}
    </>
  )
}

/** Says that the operator's token is needed to manage these things here. */
export function ConsoleNotice({ what }: { readonly what: string }) {
  const { connection } = useSession()
  if (connection.kind !== 'remote') return null
  return (
    <RemoteNotice>
      If <strong>{new URL(connection.baseUrl).host}</strong> is a Rowhouse server,{' '}
      <Link to="/settings/connection">enter the operator’s token</Link> under Connection to manage {what} here. Any
      other service manages {what} on its own pages.
    </RemoteNotice>
  )
}

/** Says that there's nothing to set here while Rowhouse is connected to a service on the network. */
export function RemoteNotice({ children }: { readonly children: ReactNode }) {
  return (
    <Notice tone="info" flush icon={<Server aria-hidden />}>
      <p>{children}</p>
      <p>
        What is kept in this browser is untouched: <Link to="/settings/connection">connect to this browser</Link> to get
        at it.
      </p>
    </Notice>
  )
}
