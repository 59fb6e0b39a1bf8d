import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { explain, type Problem } from '../../shared/problem.ts'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState, type ComponentProps } from 'react'
import { announce } from '../../../ui/overlays/announce.tsx'
import { useTask } from '../../../ui/hooks/use-task.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Field, TextField, TextInput } from '../../../ui/fields/Field.tsx'
import { useSessionState, useSessionStore } from '../../../session/context.tsx'
import { slugSchema } from '../../../contract/schemas.ts'
import { ConfirmAction } from '../parts.tsx'
import { normalizeBaseUrl, type Report, type Step } from './probe.ts'
import { runProbe } from './run-probe.ts'
import { TestReport } from './TestReport.tsx'
import css from '../Settings.module.css'
import own from './Connection.module.css'

interface Values {
  readonly baseUrl: string
  readonly key: string
  readonly workspaceId: string
  readonly slug: string
  /** The operator's token; empty if there's none. */
  readonly token: string
}

type Problems = Partial<Record<keyof Values, string>>

const NO_VALUES: Values = { baseUrl: '', key: '', workspaceId: '', slug: '', token: '' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Errors of the fields; empty if the connection can be tested. */
function problems({ baseUrl, key, workspaceId, slug }: Values): Problems {
  return {
    ...(normalizeBaseUrl(baseUrl) ? {} : { baseUrl: 'It looks like “https://data.example.com/public/v1”.' }),
    ...(key.trim() ? {} : { key: 'The service needs one.' }),
    ...(UUID.test(workspaceId.trim()) ? {} : { workspaceId: 'An id looks like “3f2a…-…-…”, 36 characters long.' }),
    ...(slug.trim() === '' || slugSchema.safeParse(slug.trim()).success
      ? {}
      : { slug: 'Lower-case letters, digits and “_”, a letter first.' }),
  }
}

/** A form to connect to a service on the network, with a test. */
export function ServiceForm() {
  const state = useSessionState()
  const connection = state.status === 'ready' ? state.session.connection : null
  const [values, setValues] = useState<Values>(
    connection?.kind === 'remote' ? { ...NO_VALUES, ...connection } : NO_VALUES,
  )
  const [tried, setTried] = useState(false)
  const test = useTest()
  const [confirming, setConfirming] = useState(false)
  const tokenProblem = problemWithToken(test.report)
  const wrong = { ...(tried ? problems(values) : {}), ...(tokenProblem ? { token: tokenProblem } : {}) }
  const set = (patch: Partial<Values>): void => {
    setValues({ ...values, ...patch })
    test.clear()
  }
  /** Calls `go` if the fields are valid, otherwise shows what is wrong with them. */
  const check = (go: () => void): void => {
    setTried(true)
    if (Object.keys(problems(values)).length === 0) go()
  }
  /** Tests first if that wasn't done, since otherwise a wrong key would only show later, elsewhere. */
  const connect = (): void => {
    if (test.report) setConfirming(true)
    else test.start(values, (report) => setConfirming(report.usable && problemWithToken(report) === null))
  }
  return (
    <form
      className={css.stack}
      onSubmit={(event) => {
        event.preventDefault()
        check(() => test.start(values))
      }}
    >
      <ServiceFields values={values} wrong={wrong} onChange={set} />
      <div className={css.buttons}>
        {test.running ? (
          <Button onClick={test.clear}>Cancel test</Button>
        ) : (
          <Button type="submit" look={test.report ? 'secondary' : 'primary'}>
            Test connection
          </Button>
        )}
        <Button
          look={test.report ? 'primary' : 'secondary'}
          disabled={test.running || tokenProblem !== null}
          onClick={() => check(connect)}
        >
          Connect
        </Button>
      </div>
      {test.failure ? <ProblemNotice problem={test.failure} /> : null}
      {test.steps.length > 0 || test.running ? (
        <TestReport steps={test.steps} report={test.report} running={test.running} />
      ) : null}
      <ConnectDialog values={values} report={test.report} open={confirming} onClose={() => setConfirming(false)} />
    </form>
  )
}

interface FieldsProps {
  readonly values: Values
  readonly wrong: Problems
  readonly onChange: (patch: Partial<Values>) => void
}

function ServiceFields({ values, wrong, onChange }: FieldsProps) {
  return (
    <div className={css.form}>
      <TextField
        label="Base URL"
        className={css.wide ?? ''}
        error={wrong.baseUrl}
        hint="The service’s address, up to and including “/public/v1”."
        mono
        type="url"
        placeholder="https://data.example.com/public/v1"
        value={values.baseUrl}
        onChange={(baseUrl) => onChange({ baseUrl })}
      />
      <SecretField
        label="API key"
        what="key"
        error={wrong.key}
        hint="Kept in this browser’s storage until you connect to another service: whoever uses this browser can use it."
        placeholder="sk_live_…"
        value={values.key}
        onChange={(key) => onChange({ key })}
      />
      <TextField
        label="Workspace id"
        error={wrong.workspaceId}
        hint="In the service’s settings, under Workspaces."
        mono
        placeholder="00000000-0000-0000-0000-000000000000"
        value={values.workspaceId}
        onChange={(workspaceId) => onChange({ workspaceId })}
      />
      <TextField
        label="Name in SQL"
        error={wrong.slug}
        hint="First part of “workspace.dataset.table”. Optional."
        mono
        placeholder="my_workspace"
        value={values.slug}
        onChange={(slug) => onChange({ slug })}
      />
      <SecretField
        label="Operator’s token"
        what="token"
        error={wrong.token}
        hint="Optional, to manage keys, workspaces and usage here. A Rowhouse server prints it once, as “Console token”, when it starts for the first time. It’s stored like the key."
        placeholder="rhc_…"
        value={values.token}
        onChange={(token) => onChange({ token })}
      />
    </div>
  )
}

interface SecretProps extends Omit<ComponentProps<typeof TextField>, 'label'> {
  readonly label: string
  /** A short name for the button that shows it. */
  readonly what: string
}

/** A text field whose content is hidden until it's shown on request. */
function SecretField({ label, what, error, hint, ...input }: SecretProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} className={css.wide ?? ''} error={error} hint={hint}>
      {(ids) => (
        <div className={own.secret}>
          <TextInput {...ids} {...input} mono type={shown ? 'text' : 'password'} />
          <IconButton look="secondary" label={shown ? `Hide ${what}` : `Show ${what}`} onClick={() => setShown(!shown)}>
            {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          </IconButton>
        </div>
      )}
    </Field>
  )
}

