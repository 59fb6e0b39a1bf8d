import type { FromWorker, ToWorker } from './messages.ts'
import { serve, type ServingScope } from './serve.ts'

type Call = ToWorker & { type: 'call' }

/** A worker whose messages come from the test. */
export class FakeWorker extends EventTarget {
  readonly received: ToWorker[] = []
  ended = false

  /** Transferred objects are detached, as with a real worker. */
  postMessage(message: ToWorker, transfer: Transferable[] = []): void {
    this.received.push(transfer.length > 0 ? structuredClone(message, { transfer }) : message)
  }

  terminate(): void {
    this.ended = true
  }

  get calls(): Call[] {
    return this.received.filter((message): message is Call => message.type === 'call')
  }

  /** The names of its calls in order, including cancellations. */
  get asked(): string[] {
    return this.received.flatMap((message) =>
      message.type === 'call' ? [message.name] : message.type === 'abort' ? ['abort'] : [],
    )
  }

  say(message: FromWorker): void {
    this.dispatchEvent(new MessageEvent('message', { data: message }))
  }

  /** Answers the last call. @param outgrown whether the worker holds too much memory since */
  answer(result: unknown, outgrown = false): void {
    const id = this.calls.at(-1)?.id
    if (id === undefined) throw new Error('nothing was called')
    this.say({ type: 'result', id, result, outgrown })
  }

  /** Ends after it has started. */
  die(): void {
    this.say({ type: 'ready' })
    this.failToLoad()
  }

  failToLoad(): void {
    this.dispatchEvent(new Event('error'))
  }
}

/** Starts fake workers, and keeps them in order. */
export function fakeWorkers(begun?: (worker: FakeWorker) => void): {
  workers: FakeWorker[]
  start: () => Worker
} {
  const workers: FakeWorker[] = []
  const start = (): Worker => {
    const worker = new FakeWorker()
    workers.push(worker)
    begun?.(worker)
    return worker as unknown as Worker
  }
  return { workers, start }
}

/** Starts a worker that serves the roles in this thread. All messages are cloned, and arrive later. */
export function inProcess(roles: Parameters<typeof serve>[1]): () => Worker {
  return () => {
    const [page, worker] = [new EventTarget(), new EventTarget()]
    let ended = false
    const sender =
      (to: EventTarget) =>
      (message: unknown, transfer: Transferable[] = []): void => {
        const data = cloned(message, transfer)
        setTimeout(() => {
          if (!ended) to.dispatchEvent(new MessageEvent('message', { data }))
        }, 0)
      }
    serve(Object.assign(worker, { postMessage: sender(page) }) as unknown as ServingScope, roles)
    const terminate = (): void => {
      ended = true
    }
    return Object.assign(page, { postMessage: sender(worker), terminate }) as unknown as Worker
  }
}

/** In Node, a cloned file isn't a file any more. */
function cloned(message: unknown, transfer: Transferable[]): unknown {
  if (message instanceof File) return message
  if (message instanceof Map || ArrayBuffer.isView(message) || message instanceof Error || Array.isArray(message))
    return structuredClone(message, { transfer })
  if (typeof message !== 'object' || message === null) return structuredClone(message)
  const files = Object.entries(message).filter(([, value]) => holdsFile(value))
  if (files.length === 0) return structuredClone(message, { transfer })
  const rest = Object.fromEntries(Object.entries(message).filter(([, value]) => !holdsFile(value)))
  const copies = files.map(([key, value]) => [key, cloned(value, [])])
  return { ...(structuredClone(rest, { transfer }) as object), ...Object.fromEntries(copies) }
}

function holdsFile(value: unknown): boolean {
  if (value instanceof File) return true
  return typeof value === 'object' && value !== null && 'file' in value && value.file instanceof File
}
