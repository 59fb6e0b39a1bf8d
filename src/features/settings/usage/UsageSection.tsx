import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useEffect, useState } from 'react'
import type { UsageData } from '../../../contract/schemas.ts'
import { useSession, useRateLimit } from '../../../session/context.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Select } from '../../../ui/fields/Field.tsx'
import { Gauge } from '../../../ui/Gauge.tsx'
import { Card, ConsoleNotice, placeOf, SectionHeading } from '../parts.tsx'
import { useUsage } from '../use-console.ts'
import { StorageCard, WorkspacesCard, WorkspaceStorage } from './StorageCard.tsx'
import { groupWindows, isUsed, viewWindow, WINDOW_WORDS, type WindowGroup } from './windows.ts'
import css from '../Settings.module.css'
import own from './Usage.module.css'
import { capitalized } from '../../../lib/text.ts'

export default function UsageSection() {
  const { console, local, connection } = useSession()
  const usage = useUsage()
  return (
    <>
      <SectionHeading id="usage" />
      <LastAnswer />
      {usage.error ? <ProblemNotice problem={usage.error} /> : null}
      {usage.data ? <KeyWindows usage={usage.data} /> : null}
      {console ? null : <ConsoleNotice what="its keys and their limits" />}
      {usage.data && !local ? (
        <Card title={`Datasets ${placeOf(connection)}`}>
          <WorkspaceStorage storage={usage.data.storage} />
        </Card>
      ) : null}
      {console ? <WorkspacesCard /> : null}
      <StorageCard storage={local && usage.data ? usage.data.storage : null} />
    </>
  )
}

/** The window in the last answer: the one with the fewest requests left. */
function LastAnswer() {
  const { api, connection } = useSession()
  const now = useNow(1000)
  const rateLimit = useRateLimit()
  // Only an answer has the limits. A request for it counts like any other.
  useEffect(() => {
    const controller = new AbortController()
    if (api.rateLimit.snapshot() === null) void api.listDatasets({ signal: controller.signal }).catch(() => undefined)
    return () => controller.abort()
  }, [api])
  const plan = connection.kind === 'stand-in' ? connection.workspace.plan : null
  return (
    <Card title="This app’s key" aside={plan ? <Badge>{`${capitalized(plan)} plan`}</Badge> : null}>
      {rateLimit ? (
        <WindowGauge
          label="Requests"
          limit={rateLimit.limit}
          remaining={rateLimit.remaining}
          reset={rateLimit.reset.getTime()}
          now={now}
        />
      ) : (
        <p className={css.words}>
          Each answer says how many requests are left. None has come yet, or this service doesn’t say.
        </p>
      )}
    </Card>
  )
}

interface WindowProps {
  readonly label: string
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  readonly now: number
}

function WindowGauge({ label, now, ...window }: WindowProps) {
  const view = viewWindow(window, now)
  return <Gauge label={label} value={view.used} max={view.limit} text={view.text} note={view.note} tone={view.tone} />
}

/** All windows of a key. */
function KeyWindows({ usage }: { readonly usage: UsageData }) {
  const now = useNow(1000)
  const [chosen, setChosen] = useState('')
  const key = usage.keys.find(({ id }) => id === chosen) ?? usage.keys[0]
  if (!key) return null
  const groups = groupWindows(key.windows)
  const unused = groups.filter((group) => group.endpoint !== null && !isUsed(group, now))
  return (
    <Card
      title="Rate limits by key"
      aside={
        usage.keys.length > 1 ? (
          <div className={own.choose}>
            <Select
              compact
              aria-label="Key"
              value={key.id}
              options={usage.keys.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setChosen}
            />
          </div>
        ) : (
          <span className={css.reason}>{key.name}</span>
        )
      }
      flush
    >
      {groups
        .filter((group) => !unused.includes(group))
        .map((group) => (
          <GroupGauges key={group.endpoint ?? ''} group={group} now={now} />
        ))}
      {unused.length > 0 ? (
        <details className={own.unused}>
          <summary>Not used now: {unused.map(({ endpoint }) => endpoint).join(', ')}</summary>
          {unused.map((group) => (
            <GroupGauges key={group.endpoint} group={group} now={now} />
          ))}
        </details>
      ) : null}
    </Card>
  )
}

function GroupGauges({ group: { endpoint, windows }, now }: { readonly group: WindowGroup; readonly now: number }) {
  return (
    <div className={own.group}>
      <h4 className={own.endpoint}>{endpoint ? <code>{endpoint}</code> : 'All requests'}</h4>
      <div className={own.gauges}>
        {windows.map((window) => (
          <WindowGauge
            key={window.window}
            label={WINDOW_WORDS[window.window]}
            limit={window.limit}
            remaining={window.remaining}
            reset={window.reset * 1000}
            now={now}
          />
        ))}
      </div>
    </div>
  )
}
