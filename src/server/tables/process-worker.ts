import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { WorkerUser } from '../worker-user.ts'

/** Limit of the JavaScript heap, in megabytes. The engine limits its own memory. */
const HEAP_MB = 1024

interface ProcessOptions {
  /** Working folder with temporary files; it's removed when the process ends. */
  readonly folder: string
  /** Limit of the process's memory in megabytes, where the system enforces it. Allocations beyond it fail. */
  readonly memoryMb?: number
  /** User that it runs as; null for the server's own. */
  readonly user?: WorkerUser | null
}

/**
 * A process with the interface of a worker. Terminating it kills the process.
 * @param script script to run
 */
export function startProcess(script: string, options: ProcessOptions): Worker {
  return new ProcessWorker(script, options) as unknown as Worker
}

/** A command that runs another one confined, and the user that it needs. */
interface Confinement {
  readonly command: string
  readonly as: WorkerUser | undefined
}

/** Commands that run another one without network access: for root, and for other users. */
function confinements(user: WorkerUser | null): readonly Confinement[] {
  // Root creates the network namespace, then drops its privileges.
  const dropped = user ? ` setpriv --reuid ${user.uid} --regid ${user.gid} --clear-groups --no-new-privs` : ''
  return [
    { command: `unshare --net${dropped}`, as: undefined },
    { command: 'unshare --user --map-current-user --net', as: user ?? undefined },
  ]
}

const found = new Map<number | undefined, Confinement>()

/** The first that this host allows; an empty one if it allows none, as in many containers. */
export function confinementOf(user: WorkerUser | null): Confinement {
  const known = found.get(user?.uid)
  if (known) return known
  const works = ({ command, as }: Confinement): boolean =>
    spawnSync(`${command} true`, { shell: true, ...as }).status === 0
  const first = confinements(user).find(works) ?? { command: '', as: user ?? undefined }
  found.set(user?.uid, first)
  return first
}

/** Runs Node without network access, and with a memory limit set by a shell, since Node has none for the process. */
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
      // It gets none of the server's environment, in particular no database passwords.
      env: { TZ: 'UTC', TMPDIR: folder },
      cwd: folder,
    })
    this.child.on('message', (data) => this.dispatchEvent(new MessageEvent('message', { data })))
    this.child.on('error', () => this.fail('it couldn’t be started'))
    this.child.on('exit', () => void rm(folder, { recursive: true, force: true }).catch(() => undefined))
    this.child.on('exit', (code, signal) => this.fail(signal ? `it was ended by ${signal}` : `it ended with ${code}`))
  }

  postMessage(message: object): void {
    // A crashed process reports that itself.
    if (this.child.connected) this.child.send(message, () => undefined)
  }

  terminate(): void {
    this.child.kill('SIGKILL')
  }

  private fail(why: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message: why }))
  }
}
