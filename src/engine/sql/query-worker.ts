import { stopped } from '../storage/database.ts'
import { toPlain } from '../rpc.ts'
import type { FromQuery, RunRequest, ToQuery } from './query-protocol.ts'
import { QueryEngine } from './query.ts'

declare const self: DedicatedWorkerGlobalScope

const engine = QueryEngine.open()
engine.then(
  () => post({ type: 'ready' }),
  (error: unknown) => post({ type: 'error', error: toPlain(error) }),
)
let running: AbortController | null = null

self.addEventListener('message', ({ data }: MessageEvent<ToQuery>) => {
  if (data.type === 'abort') running?.abort(new DOMException('The operation was cancelled.', 'AbortError'))
  else void answer(data.request)
})

async function answer(request: RunRequest): Promise<void> {
  const controller = new AbortController()
  running = controller
  try {
    const result = await (await engine).run(request, controller.signal)
    post({ type: 'result', result })
  } catch (error) {
    const end = stopped(error)
    post({ type: 'error', error: toPlain(end ?? error), ended: end !== null })
  } finally {
    running = null
  }
}

function post(message: FromQuery): void {
  self.postMessage(message)
}
