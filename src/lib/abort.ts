/** Whether an error is a cancellation, not a failure. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/**
 * Lets the event loop run once, so that messages (a cancellation among them) arrive, without the 4 ms that nested
 * timers are clamped to.
 */
export function yieldToEvents(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel()
    channel.port1.addEventListener('message', () => {
      channel.port1.close()
      resolve()
    })
    channel.port1.start()
    channel.port2.postMessage(null)
  })
}

/**
 * Yields to the event loop, then throws if the signal is aborted.
 * @throws the signal's reason
 */
export async function checkpoint(signal: AbortSignal): Promise<void> {
  await yieldToEvents()
  signal.throwIfAborted()
}
