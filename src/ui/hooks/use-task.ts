import { useCallback, useEffect, useRef, useState } from 'react'
import { isAbort } from '../../lib/abort.ts'

export type TaskState<Progress, Result> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: Progress | null }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: unknown }

interface Task<Progress, Result> {
  readonly state: TaskState<Progress, Result>
  /** Starts again: cancels work that runs and discards an earlier result. */
  readonly start: (
    work: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Result>,
  ) => Promise<void>
  readonly cancel: () => void
  /** Cancels work that runs and discards its result. */
  readonly reset: () => void
}

const keep = (): Promise<void> => Promise.resolve()

/**
 * Work that can be started, cancelled and restarted, with a result that's discarded when the caller unmounts. After
 * `cancel`, it's idle again.
 * @param discard memoize it; by default there's nothing to do
 */
export function useTask<Progress, Result>(discard: (result: Result) => Promise<void> = keep): Task<Progress, Result> {
  const [state, setState] = useState<TaskState<Progress, Result>>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  const made = useRef<Result | null>(null)
  const forget = useCallback(async () => {
    const result = made.current
    made.current = null
    if (result !== null) await discard(result)
  }, [discard])
  useEffect(
    () => () => {
      running.current?.abort()
      void forget()
    },
    [forget],
  )
  const start = useCallback<Task<Progress, Result>['start']>(
    async (work) => {
      running.current?.abort()
      const abort = new AbortController()
      running.current = abort
      setState({ kind: 'running', progress: null })
      try {
        await forget()
        const result = await work(abort.signal, (progress) => {
          if (!abort.signal.aborted) setState({ kind: 'running', progress })
        })
        if (abort.signal.aborted) {
          // Cancelled when it was as good as done.
          await discard(result)
          abort.signal.throwIfAborted()
        }
        made.current = result
        setState({ kind: 'done', result })
      } catch (error) {
        if (running.current !== abort) return
        setState(isAbort(error) ? { kind: 'idle' } : { kind: 'failed', error })
      }
    },
    [discard, forget],
  )
  const cancel = useCallback(() => running.current?.abort(), [])
  const reset = useCallback(() => {
    running.current?.abort()
    running.current = null
    void forget()
    setState({ kind: 'idle' })
  }, [forget])
  return { state, start, cancel, reset }
}
