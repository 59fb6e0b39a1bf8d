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

/** Does something with each item, and lets the event loop run in between. Several begin in a task of their own. */
export async function inSlices<T>(many: readonly T[], work: (one: T) => void): Promise<void> {
  if (many.length > 1) await yieldToEvents()
  let since = performance.now()
  for (const one of many) {
    work(one)
    if (performance.now() - since < SLICE) continue
    await yieldToEvents()
    since = performance.now()
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
