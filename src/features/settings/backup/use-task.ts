import { useEffect, useRef, useState } from 'react'
import { isAbort } from '../../../lib/abort.ts'
import { describeError } from '../use-console.ts'

interface TaskOptions {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/** Something long that can be cancelled, one at a time. */
export interface Task {
  readonly running: boolean
  /** From 0 to 1; null while it can't be told. */
  readonly progress: number | null
  readonly error: string | null
  readonly start: (work: (options: TaskOptions) => Promise<void>) => void
  readonly cancel: () => void
}

/** It's cancelled when the screen is left. */
export function useTask(): Task {
  const [running, setRunning] = useState(false)
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const start = (work: (options: TaskOptions) => Promise<void>): void => {
    controller.current?.abort()
    const mine = new AbortController()
    controller.current = mine
    setRunning(true)
    setProgress(null)
    setError(null)
    const onProgress = (done: number, total: number): void => {
      if (!mine.signal.aborted) setProgress(total > 0 ? done / total : null)
    }
    work({ signal: mine.signal, onProgress })
      .catch((cause: unknown) => {
        if (controller.current === mine && !(mine.signal.aborted && isAbort(cause))) setError(inWords(cause))
      })
      .finally(() => {
        if (controller.current === mine) setRunning(false)
      })
  }
  return { running, progress, error, start, cancel: () => controller.current?.abort() }
}

function inWords(cause: unknown): string {
  if (cause instanceof DOMException && cause.name === 'QuotaExceededError') {
    return 'There isn’t enough room on this disk. Nothing was changed. Free some space, or delete datasets, and try again.'
  }
  return describeError(cause)
}