interface ConnectProps {
  readonly values: Values
  readonly report: Report | null
  readonly open: boolean
  readonly onClose: () => void
}

/** Says what will change before connecting. */
function ConnectDialog({ values, report, open, onClose }: ConnectProps) {
  const store = useSessionStore()
  const connect = (): Promise<void> =>
    store.connect({
      baseUrl: normalizeBaseUrl(values.baseUrl)?.href ?? values.baseUrl,
      key: values.key.trim(),
      workspaceId: values.workspaceId.trim().toLowerCase(),
      slug: values.slug.trim(),
      ...(values.token.trim() ? { token: values.token.trim() } : {}),
      ...(report && report.fileOrigins.length > 0 ? { fileOrigins: report.fileOrigins } : {}),
    })
  const host = normalizeBaseUrl(values.baseUrl)?.host ?? ''
  return (
    <ConfirmAction
      title={`Connect to ${host}?`}
      action="Connect and reload"
      open={open}
      work={connect}
      onClose={onClose}
    >
      {report?.usable === false ? (
        <p className={css.words}>
          <strong>The test found a problem.</strong> You can connect anyway, and change it here.
        </p>
      ) : null}
      <ul className={css.consequences}>
        <li>
          What you publish from then on goes to <strong>{host}</strong>: it leaves this machine.
        </li>
        <li>
          Datasets and keys of this browser stay in it. They aren’t shown until you connect to this browser again.
        </li>
        <li>Its limits hold: 50 MB a file, and its own rate limits.</li>
        <li>The page reloads, in the other tabs as soon as you reload those.</li>
      </ul>
    </ConfirmAction>
  )
}

interface Test {
  readonly steps: readonly Step[]
  readonly report: Report | null
  readonly running: boolean
  readonly failure: Problem | null
  /** @param then called after the test, unless it was cancelled */
  readonly start: (values: Values, then?: (report: Report) => void) => void
  /** Cancels it and discards its results. */
  readonly clear: () => void
}

/** What the test found wrong with the operator's token; null if it's valid or wasn't tested. */
function problemWithToken(report: Report | null): string | null {
  const step = report?.steps.find(({ id }) => id === 'token')
  return step && step.state === 'warn' ? [step.text, step.remedy].filter(Boolean).join(' ') : null
}

function useTest(): Test {
  const [steps, setSteps] = useState<readonly Step[]>([])
  const { state, start, reset } = useTask<never, Report>()
  const clear = (): void => {
    reset()
    setSteps([])
  }
  return {
    steps,
    report: state.kind === 'done' ? state.result : null,
    running: state.kind === 'running',
    failure: state.kind === 'failed' ? explain(state.error, 'The test of the connection failed') : null,
    clear,
    start({ baseUrl, key, workspaceId, token }, then) {
      setSteps([])
      void start(async (signal) => {
        const target = { baseUrl, key, workspaceId: workspaceId.trim(), token: token.trim() }
        const report = await runProbe(target, signal, (step) => setSteps((old) => [...old, step]))
        announce(report.usable ? 'The connection works' : 'The connection doesn’t work')
        then?.(report)
        return report
      })
    },
  }
}
