import { expect, it } from 'vitest'
import { typeWords } from './type-names.ts'

it.each<[readonly string[], readonly string[]]>([
  [
    ['VARCHAR', 'DATE'],
    ['Text', 'Date'],
  ],
  [
    ['DECIMAL(12,2)', 'DECIMAL(10,2)', 'DOUBLE'],
    ['Number with 2 decimals (DECIMAL(12,2))', 'Number with 2 decimals (DECIMAL(10,2))', 'Number'],
  ],
  [
    ['DATE', 'DATE'],
    ['Date', 'Date'],
  ],
  [['BLOB'], ['BLOB']],
  [
    ['STRUCT(a INTEGER)', 'STRUCT(a INTEGER)[]', 'MAP(VARCHAR, DATE)', 'INTEGER[3]'],
    ['Object', 'List (STRUCT(a INTEGER)[])', 'Keys with values', 'List (INTEGER[3])'],
  ],
])('types in words that tell them apart: %j', (types, words) => {
  expect(typeWords(types)).toEqual(words)
})
