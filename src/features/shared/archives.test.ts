import { expect, test } from 'vitest'
import { zipOf } from '../../lib/zip/testing.ts'
import { cameInFolder, pathOf } from '../../ui/overlays/files-dropped.ts'
import { connectToasts } from '../../ui/overlays/toasts.ts'
import { withUnpacked } from './archives.ts'

const said: string[] = []
connectToasts({
  add: ({ title, description }: { title: string; description?: string }) => {
    said.push(`${title}: ${description}`)
    return ''
  },
} as unknown as Parameters<typeof connectToasts>[0])

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
    '1 file of “all.zip” couldn’t be unpacked: “../x.csv”: its path leads out of the archive.',
  ])
})
