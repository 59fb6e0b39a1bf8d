import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openPostgres, unusable } from './postgres.ts'

/* What happens when PostgreSQL goes away or can't be used. */

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

/** Starts a fake PostgreSQL that answers with these messages in one packet and ends the connection. */
async function answering(...messages: readonly Buffer[]): Promise<string> {
  const listening = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat(messages)))
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return `postgres://rowhouse@127.0.0.1:${(listening.address() as AddressInfo).port}/postgres`
}

test('a connection that ends as soon as it’s open fails only the work that opened it', async () => {
  const database = openPostgres(await answering(AUTHENTICATED, READY, ENDED))
  for (let i = 0; i < 3; i++) {
    await expect(database.use((connection) => connection.query('SELECT 1'))).rejects.toThrow('not queryable')
  }
  await database.close()
})

/** The error of a server that starts with the database. */
async function whyNot(url: string): Promise<string> {
  const database = openPostgres(url)
  const error = await database
    .use((connection) => connection.query('SELECT 1'))
    .then(() => new Error('it works'), unusable)
  await database.close()
  return error.message
}

const refusal = (code: string): Buffer => message('E', `SFATAL\0C${code}\0Mpassword of "ann" is "secret"\0\0`)
test.each([
  ['08P01', 'A pooler in between refused'],
  ['28P01', 'the password is wrong'],
  ['28000', 'pg_hba.conf'],
  ['3D000', 'no database of that name'],
  ['42501', 'GRANT CREATE'],
  ['53300', 'max_connections'],
  ['XX000', 'It refused with XX000.'],
])(
  'a start that the database refuses with %s says what to do, and nothing that may be secret',
  async (code, advice) => {
    const why = await whyNot(await answering(refusal(code)))
    expect(why).toContain('--database-url ($DATABASE_URL)')
    expect(why).toContain(advice)
    expect(why).not.toContain('secret')
  },
)

test('the driver’s warning about modes of TLS isn’t printed', async () => {
  const warned: string[] = []
  const warn = (warning: Error): void => void warned.push(warning.message)
  process.on('warning', warn)
  expect(await whyNot(`${await answering()}?sslmode=require`)).toContain('can’t be used')
  await new Promise(setImmediate)
  process.off('warning', warn)
  expect(warned).toEqual([])
})

test('a start says that the database can’t be reached, or what is wrong with the address', async () => {
  expect(await whyNot('postgres://ann@127.0.0.1:1/none')).toContain('It can’t be reached: ECONNREFUSED.')
  expect(await whyNot(await answering())).toContain('It can’t be reached: no answer.')
  const ofCertificate = (code: string): string => unusable(Object.assign(new Error('secret'), { code })).message
  expect(ofCertificate('DEPTH_ZERO_SELF_SIGNED_CERT')).toContain('Set $NODE_EXTRA_CA_CERTS to a file')
  expect(ofCertificate('CERT_HAS_EXPIRED')).toContain('has expired')
  const ofDriver = (text: string): string => unusable(new Error(text)).message
  expect(ofDriver('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')).toContain(
    'the address has none',
  )
  expect(ofDriver('The server does not support SSL connections')).toContain('leave sslmode out')
})
