import { plural } from '../../lib/counts.ts'
import { untilAborted } from '../../lib/abort.ts'
import { ABORT_GRACE } from '../channel/channel.ts'
import type { ChannelPool } from '../channel/pool.ts'
import { EngineError, type EngineErrorCode } from '../errors.ts'

/** Calls of a worker that runs statements. */
interface StatementCalls<Request, Answer> {
  run: { request: Request; result: Answer }
}

const ENDS: ReadonlySet<EngineErrorCode> = new Set(['internal', 'out-of-memory'])

/**
 * Runs a statement in a worker that runs no other meanwhile and is then reused. Rejects with the signal's reason as
 * soon as it's aborted, though the worker may take a moment to stop; if that takes longer than `grace`, the worker is
 * ended.
 * @param timeoutMs how long the statement may run once an engine is ready
 * @param grace milliseconds
 * @throws {EngineError} `sql-timeout`
 */
export function runStatement<Request, Answer>(
  pool: ChannelPool<StatementCalls<Request, Answer>>,
  request: Request,
  timeoutMs: number,
  signal: AbortSignal,
  grace = ABORT_GRACE,
): Promise<Answer> {
  const timeout = new AbortController()
  const either = AbortSignal.any([signal, timeout.signal])
  const answer = pool.use(either, async (channel) => {
    // On abort, a worker that is still starting is kept for the next statement, since nothing runs in it.
    await untilAborted(channel.ready, either)
    const timer = setTimeout(() => timeout.abort(timedOut(timeoutMs)), timeoutMs)
    try {
      return await channel.call('run', request, { signal: either, grace })
    } catch (error) {
      // This worker may be broken, or its memory has grown to its limit, and WebAssembly never gives any back.
      if (error instanceof EngineError && ENDS.has(error.code)) channel.close()
      // Starting takes a while, so it begins before the next statement needs the worker.
      if (channel.closed) pool.warm()
      throw error
    } finally {
      clearTimeout(timer)
    }
  })
  return untilAborted(answer, either)
}

function timedOut(milliseconds: number): EngineError {
  return new EngineError(
    'sql-timeout',
    `The statement took longer than ${plural(milliseconds / 1000, 'second')} and was stopped.`,
    {
      remedy: 'Filter earlier, ask for less, or allow it more time.',
    },
  )
}
