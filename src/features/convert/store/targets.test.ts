import { expect, test } from 'vitest'
import { createTargets } from './targets.ts'

function storage(text: string | null = null) {
  let kept = text
  return () => ({
    getItem: () => kept,
    setItem: (_: string, value: string) => void (kept = value),
    removeItem: () => void (kept = null),
  })
}

test('the last choice applies to files of the same kind, also after a reload', () => {
  const kept = storage()
  const targets = createTargets(kept)
  expect([targets.of('a.csv'), targets.of('a.xlsx')]).toEqual(['parquet', 'csv'])
  targets.choose('a.csv', 'xlsx')
  expect([targets.of('b.tsv.gz'), targets.of('a.xlsx')]).toEqual(['xlsx', 'csv'])
  expect(createTargets(kept).of('c.txt')).toBe('xlsx')
})

test('an invalid choice, or one that can’t be stored, is ignored', () => {
  expect(createTargets(storage('{"parquet":"duckdb"}')).of('a.csv')).toBe('parquet')
  expect(createTargets(storage('[')).of('a.csv')).toBe('parquet')
  const targets = createTargets(() => {
    throw new DOMException('no', 'SecurityError')
  })
  targets.choose('a.csv', 'json')
  expect(targets.of('b.csv')).toBe('json')
})
