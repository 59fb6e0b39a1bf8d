import PlugZap from 'lucide-react/icons/plug-zap'
import type { SessionState } from '../../session/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { Card, SectionHeading } from './parts.tsx'
import { ServiceForm } from './connection/ServiceForm.tsx'
import type { SectionId } from './sections.ts'

interface Props {
  readonly section: SectionId
  readonly state: SessionState
}

/** What there is to see before there's a session, or when there can't be one: another connection is then the way out. */
export function NoSession({ section, state }: Props) {
  if (state.status !== 'failed') {
    return (
      <>
        <SectionHeading id={section} />
        <EmptyState live="status" busy icon={<Spinner />}>
          Opening your workspace…
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <SectionHeading id={section} />
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
      {section === 'connection' ? (
        <Card title="Connect to a service on the network">
          <ServiceForm />
        </Card>
      ) : null}
    </>
  )
}
