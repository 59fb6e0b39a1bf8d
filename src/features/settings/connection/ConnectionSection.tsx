import HardDrive from 'lucide-react/icons/hard-drive'
import Server from 'lucide-react/icons/server'
import { useState } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Choices } from '../../../ui/fields/Choices.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useSession, useSessionStore } from '../../../session/context.tsx'
import { Card, ConfirmAction, SectionHeading } from '../parts.tsx'
import { policyAllows } from './run-probe.ts'
import { ServiceForm } from './ServiceForm.tsx'
import css from '../Settings.module.css'

type Kind = 'stand-in' | 'remote'

export default function ConnectionSection() {
  const { connection } = useSession()
  const [kind, setKind] = useState<Kind>(connection.kind)
  return (
    <>
      <SectionHeading id="connection" />
      {connection.kind === 'remote' && !policyAllows(new URL(connection.baseUrl).origin) ? (
        <Notice
          tone="warn"
          live="status"
          flush
          actions={
            <Button size="small" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          <p>
            <strong>This page can’t reach {new URL(connection.baseUrl).host} yet.</strong> Browsers load it that way
            after a hard reload, or before Rowhouse was kept for offline use. Reload it the usual way.
          </p>
        </Notice>
      ) : null}
      <Current />
      <Card title="Where your datasets are">
        <Choices
          label="Service"
          value={kind}
          onChange={setKind}
          choices={[
            {
              value: 'stand-in',
              label: 'This browser',
              hint: 'A complete service for this browser alone: other programs can’t reach it. Nothing leaves the machine; works offline.',
              icon: <HardDrive aria-hidden />,
            },
            {
              value: 'remote',
              label: 'A service on the network',
              hint: 'Datasets are published to it, and shared with others.',
              icon: <Server aria-hidden />,
            },
          ]}
        />
        {kind === 'remote' ? <ServiceForm /> : <StandInSwitch />}
      </Card>
    </>
  )
}

/** The current connection. */
function Current() {
  const { connection, apiBaseUrl, slug, workspaceId } = useSession()
  const here = connection.kind === 'stand-in'
  return (
    <Card
      title="Connected to"
      aside={
        <Badge tone="accent" icon={here ? <HardDrive aria-hidden /> : <Server aria-hidden />}>
          {here ? 'This browser' : new URL(connection.baseUrl).host}
        </Badge>
      }
    >
      <dl className={css.facts}>
        <dt>Base URL</dt>
        <dd>
          <code>{apiBaseUrl}</code>
          <CopyButton bare label="Copy base URL" text={apiBaseUrl} />
        </dd>
        {here ? (
          <>
            <dt>Workspace</dt>
            <dd>{connection.workspace.name}</dd>
          </>
        ) : null}
        <dt>Workspace id</dt>
        <dd>
          <code>{workspaceId}</code>
          <CopyButton bare label="Copy workspace id" text={workspaceId} />
        </dd>
        <dt>Name in SQL</dt>
        <dd>{slug ? <code>{slug}.dataset.table</code> : 'Unknown: queries can’t name it'}</dd>
      </dl>
    </Card>
  )
}

/** Switches from a service on the network to the one in this browser. */
function StandInSwitch() {
  const { connection } = useSession()
  const store = useSessionStore()
  const [open, setOpen] = useState(false)
  if (connection.kind === 'stand-in') {
    return (
      <p className={css.words}>
        Rowhouse is connected to this browser. Files, datasets and keys are kept here, on this machine, in this
        browser’s storage: make a backup now and then.
      </p>
    )
  }
  const host = new URL(connection.baseUrl).host
  return (
    <>
      <div className={css.buttons}>
        <Button look="primary" onClick={() => setOpen(true)}>
          Connect to this browser
        </Button>
      </div>
      <ConfirmAction
        title="Connect to this browser?"
        action="Connect and reload"
        open={open}
        work={() => store.connect(null)}
        onClose={() => setOpen(false)}
      >
        <ul className={css.consequences}>
          <li>Rowhouse shows the datasets of this browser again; they’re as you left them.</li>
          <li>
            Nothing changes at <strong>{host}</strong>, but its key is forgotten here: keep it if you mean to come back.
          </li>
          <li>The page reloads.</li>
        </ul>
      </ConfirmAction>
    </>
  )
}
