import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { otherUser } from '../testing/server.ts'
import { PASSABLE, type WorkerUser } from '../worker-user.ts'
import { confinementOf, startProcess } from './process-worker.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-process-'))
  await chmod(folder, PASSABLE)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The value of an expression in a process. */
async function said(expression: string, user: WorkerUser | null = null): Promise<unknown> {
  const script = path.join(folder, `${crypto.randomUUID()}.mjs`)
  await writeFile(script, `process.send(await (async () => ${expression})())`)
  const own = path.join(folder, crypto.randomUUID())
  await mkdir(own)
  if (user) await chown(own, user.uid, user.gid)
  const worker = startProcess(script, { folder: own, memoryMb: 2048, user })
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent) => resolve(data))
      worker.addEventListener('error', (error) => reject(new Error(error.message)))
    })
  } finally {
    worker.terminate()
  }
}

test('a process gets none of the server’s environment variables', async () => {
  const names = (await said('Object.keys(process.env)')) as string[]
  expect(names.filter((name) => !/^(?:TZ|TMPDIR|PWD|OLDPWD|SHLVL|_|NODE_CHANNEL_\w+)$/.test(name))).toEqual([])
})

test.skipIf(confinementOf(null).command === '')('a process can’t connect to any port, even locally', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  expect((await fetch(address)).status).toBe(200)
  expect(await said(`fetch('${address}').then(() => 'reached', (error) => error.cause.code)`)).toBe('ENETUNREACH')
  server.close()
})

const other = otherUser()
test.skipIf(other === null)(
  'a process of another user can’t read, stop or look into what is the server’s',
  async () => {
    const secret = path.join(folder, 'secret')
    await writeFile(secret, 'x', { mode: 0o600 })
    const code = 'const code = (work) => { try { work(); return "done" } catch ({ code }) { return code } }'
    const tries = [
      `readFileSync(${JSON.stringify(secret)})`,
      `readdirSync(${JSON.stringify(folder)})`,
      'readFileSync("/proc/" + process.ppid + "/environ")',
      'process.kill(process.ppid, 0)',
      'process.setuid(0)',
      'writeFileSync("own", "x")',
    ]
    const told = await said(
      `{ const { readFileSync, readdirSync, writeFileSync } = await import('node:fs'); ${code}
      return [process.getuid(), process.getgid(), process.getgroups(), ${tries.map((each) => `code(() => ${each})`).join()}] }`,
      other,
    )
    expect(told).toEqual([65_534, 65_534, [65_534], 'EACCES', 'EACCES', 'EACCES', 'EPERM', 'EPERM', 'done'])
  },
)
