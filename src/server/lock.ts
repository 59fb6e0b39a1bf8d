import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Exclusive use of a resource. */
export interface Lock {
  release(): Promise<void>
}

/** Inside the folder, so that servers with another temporary folder find it, too. */
const NAME = 'server.sock'
/** Longest socket path in bytes that all systems accept. */
const LONGEST = 100

/**
 * Locks a folder for one server by listening on sockets, which end with the process in any case.
 * @returns null if another process holds the lock
 */
export async function lockFolder(folder: string): Promise<Lock | null> {
  const held: Server[] = []
  const failures: unknown[] = []
  const release = async (): Promise<void> => {
    for (const server of held) await new Promise((resolve) => server.close(resolve))
  }
  for (const address of addressesOf(await realpath(folder))) {
    try {
      const server = (await listen(address)) ?? ((await isHeld(address)) ? null : await listenAgain(address))
      if (!server) {
        await release()
        return null
      }
      held.push(server.unref())
    } catch (error) {
      failures.push(error)
    }
  }
  if (held.length === 0) throw failures[0]
  return { release }
}

/**
 * The second socket is elsewhere, named by a hash of the path, since not all file systems support sockets, and the path
 * may be too long.
 */
function addressesOf(folder: string): readonly string[] {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  if (process.platform === 'win32') return [`\\\\.\\pipe\\rowhouse-${hash}`]
  const within = path.join(folder, NAME)
  const elsewhere = path.join(tmpdir(), `rowhouse-${hash}.sock`)
  return Buffer.byteLength(within) <= LONGEST ? [elsewhere, within] : [elsewhere]
}

/** Removes the socket file of a killed process, on which nobody listens. */
async function listenAgain(address: string): Promise<Server | null> {
  await rm(address, { force: true })
  return listen(address)
}

/** Null if the address is taken. */
function listen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    // Others connect only to check the lock. An error without a listener would end the process.
    const server = createServer((socket) => socket.on('error', () => undefined).end())
    // After the start, errors have no effect: the lock is held even if it can't accept connections.
    server.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)))
    server.listen(address, () => resolve(server))
  })
}

function isHeld(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Other errors, such as a refusal of this user, mean that somebody listens.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}
