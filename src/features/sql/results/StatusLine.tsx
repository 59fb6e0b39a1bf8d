import Pin from 'lucide-react/icons/pin'
import { useEffect, useState } from 'react'
import { formatBytes } from '../../../lib/bytes.ts'
import { Button } from '../../../ui/Button.tsx'
import { formatElapsed, plural } from '../../../ui/format.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import type { ResultSet } from '../../../engine/client.ts'
import { useSql } from '../context.tsx'
import type { SqlTab } from '../types.ts'
import { useResult } from './grid/use-result.ts'
import { findStatement } from './text.ts'
import { isPinned, MOST_PINNED, shownRows, type HeldRun, type RunState, type ShownRun } from './types.ts'
import css from './StatusLine.module.css'

interface Props {
  readonly run: RunState
  readonly tab: Pick<SqlTab, 'id' | 'text' | 'view'>
  readonly canPin?: boolean
}

/** Status of the tab's last run: rows, time, bytes, where it ran and why. */
export function StatusLine({ run, tab, canPin = true }: Props) {
  const busy = run.stage !== 'idle'
  const rows = shownRows(run)
  return (
    <div className={css.line}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- `output` is of a form's controls */}
      <p role="status" className={css.words}>
        {busy ? (
          <Facts facts={[busyWords(run), ...(isPrevious(rows, run) ? [PREVIOUS] : [])]} />
        ) : (
          <DoneWords run={run} tab={tab} rows={rows} />
        )}
      </p>
      <Transaction run={run} tabId={tab.id} />
      {busy ? <Elapsed since={run.startedAt} result={run.run?.result ?? null} /> : null}
      {busy ? <Share tabId={tab.id} /> : null}
      {canPin && tab.view !== 'plan' && rows ? <PinButton run={run} rows={rows} tabId={tab.id} /> : null}
    </div>
  )
}

interface PinProps {
  readonly run: RunState
  readonly rows: HeldRun
  readonly tabId: string
}

/** Keeps this result on the page beside later ones. */
function PinButton({ run, rows, tabId }: PinProps) {
  const { runner } = useSql()
  const { status } = useResult(rows.result)
  const pinned = isPinned(run, rows)
  const isFull = !pinned && run.pinned.length >= MOST_PINNED
  const what = isFull ? `${MOST_PINNED} results are pinned: unpin one first` : 'Keep this result beside the next one'
  return (
    <Button
      size="small"
      look="quiet"
      icon={<Pin aria-hidden />}
      className={css.pin}
      aria-pressed={pinned}
      disabled={status === 'running' || isFull}
      title={status === 'running' ? 'Once all rows are here' : pinned ? 'Unpin' : what}
      onClick={() => (pinned ? runner(tabId).unpin(rows) : runner(tabId).pin())}
    >
      Pin
    </Button>
  )
}

/** COMMIT and ROLLBACK buttons, while a transaction is open. */
function Transaction({ run, tabId }: { readonly run: RunState; readonly tabId: string }) {
  const { runner } = useSql()
  const { transaction, stage } = run
  if (transaction === null) return null
  const end = (text: string) => () =>
    void runner(tabId).run({ text, part: { kind: 'all' }, where: 'browser', parameters: {} })
  const busy = stage !== 'idle'
  return (
    <fieldset aria-label="Transaction" className={css.transaction}>
      <span>{transaction === 'open' ? 'In a transaction' : 'The transaction has failed'}</span>
      {transaction === 'open' ? (
        <Button size="small" disabled={busy} title="COMMIT: keeps what was changed" onClick={end('COMMIT')}>
          Commit
        </Button>
      ) : null}
      <Button size="small" disabled={busy} title="ROLLBACK: undoes what was changed" onClick={end('ROLLBACK')}>
        Roll back
      </Button>
    </fieldset>
  )
}

