import { expect, test } from 'vitest'
import { editTable, NO_EDITS } from '../edits.ts'
import { column, inspection, table } from '../testing.ts'
import { isAside } from './asides.ts'

const texts = inspection(table([column('Sales 2024')]))
const typed = inspection(table([column('id', 'BIGINT'), column('note')]))
const file = (name: string, read: typeof texts | null = texts) => ({
  file: { name },
  inspection: read,
  edits: NO_EDITS,
})
const sales = file('sales.csv', typed)

test.each([
  'readme.txt',
  'README',
  'Read me.TXT',
  'LICENSE.txt',
  'LICENCE-MIT.txt',
  'notes.txt',
  'LIESMICH.txt',
  'changelog.md',
])('among tables, %s is a text', (name) => {
  expect([isAside(file(name), [file(name), sales]), isAside(file(name, null), [sales])]).toEqual([true, true])
})

test.each([
  ['it has another name', file('cities.txt')],
  ['its name only begins alike', file('noted.txt')],
  ['its name promises a table', file('notes.csv')],
  ['it has other values than text', file('notes.txt', typed)],
])('a file is a table if %s', (_, one) => {
  expect(isAside(one, [one, sales])).toBe(false)
})

test('a text is a table if there’s no other, or the person includes it', () => {
  const readme = file('readme.txt')
  expect(isAside(readme, [readme, file('LICENSE.txt')])).toBe(false)
  const included = { ...readme, edits: editTable(NO_EDITS, null, true) }
  expect(isAside(included, [included, sales])).toBe(false)
})
