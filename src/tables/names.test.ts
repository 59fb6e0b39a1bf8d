import { expect, test } from 'vitest'
import { columnNames, uniqueNames } from './names.ts'
import { stemOf } from './file-names.ts'

test.each<[readonly string[], readonly string[]]>([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', 'a', 'a'],
    ['a', 'a_1', 'a_2'],
  ],
  [
    ['a', 'a', 'a_1'],
    ['a', 'a_2', 'a_1'],
  ],
  [
    ['', ' ', 'column_2'],
    ['column_1', 'column_2_1', 'column_2'],
  ],
  [
    ['column_2', ''],
    ['column_2', 'column_2_1'],
  ],
  [
    ['__proto__', 'constructor', '__proto__'],
    ['__proto__', 'constructor', '__proto___1'],
  ],
])('columns named %j get unique names', (sources, names) => {
  expect(columnNames(sources)).toEqual(names)
})

test('a column without a name may get another name', () => {
  expect(columnNames(['', 'a', ''], (i) => `c${i}`)).toEqual(['c0', 'a', 'c2'])
})

test('names that differ only in case are numbered', () => {
  expect(uniqueNames(['id', 'Id', ' ', 'ID_1'])).toEqual(['id', 'Id', ' ', 'ID_1'])
  expect(uniqueNames(['id', 'Id', ' ', 'ID_1'], (name) => name.toLowerCase())).toEqual(['id', 'Id_2', ' ', 'ID_1'])
})

test('any number of equal names is made unique', () => {
  const names = columnNames(Array.from({ length: 50_000 }, () => 'a'))
  expect(names.at(-1)).toBe('a_49999')
})

test('a stem has neither folder nor extensions', () => {
  expect(['a/b.csv.gz', 'C:\\x\\y.parquet', '.hidden', 'no extension', 'v1.2 final.xlsx'].map(stemOf)).toEqual([
    'b',
    'y',
    '.hidden',
    'no extension',
    'v1.2 final',
  ])
})
