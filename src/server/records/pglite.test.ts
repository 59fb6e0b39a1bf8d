import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SettingsError } from '../options.ts'
import { openPglite } from './pglite.ts'

/* Errors if the embedded database can't be opened. */

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-pglite-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a full disk is reported, and a half-made database is removed', async () => {
  const folder = path.join(newFolder(), 'records')
  const creating = vi.spyOn(PGlite, 'create').mockImplementation(() => {
    writeFileSync(path.join(folder, 'PG_VERSION'), '')
    // Its file system throws objects that aren't errors.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    return Promise.reject({ name: 'ErrnoError', errno: 51 })
  })
  onTestFinished(() => creating.mockRestore())
  const opening = openPglite(folder)
  await expect(opening).rejects.toThrow(`The embedded database in ${folder} can’t be opened. The disk is full`)
  await expect(opening).rejects.toBeInstanceOf(SettingsError)
  expect(existsSync(folder)).toBe(false)
})

test('a damaged folder is reported, and stays as it is', async () => {
  const folder = path.join(newFolder(), 'records')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'PG_VERSION'), '17')
  await expect(openPglite(folder)).rejects.toThrow(`The embedded database in ${folder} can’t be opened.`)
  expect(existsSync(path.join(folder, 'PG_VERSION'))).toBe(true)
})
