import { type ReactNode, useId } from 'react'
import { type SectionId, SECTIONS } from './sections.ts'
import Plus from 'lucide-react/icons/plus'
import Server from 'lucide-react/icons/server'
import { Link } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useSession } from '../../session/context.tsx'
import css from './Settings.module.css'
import screen from './SettingsScreen.module.css'

interface Props {
  readonly title: string
  /** At the right of the title. */
  readonly aside?: ReactNode
  /** Buttons below. */
  readonly foot?: ReactNode
  /** Without padding: for lists that go to the edges. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** A group of settings that belong together. */
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

/** A section's name, what it's about, and what can be done there first. */
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

interface ConsoleSectionProps {
  readonly id: SectionId
  /** What the button is called that makes another one. */
  readonly action: string
  /** What a connected service manages on its own pages. */
  readonly what: string
  readonly onAction: () => void
  readonly children: ReactNode
}

/** A section of things that the console makes; a connected service makes its own elsewhere. */
export function ConsoleSection({ id, action, what, onAction, children }: ConsoleSectionProps) {
  const reason = useId()
  const remote = useSession().console === null
  return (
    <>
      <SectionHeading id={id}>
        <Button
          look="primary"
          icon={<Plus aria-hidden />}
          disabled={remote}
          aria-describedby={remote ? reason : undefined}
          onClick={onAction}
        >
          {action}
        </Button>
      </SectionHeading>
      {remote ? (
        <div id={reason}>
          <RemoteNotice what={what} />
        </div>
      ) : (
        children
      )}
    </>
  )
}

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
