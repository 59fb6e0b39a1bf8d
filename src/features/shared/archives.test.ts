import { beforeEach, expect, test } from 'vitest'
import { zipOf } from '../../lib/zip/testing.ts'
import { cameInFolder, filesDropped, pathOf } from '../../ui/overlays/files-dropped.ts'
import { connectToasts } from '../../ui/overlays/toasts.ts'
import { withUnpacked } from './archives.ts'

const said: string[] = []
connectToasts({
  add: ({ title, description, timeout }: { title: string; description?: string; timeout?: number }) => {
    said.push(`${title}: ${description}${timeout === 0 ? ' (stays)' : ''}`)
    return ''
  },
} as unknown as Parameters<typeof connectToasts>[0])

beforeEach(() => void said.splice(0))

test('an archive is replaced by its tables, which belong together, and what is left out is reported', async () => {
  const archive = await zipOf([
    ['export/m10.csv', 'a\n10\n'],
    ['export/m2.csv', 'a\n2\n'],
    ['../x.csv', ''],
    ['readme.pdf', 'x'],
  ])
  const broken = new File(['x,y\n1,2\n'], 'a.zip')
  const files = await withUnpacked([new File(['x'], 'other.csv'), archive, broken])
  expect(files.map(({ name }) => name)).toEqual(['other.csv', 'export_m2.csv', 'export_m10.csv', 'a.zip'])
  expect(await files[1]?.text()).toBe('a\n2\n')
  // Node's files lack this property.
  for (const each of files) Object.defineProperty(each, 'webkitRelativePath', { value: '' })
  expect(files.map(cameInFolder)).toEqual([false, true, true, false])
  expect(files.map(pathOf)).toEqual(['other.csv', 'export/m2.csv', 'export/m10.csv', 'a.zip'])
  expect(said).toEqual([
    'Read 2 files from “all.zip”: Skipped 1 other that isn’t a table.',
    '1 file of “all.zip” couldn’t be unpacked: “../x.csv”: its path leads out of the archive. (stays)',
  ])
})

test('tables of an archive that are too many are reported until that is dismissed', async () => {
  const inner = await zipOf(
    Array.from({ length: 502 }, (_, i) => [`m${i}.csv`, 'a\n1\n'] as const),
    'days.zip',
  )
  const outer = await zipOf([['days.zip', new Uint8Array(await inner.arrayBuffer())]])
  expect(await withUnpacked([outer])).toHaveLength(500)
  expect(said).toEqual([
    '2 of 502 tables in “all.zip” are left out: That is more than is read from one archive. Unpack it, and add the rest as files. (stays)',
  ])
})

test('dropped files that are too many are reported until that is dismissed', async () => {
  const files = Array.from({ length: 501 }, (_, i) => new File(['x'], `${i}.csv`))
  expect(await filesDropped({ items: [], files } as unknown as DataTransfer)).toHaveLength(500)
  expect(said).toEqual(['1 file left out: Only the first 500 were added. Add the others separately. (stays)'])
})
