import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'
import { createLog } from './log.ts'

const answer = async (): Promise<Response> => new Response('here')

async function listening(port = 0, host = '127.0.0.1') {
  const lines: string[] = []
  const opened = await listen(
    { port, host },
    answer,
    createLog((line) => lines.push(line)),
  )
  onTestFinished(() => opened.close())
  return { ...opened, lines }
}

test('a connection that can’t be accepted is logged, and others are still accepted', async () => {
  const { http, port, lines } = await listening()
  for (const code of ['ENOBUFS', 'ENOMEM']) http.emit('error', Object.assign(new Error('accept'), { code }))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
    ['ENOBUFS', 'ENOMEM'].map((code) => ({ level: 'error', error: [{ code }] })),
  )
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
})

test('an error about a taken port names it and the setting', async () => {
  const { port } = await listening()
  await expect(listening(port)).rejects.toThrow(
    `Port ${port} of 127.0.0.1 (--port, --host) is taken: another program listens there. Choose another.`,
  )
})

test('an address of another machine is refused as such', async () => {
  // Reserved for documentation (RFC 5737).
  await expect(listening(0, '192.0.2.1')).rejects.toThrow(
    'Port 0 of 192.0.2.1 (--port, --host) can’t be used: this machine doesn’t have that address.',
  )
})

test('connections from before the server stops listening are answered, and later ones are refused', async () => {
  const opened = await listening()
  const { port } = opened
  // The system has accepted all of them before Node does.
  const before = Array.from({ length: 100 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    return text(socket)
  })
  const refused = opened.refuse()
  for (const got of await Promise.all(before)) expect(got).toMatch(/^HTTP\/1\.1 200 OK[^]*here/)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await refused
})
