/**
 * Milliseconds of CPU time used by this process, over all its threads. Unlike wall-clock time, it doesn't depend on
 * what else the machine does.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * How many random values a test tries: by default as many as are worth running for each change. `ROWHOUSE_TRIES=10`
 * multiplies them by ten, for a longer search.
 */
export const tries = (count: number): number => Math.ceil(count * Number(process.env['ROWHOUSE_TRIES'] ?? 1))

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** A promise that the test settles. */
export function deferred<T>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => undefined
  let reject: Deferred<T>['reject'] = () => undefined
  const promise = new Promise<T>((done, failed) => {
    resolve = done
    reject = failed
  })
  return { promise, resolve, reject }
}
