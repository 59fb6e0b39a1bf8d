import { mkdtempSync, rmSync } from 'node:fs'
import { Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lockFolder } from './lock.ts'

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a folder belongs to one until that lets go of it', async () => {
  const folder = newFolder()
  const first = await lockFolder(folder)
  expect(first).not.toBeNull()
  expect(await lockFolder(folder)).toBeNull()
  await first?.release()
  const second = await lockFolder(folder)
  expect(second).not.toBeNull()
  await second?.release()
})

test('stays locked, and the process alive, when connections to the lock fail', async () => {
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
