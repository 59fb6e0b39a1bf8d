import { expect, it } from 'vitest'
import { usualName } from './header-rows.ts'

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
