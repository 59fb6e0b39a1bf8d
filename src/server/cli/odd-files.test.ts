import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFile } from '../engine/files.ts'
import { Shell } from './testing.ts'
import { failureOf, sentenceOf } from './words.ts'

/* Paths that aren't readable files or writable folders. */

let shell: Shell
beforeEach(async () => {
  shell = await Shell.open()
  await shell.write('a.csv', 'id\n1\n')
})
afterEach(() => shell.close())

/** Root may read everything. */
const isRoot = process.getuid?.() === 0

describe('inspect', () => {
  it('refuses a pipe without waiting for it', async () => {
    spawnSync('mkfifo', [shell.path('pipe')])
    const { code, err } = await shell.run(['inspect', 'pipe'])
    expect(code).toBe(1)
    expect(err).toBe(
      `pipe: It’s a device or a pipe, not a file (${shell.path('pipe')}). Copy its contents into a file first.\n`,
    )
  })

  it('says from which folder a pattern matches nothing', async () => {
    expect(await shell.run(['inspect', '*.tsv'])).toEqual({
      code: 1,
      out: '',
      err: `No file matches “*.tsv”. Check the pattern. It starts from ${shell.folder}.\n`,
    })
  })

  it.skipIf(isRoot)('reports that a file may not be read', async () => {
    await chmod(shell.path('a.csv'), 0o000)
    const { code, err } = await shell.run(['inspect', 'a.csv'])
    expect(code).toBe(1)
    expect(err).toContain('a.csv: You aren’t allowed to read it')
  })
})

it.each([
  ['access', 'a.csv', 'You aren’t allowed to read it (a.csv). Change its permissions.'],
  ['mkdtemp', path.join('out', '.rowhouse-x1'), 'You aren’t allowed to write there (out). Change the folder’s perm'],
])('distinguishes what may not be read from where nothing may be written: %s', (syscall, at, message) => {
  const error = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall, path: at })
  expect(sentenceOf(failureOf(error))).toContain(message)
})

it('reports that a file changed while it was read', async () => {
  const file = await openFile(shell.path('a.csv'))
  await writeFile(shell.path('a.csv'), 'id\n1\n2\n3\n')
  const error: unknown = await file.arrayBuffer().catch((thrown: unknown) => thrown)
  expect(failureOf(error)).toMatchObject({ code: 'changed', remedy: 'Try again.' })
})

describe('convert', () => {
  it.each(['b.csv', 'b.csv/deep'])('refuses %s as output folder if b.csv is a file', async (folder) => {
    await shell.write('b.csv', 'mine')
    expect(await shell.run(['convert', 'a.csv', '--to', 'json', '--out', folder])).toEqual({
      code: 2,
      out: '',
      err: '--out needs a folder, and “b.csv” is a file. Try: rowhouse convert --help\n',
    })
    expect((await readdir(shell.folder)).sort()).toEqual(['a.csv', 'b.csv'])
  })

  it('refuses a folder as a recipe', async () => {
    await mkdir(shell.path('recipes'))
    const { code, err } = await shell.run(['convert', 'a.csv', '--recipe', 'recipes'])
    expect(code).toBe(2)
    expect(err).toBe('The recipe “recipes” can’t be used. It’s a folder. Try: rowhouse convert --help\n')
  })
})
