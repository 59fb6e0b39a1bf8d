import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { scopeSchema, type ApiKey, type Scope } from '../../../contract/schemas.ts'
import { choiceOf, describeScopes, NOTHING, scopesOf, stateOfKey, withAccess } from './scopes.ts'

const NAMES = new Map([
  ['a', 'Sales'],
  ['b', 'Stock'],
  ['c', 'Staff'],
  ['d', 'Shops'],
])
const describe = (...scopes: Scope[]): string => describeScopes(scopes, (id) => NAMES.get(id))

const access = fc.record({ read: fc.boolean(), write: fc.boolean() })
const choice = fc.record({
  all: access,
  datasets: fc
    .dictionary(fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/), access)
    .map((entries) => new Map(Object.entries(entries))),
})

test('a choice is restored from its scopes, which are valid and unique', () => {
  fc.assert(
    fc.property(choice, (chosen) => {
      const scopes = scopesOf(chosen)
      expect(new Set(scopes).size).toBe(scopes.length)
      for (const scope of scopes) expect(scopeSchema.safeParse(scope).success).toBe(true)
      const again = choiceOf(scopes)
      expect(again.all).toEqual(chosen.all)
      for (const [id, { read, write }] of chosen.datasets) {
        const got = again.datasets.get(id)
        expect((got?.read ?? false) || again.all.read).toBe(read || chosen.all.read)
        expect((got?.write ?? false) || again.all.write).toBe(write || chosen.all.write)
      }
      expect(scopesOf(again)).toEqual(scopes)
    }),
  )
})

test('scopes are described in words', () => {
  expect(describe('datasets:*:read', 'datasets:*:write')).toBe('Reads and writes all datasets')
  expect(describe('datasets:*:read', 'datasets:a:write')).toBe('Reads all datasets; writes “Sales”')
  expect(describe('datasets:a:write')).toBe('Writes, but doesn’t read, “Sales”')
  expect(describe('datasets:a:read', 'datasets:b:read')).toBe('Reads “Sales” and “Stock”')
  expect(describe('datasets:a:read', 'datasets:gone:read')).toBe('Reads “Sales” and a deleted dataset')
  expect(describe('datasets:a:read', 'datasets:b:read', 'datasets:c:read', 'datasets:d:read', 'datasets:d:write')).toBe(
    'Reads “Sales”, “Stock” and “Staff”; reads and writes “Shops”',
  )
  expect(describe()).toBe('Nothing')
})

test('removing all rights for a dataset removes it', () => {
  const some = withAccess(NOTHING, 'a', { read: true, write: false })
  expect(scopesOf(some)).toEqual(['datasets:a:read'])
  expect(scopesOf(withAccess(some, 'a', { read: false, write: false }))).toEqual([])
})

test('a key is active, ending, expired or revoked', () => {
  const now = Date.UTC(2026, 10, 21)
  const key: ApiKey = {
    id: 'k',
    name: 'k',
    scopes: ['datasets:*:read'],
    last4: 'abcd',
    created_at: new Date(now).toISOString(),
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
  }
  const at = (days: number): string => new Date(now + days * 86_400_000).toISOString()
  expect(stateOfKey(key, now)).toBe('active')
  expect(stateOfKey({ ...key, expires_at: at(30) }, now)).toBe('active')
  expect(stateOfKey({ ...key, expires_at: at(2) }, now)).toBe('ending')
  expect(stateOfKey({ ...key, expires_at: at(0) }, now)).toBe('expired')
  expect(stateOfKey({ ...key, expires_at: at(2), revoked_at: at(-1) }, now)).toBe('revoked')
})
