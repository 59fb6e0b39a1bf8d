import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder that this process alone uses. */
export interface FolderLock {
  release(): Promise<void>
}

/**
 * Makes sure that no other server uses a folder. It's held by listening on a socket, which ends with the process however
 * that ends.
 * @returns null when another process has it
 */
export async function lockFolder(folder: string): Promise<FolderLock | null> {
  // Addresses of sockets are at most about 100 bytes long, and paths of folders may be longer.
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32)
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\rowhouse-${name}` : path.join(tmpdir(), `rowhouse-${name}.sock`)
  const server = (await listen(address)) ?? ((await isHeld(address)) ? null : await listenAgain(address))
  if (!server) return null
  server.unref()
  return {
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** What a process left that was killed is in the way, and nobody listens there. */
async function listenAgain(address: string): Promise<Server | null> {
  await rm(address, { force: true })
  return listen(address)
}

/** Null when the address is taken. */
function listen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    // Who only looks whether somebody listens hangs up. An error that nobody listens for would end the process.
    const server = createServer((socket) => socket.on('error', () => undefined).end())
    // After the start nobody is notified any more: the lock is held whether or not a connection to it can be.
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
    socket.once('error', () => resolve(false))
  })
}
