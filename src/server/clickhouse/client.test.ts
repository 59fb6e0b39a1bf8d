import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { connect, errorCode, Unreachable, type ClickHouse } from './client.ts'

/* Checks requests to ClickHouse with a server that records them. */

interface Sent {
  readonly parameters: URLSearchParams
  readonly body: string
}

let server: Server
let client: ClickHouse

afterEach(async () => {
  await client.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** @param answer null to never answer */
async function start(answer: (sent: Sent) => { status?: number; text: string } | null): Promise<Sent[]> {
  const sent: Sent[] = []
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = {
        parameters: new URL(request.url ?? '', 'http://x').searchParams,
        body: Buffer.concat(parts).toString(),
      }
      sent.push(one)
      const told = answer(one)
      if (told) response.writeHead(told.status ?? 200).end(told.text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = connect({
    url: `http://127.0.0.1:${port}`,
    user: 'rowhouse',
    password: 'x',
    reader: { user: 'reader', password: 'x' },
    prefix: 'rowhouse_',
    cluster: null,
    fromBytes: 0,
    memoryBytes: 1000,
  })
  return sent
}

const options = (signal = new AbortController().signal) =>
  ({ timeoutMs: 2500, maxRows: 7, roles: ['rowhouse_t_1', 'rowhouse_t_2'], signal }) as const

it('statements are sent with limits, and with only their tables’ roles', async () => {
  const sent = await start(() => ({ text: '["1"]\n["2"]\n' }))
  expect(await client.select('SELECT 1', options())).toEqual([['1'], ['2']])
  const { parameters, body } = sent[0]
  expect(body).toBe('SELECT 1 \nFORMAT JSONCompactEachRow')
  expect(parameters.getAll('role')).toEqual(['rowhouse_t_1', 'rowhouse_t_2'])
  for (const [name, value] of [
    ['readonly', '1'],
    ['max_execution_time', '3'],
    ['max_result_rows', '8'],
    ['result_overflow_mode', 'throw'],
    ['max_memory_usage', '1000'],
  ])
    expect(parameters.get(name), name).toBe(value)
})

it('a cancelled statement is killed in ClickHouse', async () => {
  const ended = new AbortController()
  const sent = await start(({ body }) => (body.startsWith('KILL') ? { text: '' } : null))
  const waiting = client.select('SELECT 1', options(ended.signal))
  const failed = expect(waiting).rejects.toThrow()
  while (sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  ended.abort(new Error('enough'))
  await failed
  expect(sent[1].body).toBe(`KILL QUERY WHERE query_id = '${sent[0].parameters.get('query_id')}' ASYNC`)
})

it('errors of ClickHouse have a code; without an answer, it can’t be reached', async () => {
  await start(() => ({ status: 500, text: 'Code: 60. DB::Exception: Unknown table. (UNKNOWN_TABLE)' }))
  const told = await client.select('SELECT 1', options()).catch(errorCode)
  expect(told).toBe(60)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await expect(client.select('SELECT 1', options())).rejects.toThrow(Unreachable)
})
