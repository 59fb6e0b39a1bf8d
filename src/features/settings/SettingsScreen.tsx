import BookOpen from 'lucide-react/icons/book-open'
import { type ComponentType, lazy, type LazyExoticComponent, Suspense, useEffect, useRef } from 'react'
import { Link, useParams } from 'react-router'
import { useSessionState } from '../../session/context.tsx'
import { type SectionId, SECTIONS } from './sections.ts'
import { Page, PageHeader } from '../../ui/Page.tsx'
import { usePageTitle } from '../../ui/hooks/use-page-title.ts'
import css from './SettingsScreen.module.css'
import PlugZap from 'lucide-react/icons/plug-zap'
import type { SessionState } from '../../session/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { Card, SectionHeading } from './parts.tsx'
import { ServiceForm } from './connection/ServiceForm.tsx'

const PANELS: Readonly<Record<SectionId, LazyExoticComponent<ComponentType>>> = {
  connection: lazy(() => import('./connection/ConnectionSection.tsx')),
  keys: lazy(() => import('./keys/KeysSection.tsx')),
  usage: lazy(() => import('./usage/UsageSection.tsx')),
  workspaces: lazy(() => import('./workspaces/WorkspacesSection.tsx')),
  backup: lazy(() => import('./backup/BackupSection.tsx')),
  appearance: lazy(() => import('./AppearanceSection.tsx')),
  about: lazy(() => import('./about/AboutSection.tsx')),
}

/** The Settings screen, with an address for each section. */
export function SettingsScreen() {
  const { section = 'connection' } = useParams()
  const state = useSessionState()
  const found = SECTIONS.find(({ id }) => id === section)
  usePageTitle(found?.label ?? 'No such page')
  const nav = useRef<HTMLElement>(null)
  // On phones the sections are in a scrolling row: scroll to the current one.
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another section is another current one
  }, [section])
  return (
    <Page className={css.screen}>
      <PageHeader title="Settings" className={css.title} />
      <nav ref={nav} aria-label="Settings" className={css.nav}>
        {SECTIONS.map(({ id, label, icon: Icon }) => (
          <Link key={id} to={`/settings/${id}`} className={css.link} aria-current={id === section ? 'page' : undefined}>
            <Icon aria-hidden />
            {label}
          </Link>
        ))}
        <Link to="/reference" className={css.link}>
          <BookOpen aria-hidden />
          API reference
        </Link>
      </nav>
      <div className={css.content}>
        {found ? (
          <Suspense>
            <Section id={found.id} state={state} />
          </Suspense>
        ) : (
          <EmptyState title="There’s no such page in Settings">The link may be old, or mistyped.</EmptyState>
        )}
      </div>
    </Page>
  )
}

function Section({ id, state }: Props) {
  const Panel = PANELS[id]
  const needsSession = id !== 'appearance' && id !== 'about' && state.status !== 'ready'
  return needsSession ? <NoSession id={id} state={state} /> : <Panel key={id} />
}

interface Props {
  readonly id: SectionId
  readonly state: SessionState
}

/** Shown before there's a session, or if it can't be opened: then another connection may help. */
function NoSession({ id, state }: Props) {
  if (state.status !== 'failed') {
    return (
      <>
        <SectionHeading id={id} />
        <EmptyState live="status" busy icon={<Spinner />}>
          Opening your workspace…
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <SectionHeading id={id} />
      <Notice
        tone="bad"
        live="alert"
        flush
        icon={<PlugZap aria-hidden />}
        actions={
          <Button size="small" onClick={state.retry}>
            Try again
          </Button>
        }
      >
        <p>
          <strong>Your workspace can’t be opened.</strong>
        </p>
        <p>{state.error.message}</p>
      </Notice>
      {id === 'connection' ? (
        <Card title="Connect to a service on the network">
          <ServiceForm />
        </Card>
      ) : null}
    </>
  )
}
