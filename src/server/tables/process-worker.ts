import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'

/** Megabytes of JavaScript's heap: what is beside it, the engine limits. */
const HEAP_MB = 1024

interface ProcessOptions {
  /** Where it works, and what it has for temporary files; gone when it ends. */
  readonly folder: string
  /** Megabytes that it may have altogether, where the system holds it to that. What asks for more is refused them. */
  readonly memoryMb?: number
}

/**
 * A process as the engine's channel takes workers. Ending it really ends what it does: it's killed.
 * @param script what it runs
 */
export function startProcess(script: string, options: ProcessOptions): Worker {
  return new ProcessWorker(script, options) as unknown as Worker
}

/** Commands that run another in a network of its own, which leads nowhere: for root, and for other users. */
const WITHOUT_NETWORK = ['unshare --net', 'unshare --user --map-current-user --net']

let isolation: string | undefined

/** The first of them that this host allows; empty where it allows none, as many containers do. */
export function withoutNetwork(): string {
  isolation ??= WITHOUT_NETWORK.find((command) => spawnSync(`${command} true`, { shell: true }).status === 0) ?? ''
  return isolation
}

/** How Node is run: without a network, and below a shell's limit of memory, which Node has none of its own for. */
function confined(memoryMb: number | undefined, options: readonly string[]): { execPath: string; execArgv: string[] } {
  if (process.platform === 'win32') return { execPath: process.execPath, execArgv: [...options] }
  const limit = memoryMb === undefined ? '' : `ulimit -d ${memoryMb * 1024}; `
  const run = `${limit}exec ${withoutNetwork()} "$0" "$@"`
  return { execPath: '/bin/sh', execArgv: ['-c', run, process.execPath, ...options] }
}

class ProcessWorker extends EventTarget {
  private readonly child: ChildProcess

  constructor(script: string, { folder, memoryMb }: ProcessOptions) {
    super()
    this.child = fork(script, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      ...confined(memoryMb, [`--max-old-space-size=${HEAP_MB}`]),
      // It needs nothing of what the server knows: addresses and passwords of databases, above all.
      env: { TZ: 'UTC', TMPDIR: folder },
      cwd: folder,
    })
    this.child.on('message', (data) => this.dispatchEvent(new MessageEvent('message', { data })))
    this.child.on('error', () => this.fail('it couldn’t be started'))
    this.child.on('exit', () => void rm(folder, { recursive: true, force: true }).catch(() => undefined))
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
