import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lockFolder } from './lock.ts'

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a folder can be locked again only after it was released', async () => {
  const folder = newFolder()
  const first = await lockFolder(folder)
  expect(first).not.toBeNull()
  expect(await lockFolder(folder)).toBeNull()
  await first?.release()
  const second = await lockFolder(folder)
  expect(second).not.toBeNull()
  await second?.release()
})

test('errors of connections to the lock neither release it nor end the process', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen')
  onTestFinished(() => listen.mockRestore())
  const folder = newFolder()
  const lock = await lockFolder(folder)
  const server = listen.mock.contexts[0] as Server
  server.emit('error', new Error('accept'))
  server.emit('error', new Error('accept'))
  expect(await lockFolder(folder)).toBeNull()
  await lock?.release()
})

test('a lock is found even with another TMPDIR, or if the folder’s path is too long for a socket', async () => {
  const folder = newFolder()
  const lock = await lockFolder(folder)
  vi.stubEnv('TMPDIR', newFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await lockFolder(folder)).toBeNull()
  await lock?.release()
  const deep = path.join(folder, 'x'.repeat(120))
  mkdirSync(deep)
  const second = await lockFolder(deep)
  expect(second).not.toBeNull()
  expect(await lockFolder(deep)).toBeNull()
  await second?.release()
})

test('a lock is found even if this user may not connect to it', async () => {
  const folder = newFolder()
  const lock = await lockFolder(folder)
  const connecting = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
    setImmediate(() => this.emit('error', Object.assign(new Error('connect'), { code: 'EACCES' })))
    return this
  })
  onTestFinished(() => connecting.mockRestore())
  expect(await lockFolder(folder)).toBeNull()
  await lock?.release()
})

test('a killed process’s lock can be taken over', async () => {
  const folder = newFolder()
  const killed = spawnSync(process.execPath, [
    '-e',
    `require('node:net').createServer().listen(${JSON.stringify(path.join(folder, 'server.sock'))}, () => process.kill(process.pid, 'SIGKILL'))`,
  ])
  expect(killed.signal).toBe('SIGKILL')
  const lock = await lockFolder(folder)
  expect(lock).not.toBeNull()
  expect(await lockFolder(folder)).toBeNull()
  await lock?.release()
})
