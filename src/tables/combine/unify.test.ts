import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseType, printType } from '../types.ts'
import { unify } from './unify.ts'

const unified = (...types: string[]): string => printType(unify(types.map((type) => parseType(type))))

describe('unified types', () => {
  it.each([
    [['BIGINT', 'DECIMAL(10,2)'], 'DECIMAL(21,2)'],
    [['DECIMAL(12,1)', 'DECIMAL(6,4)'], 'DECIMAL(15,4)'],
    [['DECIMAL(38,0)', 'DECIMAL(6,4)'], 'VARCHAR'],
    [['INTEGER', 'BIGINT'], 'BIGINT'],
    [['UINTEGER', 'INTEGER'], 'BIGINT'],
    [['UBIGINT', 'BIGINT'], 'HUGEINT'],
    [['INTEGER', 'DOUBLE'], 'DOUBLE'],
    [['BIGINT', 'DOUBLE'], 'VARCHAR'],
    [['DATE', 'TIMESTAMP'], 'TIMESTAMP'],
    [['DATE', 'TIMESTAMP WITH TIME ZONE'], 'VARCHAR'],
    [['TIMESTAMP', 'TIMESTAMP_NS'], 'VARCHAR'],
    [['BOOLEAN', 'INTEGER'], 'VARCHAR'],
    [['INTEGER[]', 'BIGINT[]'], 'BIGINT[]'],
    [['INTEGER[]', 'VARCHAR[]'], 'VARCHAR'],
    [['STRUCT(a INTEGER)', 'STRUCT(a BIGINT)'], 'STRUCT("a" BIGINT)'],
    [['STRUCT(a INTEGER)', 'STRUCT(b INTEGER)'], 'VARCHAR'],
    [['UUID', 'UUID'], 'UUID'],
  ])('%j are %s', (types, expected) => {
    expect(unified(...types)).toBe(printType(parseType(expected)))
  })

  it('don’t depend on the order, and unifying twice changes nothing', () => {
    const names = [
      'TINYINT',
      'UINTEGER',
      'INTEGER',
      'BIGINT',
      'DECIMAL(10,2)',
      'DECIMAL(15,3)',
      'DOUBLE',
      'DATE',
      'TIMESTAMP',
      'VARCHAR',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }), (types) => {
        const type = unified(...types)
        expect(unified(...types.toReversed())).toBe(type)
        expect(unified(...types, ...types)).toBe(type)
      }),
    )
  })
})
