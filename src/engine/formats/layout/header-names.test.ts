import { expect, it, test } from 'vitest'
import { usualName } from './header-rows.ts'
import { markedNameProposals, spacedName } from './name-proposals.ts'

it.each<[number, string]>([
  [1, 'date'],
  [1, ' Date '],
  [1, 'customerId'],
  [1, 'zip_code'],
  [0.5, 'order date'],
  [0.5, 'Date de naissance'],
  [1, 'Straße'],
  [1, 'Prénom'],
  [1, 'préNom'],
  [1, '姓名'],
  [1, 'Дата'],
  [0, 'Lisbon'],
  [0, 'the date on which it was paid'],
  [0, '2024-01-01 12:30'],
  [0, '-12.5'],
  [0, ''],
])('finds %d of a usual name in “%s”', (share, text) => {
  expect(usualName(text)).toBe(share)
})

test('a name with spaces around it is told, and can lose them', () => {
  expect(spacedName(' amount ')).toMatchObject({
    note: { code: 'header-spaces', column: ' amount ' },
    proposal: { label: 'Apply: the name “amount”', change: { kind: 'column', patch: { name: 'amount' } } },
  })
  expect([spacedName('amount'), spacedName('  ')]).toEqual([null, null])
})

test('names that begin as remarks do can lose the mark: the first one, or all of them', () => {
  const proposed = (...names: string[]) =>
    names.map((_, i) => markedNameProposals(names, i).map(({ example, ambiguous }) => [example?.to, ambiguous]))
  expect(proposed('#id', '#', 'no. #')).toEqual([[['id', undefined]], [], []])
  expect(proposed('#Data', '#Opis')).toEqual([[['Data', undefined]], [['Opis', undefined]]])
  expect(proposed('# of items', 'price', '# sold')).toEqual([[['of items', true]], [], []])
  expect(proposed('#id', 'id')).toEqual([[], []])
  expect(proposed('#1', 'a')).toEqual([[], []])
})
