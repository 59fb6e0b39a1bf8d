import { stopped } from '../storage/database.ts'
import { toPlain } from '../rpc.ts'
import { SessionEngine } from './engine.ts'
import type { FromSession, SessionCall, SessionCalls, ToSession } from './protocol.ts'

declare const self: DedicatedWorkerGlobalScope

/** Bytes that may be on their way to the page: a producer waits beyond, so that it doesn't outrun the page. */
const UNDERWAY = 64 * 2 ** 20

let engine: Promise<SessionEngine> | undefined
const running = new Map<number, Run>()

/** A call that can be aborted, and the rows of it that the page hasn't taken yet. */
class Run {
  readonly controller = new AbortController()
  private underway = 0
  private go: (() => void) | null = null

  sent(bytes: number): Promise<void> {
    this.underway += bytes
    if (this.underway < UNDERWAY) return Promise.resolve()
    return new Promise((resolve) => {
      this.go = resolve
    })
  }

  taken(bytes: number): void {
    this.underway -= bytes
    if (this.underway < UNDERWAY) this.go?.()
  }

  abort(): void {
    this.controller.abort(new DOMException('The operation was cancelled.', 'AbortError'))
    this.go?.()
  }
}

type Handlers = {
  [N in SessionCall]: (
    engine: SessionEngine,
    request: SessionCalls[N]['request'],
    run: Run,
    id: number,
  ) => SessionCalls[N]['result'] | Promise<SessionCalls[N]['result']>
}

const HANDLERS: Handlers = {
  use: (session, tables) => {
    session.use(tables)
    return null
  },
  split: (session, script) => session.split(script),
  check: (session, call, { controller }) => session.check(call, controller.signal),
  describe: (session, call, { controller }) => session.describe(call, controller.signal),
  explain: (session, call, { controller }) => session.explain(call, controller.signal),
  temporary: (session) => session.temporary(),
  dialect: (session) => session.dialect(),
  run: (session, call, run, id) =>
    session.run(call, run.controller.signal, {
      columns: (columns) => post({ type: 'columns', id, columns }),
      rows: ({ message, transfer, bytes }) => {
        post({ type: 'rows', id, message, bytes }, transfer)
        return run.sent(bytes)
      },
    }),
}

self.addEventListener('message', ({ data }: MessageEvent<ToSession>) => {
  if (data.type === 'abort') running.get(data.id)?.abort()
  else if (data.type === 'taken') running.get(data.id)?.taken(data.bytes)
  else void answer(data)
})

async function answer({ id, name, request }: ToSession & { type: 'call' }): Promise<void> {
  const run = new Run()
  running.set(id, run)
  try {
    engine ??= SessionEngine.open()
    const result = await HANDLERS[name](await engine, request as never, run, id)
    post({ type: 'result', id, result })
  } catch (error) {
    const end = stopped(error)
    post({ type: 'error', id, error: toPlain(end ?? error), ended: end !== null })
  } finally {
    running.delete(id)
  }
}

function post(message: FromSession, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer)
}
