import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import config from './vite.config.ts'
import { replaceOwn } from './vite-plugin.ts'

test('a build removes only the files of the previous build', () => {
  const outer = mkdtempSync(path.join(tmpdir(), 'rowhouse-build-'))
  onTestFinished(() => rmSync(outer, { recursive: true }))
  const dir = path.join(outer, 'out')
  const put = (name: string) => writeFileSync(path.join(dir, name), '')
  mkdirSync(path.join(dir, 'chunks'), { recursive: true })
  for (const name of ['mine.txt', 'chunks/mine.js', '../outside.txt']) put(name)
  for (const name of ['server.js', 'chunks/a-1.js']) put(name)
  replaceOwn(dir, ['server.js', 'chunks/a-1.js'])
  put('chunks/a-2.js')
  replaceOwn(dir, ['server.js', 'chunks/a-2.js'])
  const there = () =>
    readdirSync(outer, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ parentPath, name }) => path.relative(dir, path.join(parentPath, name)))
      .sort()
  expect(there()).toEqual(['../outside.txt', 'chunks/a-2.js', 'chunks/mine.js', 'mine.txt', 'server.js'])
  writeFileSync(path.join(dir, '.rowhouse-build.json'), '["../outside.txt", "chunks/a-2.js"]')
  replaceOwn(dir, [])
  expect(there()).toEqual(['../outside.txt', 'chunks/mine.js', 'mine.txt', 'server.js'])
})

test('Vite doesn’t empty the folder', () => {
  expect(config.build?.emptyOutDir).toBe(false)
})
