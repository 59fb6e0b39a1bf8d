import { useEffect, useState } from 'react'
import { isAbort } from '../../lib/abort.ts'

type Work<T> = (signal: AbortSignal) => Promise<T>

/**
 * The result of asynchronous work, or null until there is one. New work aborts and replaces the previous.
 * @param work memoize it; null if there's nothing to do
 * @param wait milliseconds before it starts
 */
export function useAsync<T>(work: Work<T> | null, wait = 0): T | null {
  const [known, setKnown] = useState<{ readonly work: Work<T>; readonly value: T } | null>(null)
  useEffect(() => {
    if (!work) return
    const abort = new AbortController()
    const run = async (): Promise<void> => {
      try {
        const value = await work(abort.signal)
        if (!abort.signal.aborted) setKnown({ work, value })
      } catch (error) {
        if (!isAbort(error)) throw error
      }
    }
    const timer = wait > 0 ? setTimeout(() => void run(), wait) : void run()
    return () => {
      clearTimeout(timer ?? undefined)
      abort.abort()
    }
  }, [work, wait])
  return known && known.work === work ? known.value : null
}
