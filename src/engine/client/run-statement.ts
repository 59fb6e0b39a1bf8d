import { plural } from '../../lib/counts.ts'
import { untilAborted } from '../../lib/abort.ts'
import { ABORT_GRACE } from '../channel/channel.ts'
import type { ChannelPool } from '../channel/pool.ts'
import { EngineError, type EngineErrorCode } from '../errors.ts'

/** What a worker is asked that runs statements. */
interface StatementCalls<Request, Answer> {
  run: { request: Request; result: Answer }
}

const ENDS: ReadonlySet<EngineErrorCode> = new Set(['internal', 'out-of-memory'])

/**
 * Runs a statement alone in a worker whose engine lives on for the next one. Rejects with the signal's reason as soon as
 * it's aborted, though the worker may take a moment to stop: one that doesn't is ended.
 * @param timeoutMs how long the statement may run, from when there's an engine for it
 * @param grace milliseconds that a worker is given to stop
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
    // Nothing runs in one that is still starting: it's left for the next statement.
    await untilAborted(channel.ready, either)
    const timer = setTimeout(() => timeout.abort(timedOut(timeoutMs)), timeoutMs)
    try {
      return await channel.call('run', request, { signal: either, grace })
    } catch (error) {
      // The next statement gets another worker where anything may be wrong in this one, or its memory has grown as far as it
      // can: WebAssembly gives none back.
      if (error instanceof EngineError && ENDS.has(error.code)) channel.close()
      // Starting takes a while: the next statement finds it begun.
      if (channel.closed) pool.warm()
      throw error
    } finally {
      clearTimeout(timer)
    }
  })
  return untilAborted(answer, either)
}

/** What a statement that took too long ends with. */
function timedOut(milliseconds: number): EngineError {
  return new EngineError(
    'sql-timeout',
    `The statement took longer than ${plural(milliseconds / 1000, 'second')} and was stopped.`,
    {
      remedy: 'Filter earlier, ask for less, or allow it more time.',
    },
  )
}
