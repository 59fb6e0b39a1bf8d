/** A signal that's never aborted, for work that nobody cancels. */
export const NEVER = new AbortController().signal

/** Whether an error is a cancellation, not a failure. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** Settles like the promise, or rejects with the signal's reason as soon as it's aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** A signal that is aborted some time after another one was. @param reason what it's aborted with */
export function abortedAfter(
  signal: AbortSignal,
  milliseconds: number,
  reason: () => unknown,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const later = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = (): void => {
    timer = setTimeout(() => later.abort(reason()), milliseconds)
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return {
    signal: later.signal,
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', begin)
    },
  }
}

/** The promise's result, or undefined if it takes longer than that many milliseconds. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
