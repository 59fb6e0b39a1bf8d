import { createServer, type Server } from 'node:http'
import { Server as NetServer, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { SettingsError } from '../options.ts'
import type { Settings } from '../settings.ts'
import { listenWith, type Handler } from './listener.ts'
import type { Log } from './log.ts'

const HEADERS_MS = 30_000
/** The largest upload over a slow line. */
const REQUEST_MS = 15 * 60_000
/** Longer than proxies keep a connection, so that they close it, not the server. */
const KEEP_ALIVE_MS = 75_000
/** Until a server that stops has taken the connections that there are. */
const TAKING_MS = 5_000
const QUIET_MS = 1
/** From a connection to the request that it's made for. */
const ASKING_MS = 1_000

/** By Node's codes. */
const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken: another program listens there. Choose another',
  EADDRNOTAVAIL: 'can’t be used: this machine doesn’t have that address. 0.0.0.0 is all that it has',
  ENOTFOUND: 'can’t be used: there is no host of that name. 0.0.0.0 is all addresses of this machine',
  EACCES: 'can’t be used: ports below 1024 are mostly root’s. Choose another',
}

export interface Listening {
  readonly http: Server
  readonly port: number
  /** Takes no more connections. Those that there are stay, and have had time to ask something when it resolves. */
  refuse(): Promise<void>
  /** Ends all connections. By then requests have ended: only idle ones are left. */
  close(): Promise<void>
}

/**
 * Listens for requests.
 * @throws {SettingsError} when the port or the address can't be used
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
  // Of a connection that can't be accepted, above all where no more files can be opened. Without a listener the process ends.
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
 * Connections that the system has taken and Node hasn't would be cut off. Node takes one in each turn of its loop: so this
 * ends right after a turn that brought none, and was so short that none can have come since. Requests wait until then.
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
  // Node's own for HTTP ends idle connections, too, and what was just sent over one of them would be lost.
  NetServer.prototype.close.call(http)
}
