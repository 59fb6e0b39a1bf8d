import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { WorkerUser } from '../worker-user.ts'

/** Megabytes of JavaScript's heap: what is beside it, the engine limits. */
const HEAP_MB = 1024

interface ProcessOptions {
  /** Where it works, and what it has for temporary files; gone when it ends. */
  readonly folder: string
  /** Megabytes that it may have altogether, where the system holds it to that. What asks for more is refused them. */
  readonly memoryMb?: number
  /** As whom it runs; null: as the server. */
  readonly user?: WorkerUser | null
}

/**
 * A process as the engine's channel takes workers. Ending it really ends what it does: it's killed.
 * @param script what it runs
 */
export function startProcess(script: string, options: ProcessOptions): Worker {
  return new ProcessWorker(script, options) as unknown as Worker
}

/** A command that runs another, and as whom it's itself run. */
interface Confinement {
  readonly command: string
  readonly as: WorkerUser | undefined
}

/** Commands that run another in a network of its own, which leads nowhere: for root, and for other users. */
function confinements(user: WorkerUser | null): readonly Confinement[] {
  // Root makes the network, and then there's no root any more.
  const dropped = user ? ` setpriv --reuid ${user.uid} --regid ${user.gid} --clear-groups --no-new-privs` : ''
  return [
    { command: `unshare --net${dropped}`, as: undefined },
    { command: 'unshare --user --map-current-user --net', as: user ?? undefined },
  ]
}

const found = new Map<number | undefined, Confinement>()

/** The first of them that this host allows; an empty one where it allows none, as many containers do. */
export function confinementOf(user: WorkerUser | null): Confinement {
  const known = found.get(user?.uid)
  if (known) return known
  const works = ({ command, as }: Confinement): boolean =>
    spawnSync(`${command} true`, { shell: true, ...as }).status === 0
  const first = confinements(user).find(works) ?? { command: '', as: user ?? undefined }
  found.set(user?.uid, first)
  return first
}

/** How Node is run: without a network, and below a shell's limit of memory, which Node has none of its own for. */
function confined(
  { memoryMb, user = null }: ProcessOptions,
  options: readonly string[],
): { readonly execPath: string; readonly execArgv: string[] } & Partial<WorkerUser> {
  if (process.platform === 'win32') return { execPath: process.execPath, execArgv: [...options] }
  const { command, as } = confinementOf(user)
  const limit = memoryMb === undefined ? '' : `ulimit -d ${memoryMb * 1024}; `
  const run = `${limit}exec ${command} "$0" "$@"`
  return { execPath: '/bin/sh', execArgv: ['-c', run, process.execPath, ...options], ...as }
}

class ProcessWorker extends EventTarget {
  private readonly child: ChildProcess

  constructor(script: string, options: ProcessOptions) {
    super()
    const { folder } = options
    this.child = fork(script, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      ...confined(options, [`--max-old-space-size=${HEAP_MB}`]),
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
