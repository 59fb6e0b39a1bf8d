import { expect, test } from 'vitest'
import type { LostThings } from '../../../engine/client.ts'
import { storedMade } from './stored-made.ts'

test('what a tab had created is listed, without statements that are too long to store', () => {
  const entries = new Map<string, string>()
  const open = (tab: string) =>
    storedMade(tab, () => ({
      getItem: (name) => entries.get(name) ?? null,
      setItem: (name, text) => void entries.set(name, text),
      removeItem: (name) => void entries.delete(name),
    }))
  const made = (sql: string): LostThings => ({
    names: ['a'],
    statements: [{ kind: 'table', sql, parameters: {} }],
    transaction: true,
  })
  const short = made('CREATE TABLE a AS SELECT 1')
  open('one').write(short)
  expect(open('one').read()).toEqual({ ...short, left: true })
  expect(open('two').read()).toBeNull()
  open('one').write(made('x'.repeat(600_000)))
  expect(open('one').read()).toEqual({ names: ['a'], statements: [], transaction: true, left: true })
  open('one').write(null)
  expect(entries.size).toBe(0)
  entries.set('rowhouse-sql-made-one', '{')
  expect(open('one').read()).toBeNull()
})
