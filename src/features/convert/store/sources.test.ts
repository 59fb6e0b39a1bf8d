import { expect, test } from 'vitest'
import { createJob } from '../model/job.ts'
import type { ConvertDatabase, KeptSource } from './database.ts'
import { Sources } from './sources.ts'

const MB = 1024 * 1024

function setUp() {
  const batches: KeptSource[][] = []
  const database: Pick<ConvertDatabase, 'putSources' | 'sources'> = {
    putSources: async (sources) => void batches.push([...sources]),
    sources: async (ids) => batches.flat().filter(({ id }) => ids.includes(id)),
  }
  const sources = new Sources(database)
  const job = (id: string, file: File) => createJob(id, file, 0)
  return { sources, batches, job }
}

test('small files are stored as bytes, and opened unchanged', async () => {
  const { sources, batches, job } = setUp()
  const file = new File(['a,b\n1,2\n'], 'a.csv', { type: 'text/csv', lastModified: 7 })
  await sources.keep([job('1', file), job('2', new File(['x'], 'b.txt'))])
  expect(batches).toHaveLength(1)
  expect(batches.flat().some(({ source }) => source instanceof Blob)).toBe(false)
  const [opened] = await sources.open([{ id: '1' } as Parameters<Sources['open']>[0][number]])
  expect([opened?.file.name, opened?.file.type, opened?.file.lastModified]).toEqual(['a.csv', 'text/csv', 7])
  expect(await opened?.file.text()).toBe('a,b\n1,2\n')
})

test('files are opened in the order in which they were added, which is the order of a combined table’s rows', async () => {
  const { sources, job } = setUp()
  const names = ['a.csv', 'b.csv', 'c.csv']
  await sources.keep(names.map((name) => job(name, new File(['x'], name))))
  // The list shows the latest first.
  const records = names.map((id, i) => ({ id, addedAt: i }) as Parameters<Sources['open']>[0][number]).toReversed()
  expect((await sources.open(records)).map(({ file }) => file.name)).toEqual(names)
})

test('at most 4 MB and 16 files are copied at a time, or one of up to 16 MB', async () => {
  const { sources, batches, job } = setUp()
  const of = (size: number) => new File([new Uint8Array(size)], `${size}.bin`)
  await sources.keep([job('1', of(9 * MB)), job('2', of(9 * MB)), job('3', of(17 * MB))])
  expect(batches.map((batch) => batch.map(({ id }) => id))).toEqual([['1'], ['2']])
  expect(['1', '2', '3'].map((id) => sources.has(id))).toEqual([true, true, false])
})

test('hundreds of small files are copied in steps', async () => {
  const { sources, batches, job } = setUp()
  await sources.keep(Array.from({ length: 100 }, (_, i) => job(String(i), new File([`a\n${i}\n`], `${i}.csv`))))
  expect(Math.max(...batches.map((batch) => batch.length))).toBe(16)
  expect(batches.flat().map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => String(i)))
})
