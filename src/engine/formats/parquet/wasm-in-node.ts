/**
 * Listens for crashes with Node's own events. Other listeners, such as the test runner's, are removed meanwhile.
 * @param crashed whether an error is a crash of the library
 */
export function listenInNode(crashed: (error: unknown) => boolean): () => void {
  const events = ['uncaughtException', 'unhandledRejection'] as const
  const others = events.map((event) => process.rawListeners(event) as ((...args: unknown[]) => void)[])
  const listener = (error: unknown): void => {
    if (crashed(error)) return
    for (const other of others[0]) other(error)
  }
  for (const event of events) {
    process.removeAllListeners(event)
    process.on(event, listener)
  }
  return () => {
    for (const [i, event] of events.entries()) {
      process.off(event, listener)
      for (const other of others[i]) process.on(event, other)
    }
  }
}