/** Progress, if the engine reports it. */
function Share({ tabId }: { readonly tabId: string }) {
  const { runner } = useSql()
  const share = useStore(runner(tabId).progress, (progress) => progress?.fraction ?? null)
  if (share === null) return null
  return (
    <>
      <span className={css.progress}>
        <Progress label="Progress of the statement" value={share} />
      </span>
      <span aria-hidden>{Math.floor(share * 100)} %</span>
    </>
  )
}

const PREVIOUS = 'showing the previous result'

/** Whether the shown rows are of an earlier statement. */
function isPrevious(rows: HeldRun | null, { run }: RunState): boolean {
  return rows !== null && run !== null && rows !== run
}

function busyWords(run: RunState): string {
  const at = run.steps.findIndex(({ outcome }) => outcome === 'running')
  if (run.waits) return `Creates what is gone again (${at + 1} of ${run.steps.length}), then runs what you asked for…`
  if (run.stage === 'preparing') return 'Preparing…'
  if (run.stage === 'explaining') return 'Asking for the plan…'
  const file = run.run?.waitsFor
  if (file) return `Waits for all of ${file}, which is being added…`
  const place = run.run?.where === 'service' ? 'on the service' : 'in this browser'
  return at >= 0 ? `Statement ${at + 1} of ${run.steps.length} runs ${place}…` : `Runs ${place}…`
}

interface DoneProps extends Pick<Props, 'run' | 'tab'> {
  readonly rows: HeldRun | null
}

function DoneWords({ run, tab, rows }: DoneProps) {
  if (tab.view === 'plan' && run.plan) {
    return run.plan.analyzed ? 'The plan, with the time that each step took' : 'The plan; nothing was run'
  }
  const shown = rows ?? run.run
  if (run.problem && !run.run?.error && run.steps.length === 0) return 'Not run'
  if (!shown) return 'Not run yet'
  const { summary, result, why, took, cancelled, error } = shown
  const last = run.run
  if (last?.cancelled && isPrevious(rows, run)) {
    return <Facts facts={['Cancelled', last.took === null ? '' : formatElapsed(last.took), PREVIOUS]} />
  }
  const facts: string[] = []
  if (error) facts.push('Failed')
  if (cancelled) facts.push('Cancelled')
  if (rows) facts.push(rowWords(rows))
  else if (summary) facts.push('Done')
  if (took !== null) facts.push(formatElapsed(summary?.totalMs ?? took))
  if (result && result.bytes > 0) facts.push(formatBytes(result.bytes))
  if (rows && !findStatement(tab.text, shown)) facts.push('from before your last edit')
  return (
    <>
      <Facts facts={facts} />
      <span className={css.fact} title={why === '' ? undefined : `Because ${why}`}>
        {placeWords(shown)}
      </span>
    </>
  )
}

function Facts({ facts }: { readonly facts: readonly string[] }) {
  return facts
    .filter((fact) => fact !== '')
    .map((fact) => (
      <span key={fact} className={css.fact}>
        {fact}
      </span>
    ))
}

/** Where the statement ran, and why if that isn't the usual place. */
function placeWords({ where, why }: ShownRun): string {
  if (where === 'browser') return 'in this browser'
  return why === '' ? 'on the service' : `on the service: ${why}`
}

function rowWords({ result, summary, where, cancelled, error }: HeldRun): string {
  const count = plural(result.rowCount, 'row')
  if (summary?.leftOut) {
    return where === 'service'
      ? `The first ${count}: the service returns no more`
      : `The first ${count}: more don’t fit into memory`
  }
  return cancelled || error ? `${count} before that` : count
}

/** Rows so far and elapsed seconds. Hidden from screen readers, since it changes all the time. */
function Elapsed({ since, result }: { readonly since: number | null; readonly result: ResultSet | null }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  const { rowCount: count } = useResult(result)
  const took = since === null || now === null ? 0 : now - since
  return (
    <span aria-hidden className={css.elapsed}>
      {count > 0 ? `${plural(count, 'row')} so far · ` : ''}
      {took > 400 ? formatElapsed(took) : ''}
    </span>
  )
}
