import { saveFile } from '../../../ui/save.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { formatBytes } from '../../../lib/bytes.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { formatCount, formatElapsed } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { prettyJson, type Outcome } from '../model/send.ts'
import type { Run } from '../use-runs.ts'
import { CodeBlock } from './CodeBlock.tsx'
import css from './Answer.module.css'

/** Most characters of an answer to render. */
const SHOWN = 100_000

/** The result of a request. */
export function Answer({ run }: { readonly run: Run }) {
  if (run.status === 'running') {
    return (
      <div className={css.note}>
        <Progress label="Waiting for the answer" value={null} />
      </div>
    )
  }
  if (run.status === 'failed') {
    return (
      <div className={css.note}>
        <Notice tone="bad" live="alert" flush>
          <strong>Nothing answered</strong>
          <span>{`Check the connection, and that the service allows this page to call it. ${run.message}`}</span>
        </Notice>
      </div>
    )
  }
  return <Answered outcome={run.outcome} />
}

function Answered({ outcome }: { readonly outcome: Outcome }) {
  const [tab, setTab] = useState<'body' | 'headers'>('body')
  const pretty = useMemo(() => prettyJson(outcome.text), [outcome])
  const header = (name: string): string | null =>
    outcome.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null
  const [limit, remaining] = [header('x-ratelimit-limit'), header('x-ratelimit-remaining')]
  const good = outcome.status >= 200 && outcome.status < 300
  return (
    <section className={css.answer} aria-label="Answer">
      <p className={css.line}>
        <Badge tone={good ? 'good' : 'bad'}>{`${outcome.status} ${good ? 'OK' : nameOf(outcome)}`.trim()}</Badge>
        <span>{formatElapsed(outcome.milliseconds)}</span>
        <span>{formatBytes(new Blob([outcome.text]).size)}</span>
        {limit !== null && remaining !== null ? (
          <span>{`${formatCount(Number(remaining))} of ${formatCount(Number(limit))} requests left`}</span>
        ) : null}
      </p>
      <Tabs
        label="Answer"
        value={tab}
        onChange={setTab}
        items={[
          { value: 'body', label: 'Body', panel: bodyPanel(pretty, outcome.cut) },
          { value: 'headers', label: 'Headers', note: outcome.headers.length, panel: headersPanel(outcome) },
        ]}
      />
    </section>
  )
}

function bodyPanel(pretty: string, cut: boolean): () => ReactNode {
  return () => <AnswerBody pretty={pretty} cut={cut} />
}

function headersPanel({ headers }: Outcome): () => ReactNode {
  const code = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return () => <CodeBlock label="Headers" language="http" code={code} />
}

function AnswerBody({ pretty, cut }: { readonly pretty: string; readonly cut: boolean }) {
  if (pretty === '') return <p className={css.empty}>The answer has no body.</p>
  const more = pretty.length > SHOWN
  return (
    <>
      <CodeBlock
        label="Answer’s body"
        language="json"
        code={more ? pretty.slice(0, SHOWN) : pretty}
        copy="Copy the answer"
      />
      {more || cut ? (
        <p className={css.more}>
          {cut ? 'The answer was longer than a page can hold, and was cut.' : 'The beginning is shown.'}
          <Button
            size="small"
            look="quiet"
            onClick={() => saveFile(new Blob([pretty], { type: 'application/json' }), 'answer.json')}
          >
            Save it
          </Button>
        </p>
      ) : null}
    </>
  )
}

/** The error's code, if the answer has one. */
function nameOf({ text }: Outcome): string {
  return /"code"\s*:\s*"([A-Z_]+)"/.exec(text.slice(0, 2000))?.[1] ?? ''
}
