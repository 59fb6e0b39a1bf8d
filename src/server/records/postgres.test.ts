import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openPostgres } from './postgres.ts'

/* What the server makes of a PostgreSQL that goes away. */

let server: Server | null = null
afterEach(() => {
  server?.close()
  server = null
})

/** A message of PostgreSQL’s protocol. */
function message(type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body)
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length + 4)
  return Buffer.concat([Buffer.from(type), length, bytes])
}

const AUTHENTICATED = message('R', Buffer.alloc(4))
const READY = message('Z', 'I')
const ENDED = message('E', 'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')

/** A PostgreSQL that lets a client in and ends, in one packet. */
async function dying(): Promise<string> {
  const listening = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, ENDED])))
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return `postgres://rowhouse@127.0.0.1:${(listening.address() as AddressInfo).port}/postgres`
}

test('a connection that ends as soon as it’s open fails what it was opened for, and nothing else', async () => {
  const database = openPostgres(await dying())
  for (let i = 0; i < 3; i++) {
    await expect(database.use((connection) => connection.query('SELECT 1'))).rejects.toThrow('not queryable')
  }
  await database.close()
})
