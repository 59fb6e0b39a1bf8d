import { fork, type ChildProcess } from 'node:child_process'

/** Megabytes of JavaScript's heap: what is beside it, the engine limits. */
const HEAP_MB = 1024

/**
 * A process as the engine's channel takes workers. Ending it really ends what it does: it's killed.
 * @param script what it runs
 */
export function startProcess(script: string): Worker {
  return new ProcessWorker(script) as unknown as Worker
}

class ProcessWorker extends EventTarget {
  private readonly child: ChildProcess

  constructor(script: string) {
    super()
    this.child = fork(script, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      // It needs nothing of what the server knows: addresses and passwords of databases, above all.
      env: { TZ: 'UTC' },
    })
    this.child.on('message', (data) => this.dispatchEvent(new MessageEvent('message', { data })))
    this.child.on('error', () => this.fail('it couldn’t be started'))
    this.child.on('exit', (code, signal) => this.fail(signal ? `it was ended by ${signal}` : `it ended with ${code}`))
  }

  postMessage(message: object): void {
    // One that has died tells so by itself.
    if (this.child.connected) this.child.send(message, () => undefined)
  }

  terminate(): void {
    this.child.kill('SIGKILL')
  }

  private fail(why: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message: why }))
  }
}
