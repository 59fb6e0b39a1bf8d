import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Failed } from './io.ts'
import { filesNamed, shownPath } from './paths.ts'
import { Shell } from './testing.ts'

let shell: Shell
beforeAll(async () => {
  shell = await Shell.open()
  await mkdir(shell.path('data/2024'), { recursive: true })
  for (const name of ['b.csv', 'a.csv', 'a.tsv', 'c[1].csv', '.hidden.csv', 'data/x.csv', 'data/2024/y.csv'])
    await shell.write(name, 'id\n1\n')
})
afterAll(() => shell.close())

it.each([
  ['*.csv', ['a.csv', 'b.csv', 'c[1].csv']],
  ['?.csv', ['a.csv', 'b.csv']],
  ['a.{csv,tsv}', ['a.csv', 'a.tsv']],
  ['[!b].csv', ['a.csv']],
  ['[a-b].csv', ['a.csv', 'b.csv']],
  ['c[1].csv', ['c[1].csv']],
  ['data/*.csv', ['data/x.csv']],
  ['data/**/*.csv', ['data/2024/y.csv', 'data/x.csv']],
  ['**/y.csv', ['data/2024/y.csv']],
  ['d*/x.csv', ['data/x.csv']],
  ['.h*.csv', ['.hidden.csv']],
  ['none.csv', ['none.csv']],
])('%s matches the right files', async (pattern, expected) => {
  expect(await filesNamed([pattern], shell.folder)).toEqual(expected)
})

it('absolute patterns match', async () => {
  expect(await filesNamed([`${shell.folder}/data/*`], '/')).toEqual([shell.path('data/x.csv')])
})

it('each file is returned once, in the order of the arguments', async () => {
  expect(await filesNamed(['b.csv', '*.csv'], shell.folder)).toEqual(['b.csv', 'a.csv', 'c[1].csv'])
})

it('a pattern that matches nothing is an error', async () => {
  await expect(filesNamed(['*.parquet'], shell.folder)).rejects.toThrow('No file matches “*.parquet”.')
})

it.each(['https://example.com/a.csv', 's3://bucket/*.csv', 'FILE:///a.csv'])(
  'an address is refused: %s',
  async (text) => {
    await expect(filesNamed([text], shell.folder)).rejects.toThrow('is an address, and nothing is fetched here.')
  },
)

it('any text is accepted as a file or a pattern', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme-ascii' }), async (text) => {
      // Keeps the search within the folder. Addresses are refused.
      fc.pre(!/\.\.|^[/\\]|\0|:\/\//.test(text))
      const found = filesNamed([text], shell.folder)
      if (/[*?[\]{}]/.test(text)) await found.catch((error: unknown) => expect(error).toBeInstanceOf(Failed))
      else expect(await found).toEqual([text])
    }),
    { numRuns: 1000, examples: [['[]]'], ['[[]'], ['{'], ['[!]'], ['*//'], ['a//*']] },
  )
})

it('a path is shown relative to the current folder unless it’s outside', () => {
  expect(shownPath('/home/ann/made/a.csv', '/home/ann')).toBe(path.join('made', 'a.csv'))
  expect(shownPath('/tmp/a.csv', '/home/ann')).toBe('/tmp/a.csv')
})
