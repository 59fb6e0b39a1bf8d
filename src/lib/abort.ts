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

/** Callers that wait for the event loop, in order, and the function that wakes the first. */
const waiting: (() => void)[] = []
let wake: (() => void) | null = null

/**
 * Lets the event loop run once, so that messages arrive (such as a cancellation), without the 4 ms to which nested
 * timers are clamped.
 */
export function yieldToEvents(): Promise<void> {
  wake ??= openWake()
  const turn = new Promise<void>((resolve) => waiting.push(resolve))
  wake()
  return turn
}

/**
 * One message channel for all yields, since opening one takes a browser longer than a yield. In Node, an open port
 * would keep the process alive, so each yield opens and closes its own.
 */
function openWake(): () => void {
  const inNode = !('document' in globalThis || 'WorkerGlobalScope' in globalThis)
  const open = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      if (inNode) port1.close()
      waiting.shift()?.()
    })
    port1.start()
    return port2
  }
  if (inNode) return () => open().postMessage(null)
  const port = open()
  return () => port.postMessage(null)
}

/**
 * Yields to the event loop, then throws if the signal is aborted.
 * @throws the signal's reason
 */
export async function checkpoint(signal: AbortSignal): Promise<void> {
  await yieldToEvents()
  signal.throwIfAborted()
}

/** Milliseconds of work before the page gets a turn. */
const SLICE = 10

/** Does something with each item, and lets the event loop run in between. */
export async function inSlices<T>(many: Iterable<T>, work: (one: T) => void): Promise<void> {
  const yielder = new Yielder(NEVER, SLICE)
  for (const one of many) {
    work(one)
    if (yielder.due) await yielder.yield()
  }
}

/** Milliseconds that work may block its thread before messages are let in. */
const YIELD_AFTER_MS = 50

/** Lets messages, such as a cancellation, arrive during work that would block its thread. */
export class Yielder {
  private readonly signal: AbortSignal
  private readonly after: number
  private last = performance.now()

  /** @param after milliseconds of work between yields */
  constructor(signal: AbortSignal, after = YIELD_AFTER_MS) {
    this.signal = signal
    this.after = after
  }

  /** Whether it's time to yield. Cheap to ask. */
  get due(): boolean {
    return performance.now() - this.last >= this.after
  }

  /** @throws the signal's reason */
  async yield(): Promise<void> {
    await checkpoint(this.signal)
    this.last = performance.now()
  }
}
