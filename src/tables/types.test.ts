import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNested, parseType, printType, sameType, scalar, TypeNameError, VARCHAR, type ColumnType } from './types.ts'

const INTEGER = scalar('INTEGER')

const NAMES = [
  'BOOLEAN',
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'FLOAT',
  'DOUBLE',
  'VARCHAR',
  'BLOB',
  'UUID',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP_S',
  'TIMESTAMP_MS',
  'TIMESTAMP_NS',
  'TIMESTAMP WITH TIME ZONE',
  'INTERVAL',
] as const

const fieldName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', '"', 'a"b', 'with space', '__proto__', 'struct', 'MAP', 'a,b', 'a)', 'TIMESTAMP', '1st', 'é'),
)

const { type: anyType } = fc.letrec<{ type: ColumnType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...NAMES).map(scalar),
    fc.integer({ min: 1, max: 38 }).chain((width) =>
      fc.record({
        kind: fc.constant('decimal' as const),
        width: fc.constant(width),
        scale: fc.integer({ min: 0, max: width }),
      }),
    ),
    fc.record({ kind: fc.constant('list' as const), item: tie('type') }),
    fc.record({
      kind: fc.constant('struct' as const),
      fields: fc.array(fc.record({ name: fieldName, type: tie('type') }), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('map' as const), key: tie('type'), value: tie('type') }),
  ),
}))

describe('a type’s name', () => {
  test('is parsed to the type that it was printed from', () => {
    fc.assert(
      fc.property(anyType, (type) => {
        expect(parseType(printType(type))).toEqual(type)
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['DECIMAL(18,3)', { kind: 'decimal', width: 18, scale: 3 }],
    [
      'STRUCT(a INTEGER, "b c" VARCHAR[])',
      {
        kind: 'struct',
        fields: [
          { name: 'a', type: INTEGER },
          { name: 'b c', type: { kind: 'list', item: VARCHAR } },
        ],
      },
    ],
    ['MAP(VARCHAR, INTEGER[])', { kind: 'map', key: VARCHAR, value: { kind: 'list', item: INTEGER } }],
    ['INTEGER[][]', { kind: 'list', item: { kind: 'list', item: INTEGER } }],
    ['STRUCT("a""b" INTEGER)', { kind: 'struct', fields: [{ name: 'a"b', type: INTEGER }] }],
  ] as [string, ColumnType][])('%s is DuckDB’s notation', (text, type) => {
    expect(printType(type)).toBe(text)
    expect(parseType(text)).toEqual(type)
  })

  test.each([
    ['int', 'INTEGER'],
    ['  bigint  ', 'BIGINT'],
    ['text', 'VARCHAR'],
    ['timestamptz', 'TIMESTAMP WITH TIME ZONE'],
    ['timestamp  with\ttime zone', 'TIMESTAMP WITH TIME ZONE'],
    ['timestamp with time zone[]', 'TIMESTAMP WITH TIME ZONE[]'],
    ['NUMERIC(5,0)', 'DECIMAL(5,0)'],
    ['decimal', 'DECIMAL(18,3)'],
    ['INTEGER[3]', 'INTEGER[]'],
    ['struct ( a int , b map( text,double ) )', 'STRUCT(a INTEGER, b MAP(VARCHAR, DOUBLE))'],
  ])('“%s” is %s', (text, name) => expect(printType(parseType(text))).toBe(name))

  // Known fault: it is read as DECIMAL(5,3).
  test('“DECIMAL(5)” has no decimals, as in DuckDB', () => {
    expect(printType(parseType('DECIMAL(5)'))).toBe('DECIMAL(5,0)')
  })

  test.each([
    '',
    'FOO',
    'INTEGER INTEGER',
    'INTEGER[',
    'DECIMAL(0,0)',
    'DECIMAL(39,0)',
    'DECIMAL(4,5)',
    'STRUCT()',
    'STRUCT(a)',
    'MAP(INTEGER)',
    'MAP(INTEGER, INTEGER, INTEGER)',
    'STRUCT("a INTEGER)',
    '__proto__',
    'constructor',
    'TIMESTAMP WITH',
  ])('“%s” isn’t a type', (text) => expect(() => parseType(text)).toThrow(TypeNameError))

  test('an error has a position', () => {
    expect(() => parseType('STRUCT(a FOO)')).toThrow(/“STRUCT\(a FOO\)” is not a column type \(at character 13\)/)
  })

  test('garbage is refused, never read as another type', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        try {
          parseType(text)
        } catch (error) {
          expect(error).toBeInstanceOf(TypeNameError)
        }
      }),
    )
  })
})

test('types are equal if their names are', () => {
  const struct = (name: string): ColumnType => ({ kind: 'struct', fields: [{ name, type: INTEGER }] })
  expect(sameType(struct('a'), struct('a'))).toBe(true)
  expect(sameType(struct('a'), struct('A'))).toBe(false)
  expect(sameType(VARCHAR, INTEGER)).toBe(false)
})

test('lists, structs and maps are nested', () => {
  expect(['INTEGER[]', 'STRUCT(a INTEGER)', 'MAP(INTEGER, INTEGER)'].map((text) => isNested(parseType(text)))).toEqual([
    true,
    true,
    true,
  ])
  expect(['INTEGER', 'DECIMAL(4,2)'].some((text) => isNested(parseType(text)))).toBe(false)
})
