import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, upload } from './testing/client.ts'
import { buildServer, makeFolder, otherUser, startServer } from './testing/server.ts'

/* What processes can and can't do that run as another user than the server. Only root can start them. */

const user = otherUser()
if (user === null) console.log('skip processes of another user: none can be started here')

describe.skipIf(user === null)('processes of another user', () => {
  const own = makeFolder()
  let script: string
  beforeAll(async () => {
    script = await buildServer()
  }, 300_000)
  const start = (who: string, data = own.data) =>
    startServer(script, ['--data', data, '--app', own.app, '--processes', '1', '--worker-user', who])
  afterAll(() => own.remove())

  test('can use the files that they’re given, but can’t find or change others', async () => {
    const running = await start('65534:65534')
    const their = new Client(running.told)
    expect((await their.publish('Sales', 'id\n1\n2\n')).status).toBe(201)
    await upload(await their.signedUrl(), 'id\n3\n')
    expect(await their.rows('SELECT sum(id)::INT AS n FROM my_workspace.sales.t')).toEqual([{ n: 3 }])
    expect(await (await fetch(await their.convert('id\n007\n'))).json()).toEqual([{ id: '007' }])

    const { pid = 0 } = running.process
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    expect(children.map((child) => statSync(`/proc/${child}`).uid)).toEqual(children.map(() => user?.uid))
    const tried = (command: string, ...more: string[]) => spawnSync(command, more, { ...user, cwd: '/' }).status
    const [creation = ''] = readdirSync(path.join(own.data, 'tables'))
    const place = path.join(own.data, 'tables', creation)
    const [name = ''] = readdirSync(place)
    const [part = ''] = readdirSync(path.join(own.data, 'objects'))
    // A process is given the paths of its statement's tables.
    expect(tried('cat', path.join(place, name))).toBe(0)
    for (const folder of ['', 'records', 'objects', path.join('objects', part), 'tables', 'work'])
      expect(tried('ls', path.join(own.data, folder)), folder).not.toBe(0)
    expect(tried('cat', path.join(own.data, 'records', 'PG_VERSION'))).not.toBe(0)
    expect(tried('cat', `/proc/${pid}/environ`)).not.toBe(0)
    expect(tried('rm', '-f', path.join(place, name))).not.toBe(0)
    expect(tried('cp', '/dev/null', path.join(place, name))).not.toBe(0)
    expect(tried('touch', path.join(place, 'x'))).not.toBe(0)
    await running.end('SIGTERM')
  })

  test.each([
    ['nobody-of-that-name', /isn’t|has to be a user of this machine/],
    ['0:0', /another user and group than root’s/],
  ])('an invalid user is refused, and no folder is made: %s', async (who, words) => {
    const data = path.join(own.data, 'none')
    await expect(start(who, data)).rejects.toThrow(words)
    expect(existsSync(data)).toBe(false)
  })
})
