import { createServer, type Server } from 'node:http'
import { Server as NetServer, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { SettingsError } from '../options.ts'
import type { Settings } from '../settings.ts'
import { listenWith, type Handler } from './listener.ts'
import type { Log } from './log.ts'

const HEADERS_MS = 30_000
/** Enough for the largest upload over a slow connection. */
const REQUEST_MS = 15 * 60_000
/** Longer than proxies keep connections alive, so that they close them rather than the server. */
const KEEP_ALIVE_MS = 75_000
/** Limit for accepting pending connections while stopping. */
const TAKING_MS = 5_000
const QUIET_MS = 1
/** Time from a connection to its request. */
const ASKING_MS = 1_000

/** By Node's error codes. */
const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken: another program listens there. Choose another',
  EADDRNOTAVAIL: 'can’t be used: this machine doesn’t have that address. 0.0.0.0 is all that it has',
  ENOTFOUND: 'can’t be used: there is no host of that name. 0.0.0.0 is all addresses of this machine',
  EACCES: 'can’t be used: ports below 1024 are mostly root’s. Choose another',
}

export interface Listening {
  readonly http: Server
  readonly port: number
  /** Stops accepting connections. Existing ones stay, and have had time to send a request when it resolves. */
  refuse(): Promise<void>
  /** Closes all connections. By then requests have ended, so that only idle ones are left. */
  close(): Promise<void>
}

/**
 * Starts listening.
 * @throws {SettingsError} if the port or the address can't be used
 */
export async function listen(
  { port, host }: Pick<Settings, 'port' | 'host'>,
  handler: Handler,
  log: Log,
): Promise<Listening> {
  const http = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', (cause: NodeJS.ErrnoException) => {
      const why = REFUSALS[cause.code ?? ''] ?? `can’t be used (${cause.code}). Choose another`
      reject(new SettingsError(`Port ${port} of ${host} (--port, --host) ${why}.`, { cause }))
    })
    http.listen(port, host, resolve)
  })
  // Errors of accepting a connection, such as too many open files. Without a listener, they would end the process.
  http.on('error', (error) => log('error', 'a connection couldn’t be accepted', {}, error))
  const { port: actual } = http.address() as AddressInfo
  let refused = Promise.resolve()
  const held = async (request: Request): Promise<Response> => {
    await refused
    return handler(request)
  }
  listenWith(http, held, `http://localhost:${actual}`)
  return {
    http,
    port: actual,
    async refuse() {
      refused = stopListening(http)
      await refused
      await pause(ASKING_MS)
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

/**
 * Connections that the system has accepted but Node hasn't would be reset. Node accepts one per turn of its event loop.
 * So this stops right after a turn without one that was too short for another to have arrived. Requests wait until
 * then.
 */
async function stopListening(http: Server): Promise<void> {
  let taken = 0
  http.on('connection', () => taken++)
  const until = performance.now() + TAKING_MS
  // The rest of this turn.
  await nextTurn()
  for (let now = performance.now(); now < until;) {
    const before = { taken, now }
    await nextTurn()
    now = performance.now()
    if (taken === before.taken && now - before.now < QUIET_MS) break
  }
  // Node's HTTP method would also close idle connections, and lose a request that was just sent over one.
  NetServer.prototype.close.call(http)
}
