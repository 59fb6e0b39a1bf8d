import { expect, test } from 'vitest'
import { markTogether, pathOf } from '../../../ui/overlays/files-dropped.ts'
import { withDistinctNames } from './distinct-names.ts'

function fileAt(path: string): File {
  const file = new File([path], path.split('/').at(-1) ?? '', { lastModified: 5 })
  return Object.defineProperty(file, 'webkitRelativePath', { value: path })
}

test('files with the same name are named after the folders in which they differ', async () => {
  const alone = Object.defineProperty(new File(['x'], 'jan.csv'), 'webkitRelativePath', { value: '' })
  const unpacked = Object.defineProperty(new File(['y'], 'JAN.csv'), 'webkitRelativePath', { value: '' })
  markTogether(unpacked, 's/inner/JAN.csv')
  const files = await withDistinctNames([
    ...['s/2024/jan.csv', 's/2025/jan.csv', 's/2025/feb.csv', 's/2024/jan.csv'].map(fileAt),
    alone,
    unpacked,
  ])
  expect(files.map(({ name }) => name)).toEqual([
    '2024_jan.csv',
    '2025_jan.csv',
    'feb.csv',
    '2024_jan (2).csv',
    'jan.csv',
    'inner_JAN.csv',
  ])
  expect([pathOf(files[0] as File), files[0]?.lastModified, await files[0]?.text()]).toEqual([
    's/2024/jan.csv',
    5,
    's/2024/jan.csv',
  ])
})
