/** Those of this page that haven't ended. */
const running = new Set<IDBTransaction>()
let listens = false

/**
 * Aborts a database's transactions when this page is left. Of a page that is left amid them WebKit 2.50 leaves them open,
 * and whatever wants the same stores then waits for them, in every page, until the browser ends. Other browsers end them.
 */
export function abortWhenLeft(database: IDBDatabase): void {
  if (!('document' in globalThis)) return
  const vendor = Reflect.get(navigator, 'vendor') as string | undefined
  if (vendor?.startsWith('Apple') !== true) return
  const begin = database.transaction.bind(database)
  database.transaction = (...request) => {
    const transaction = begin(...request)
    const ended = (): void => void running.delete(transaction)
    transaction.addEventListener('complete', ended)
    transaction.addEventListener('abort', ended)
    running.add(transaction)
    return transaction
  }
  if (listens) return
  listens = true
  addEventListener('pagehide', () => {
    for (const transaction of running) {
      try {
        transaction.abort()
      } catch {
        // It's being committed.
      }
    }
  })
}
