import { describe, expect, test } from 'vitest'
import type { SampleCell } from './cells.ts'
import { findHeader } from './find-header.ts'

/**
 * Rows for tests: `'x'` is text, a number is a number, `@` before a text marks a date or the like, and an empty string
 * is an empty cell.
 */
function header(...rows: readonly (readonly (string | number)[])[]): number | null {
  return findHeader(
    rows
      .map((row, i) => ({
        number: i + 1,
        cells: row.flatMap((value, column): SampleCell[] => {
          if (value === '') return []
          if (typeof value === 'number') return [{ column, kind: 'number', text: String(value) }]
          return value.startsWith('@')
            ? [{ column, kind: 'other', text: value.slice(1) }]
            : [{ column, kind: 'text', text: value }]
        }),
      }))
      .filter((row) => row.cells.length > 0),
  )
}

describe('found', () => {
  test.each<[string, readonly (readonly (string | number)[])[], number]>([
    [
      'on top',
      [
        ['id', 'name'],
        [1, 'a'],
        [2, 'b'],
      ],
      1,
    ],
    [
      'all text',
      [
        ['name', 'city'],
        ['Ann', 'Rome'],
        ['Bob', 'Bonn'],
      ],
      1,
    ],
    ['below a title and a blank row', [['Sales 2024'], [], ['id', 'name', 'x'], [1, 'a', 2]], 3],
    ['below two lines of title', [['Report'], ['As of', '@2024-01-01'], ['a', 'b', 'c', 'd'], [1, 2, 3, 4]], 3],
    ['alone', [['id', 'name', 'x']], 1],
    ['a count of columns', [['Plate 1'], ['', 1, 2, 3], ['A', 0.1, 0.2, 0.3], ['B', 0.4, 0.5, 0.6]], 2],
    ['one column', [['n'], [1], [2]], 1],
    ['one column of texts', [['name'], ['Ann'], ['Bob']], 1],
    [
      'two alike',
      [
        ['name', 'amount', 'amount'],
        ['a', 1, 2],
      ],
      1,
    ],
    [
      'names of years',
      [
        ['Country', 2021, 2022, 2023],
        ['DE', 1.5, 2.5, 3.5],
        ['FR', 1, 2, 3],
      ],
      1,
    ],
    [
      'an empty corner',
      [
        ['', 'Jan', 'Feb'],
        ['a', 1, 2],
        ['b', 3, 4],
      ],
      1,
    ],
    [
      'a column without a name',
      [
        ['id', '', 'x'],
        [1, 'a', 2],
        [2, 'b', 3],
      ],
      1,
    ],
    [
      'names of months',
      [
        ['Country', '@2024-01-01', '@2024-02-01'],
        ['DE', 1, 2],
      ],
      1,
    ],
  ])('%s', (_, rows, expected) => expect(header(...rows)).toBe(expected))
})

describe('not there', () => {
  test.each<[string, readonly (readonly (string | number)[])[]]>([
    ['nothing', []],
    [
      'a count without names of rows',
      [
        ['', 1, 2, 3],
        ['', 4, 5, 6],
        ['', 7, 8, 9],
      ],
    ],
    [
      'numbers',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'text and number, as below',
      [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
    ],
    [
      'dates first',
      [
        ['@2024-01-01', 'a', 1],
        ['@2024-01-02', 'b', 2],
      ],
    ],
    [
      'texts that come again',
      [
        ['red', 'S'],
        ['blue', 'M'],
        ['red', 'S'],
        ['blue', 'S'],
      ],
    ],
  ])('%s', (_, rows) => expect(header(...rows)).toBeNull())
})
