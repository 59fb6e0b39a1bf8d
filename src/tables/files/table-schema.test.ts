import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ColumnChecks } from '../checks.ts'
import type { ColumnEdit } from '../edits.ts'
import type { FileRecipe } from '../recipes/recipe.ts'
import { fromTableSchema, isTableSchema, type ImportedSchema } from './table-schema.ts'
import { toTableSchema } from './to-table-schema.ts'

const read = (value: unknown, name = 'schema.json'): ImportedSchema => {
  let ids = 0
  return fromTableSchema(name, JSON.stringify(value), () => `id${++ids}`, 5)
}

const recipeWith = (columns: readonly ColumnEdit[]): FileRecipe => ({
  version: 1,
  id: 'a',
  name: 'orders',
  createdAt: 0,
  matches: [{ format: 'csv', tables: [{ name: null, sources: columns.map(({ source }) => source) }] }],
  request: {},
  edits: [{ table: null, columns }],
  target: 'parquet',
  options: {},
})

describe('a Table Schema', () => {
  it('becomes a recipe with types, formats and checks', () => {
    const { recipes, notes } = read(
      {
        fields: [
          { name: 'id', type: 'integer', constraints: { exclusiveMinimum: 0, maximum: 99 } },
          { name: 'betrag', type: 'number', decimalChar: ',', groupChar: '.', constraints: { minimum: '-1.000,50' } },
          { name: 'tag', type: 'date', format: 'fmt:%d.%m.%Y', constraints: { minimum: '31.12.2023', required: true } },
          { name: 'aktiv', type: 'boolean', trueValues: ['ja'], falseValues: ['nein'], missingValues: ['', '-', '?'] },
          { name: 'code', type: 'string', constraints: { pattern: '[A-Z]{2}', maxLength: 2, enum: ['DE', 'FR'] } },
          { name: 'rest' },
          { name: 'rest', type: 'string', categories: [{ value: 'a', label: 'A' }, 'b'] },
        ],
        missingValues: ['', '-'],
        primaryKey: 'id',
      },
      'orders.schema.json',
    )
    expect(notes).toEqual([])
    expect(recipes).toEqual([
      {
        version: 1,
        id: 'id1',
        name: 'orders',
        createdAt: 5,
        matches: [
          {
            format: 'csv',
            tables: [{ name: null, sources: ['id', 'betrag', 'tag', 'aktiv', 'code', 'rest', 'rest'] }],
          },
        ],
        request: { settings: { kind: 'csv', nullStrings: ['', '-'] } },
        edits: [
          {
            table: null,
            columns: [
              {
                source: 'id',
                nth: 0,
                type: 'BIGINT',
                checks: { required: true, unique: true, minimum: '1', maximum: '99' },
              },
              {
                source: 'betrag',
                nth: 0,
                type: 'DOUBLE',
                format: { decimalMark: ',', grouping: '.' },
                checks: { minimum: '-1000.50' },
              },
              {
                source: 'tag',
                nth: 0,
                type: 'DATE',
                format: { dateFormat: '%d.%m.%Y' },
                checks: { required: true, minimum: '2023-12-31' },
              },
              {
                source: 'aktiv',
                nth: 0,
                type: 'BOOLEAN',
                format: { trueValues: ['ja'], falseValues: ['nein'], nullValues: ['?'] },
              },
              {
                source: 'code',
                nth: 0,
                type: 'VARCHAR',
                checks: { maxLength: 2, pattern: '[A-Z]{2}', enum: ['DE', 'FR'] },
              },
              { source: 'rest', nth: 1, type: 'VARCHAR', checks: { enum: ['a', 'b'] } },
            ],
          },
        ],
        target: 'parquet',
        options: {},
      },
    ])
  })

  it('reads durations as such, without limits', () => {
    const constraints = { required: true, minimum: 'PT1M', enum: ['PT1H', 'PT2H'] }
    const { recipes, notes } = read({ fields: [{ name: 'took', type: 'duration', constraints }] })
    expect(recipes[0]?.edits[0]?.columns).toEqual([
      { source: 'took', nth: 0, type: 'INTERVAL', checks: { required: true } },
    ])
    expect(notes).toEqual([
      '“took”: minimum isn’t checked for values of type “duration”.',
      '“took”: enum isn’t checked for values of type “duration”.',
    ])
  })

  it('reports what a recipe can’t express', () => {
    const { notes } = read({
      fields: [
        {
          name: 'a',
          type: 'number',
          bareNumber: false,
          groupChar: '_',
          constraints: { exclusiveMinimum: 1.5, enum: ['x'] },
        },
        { name: 'b', type: 'string', format: 'email', missingValues: ['NA'] },
        { name: 'c', type: 'geopoint', constraints: { minLength: 3 } },
        { name: 'd', type: 'date', format: '%A', constraints: { jsonSchema: {} } },
        { name: 'e', type: 'money' },
      ],
      primaryKey: ['a', 'b'],
      uniqueKeys: [['b', 'c']],
      foreignKeys: [{}],
    })
    expect(notes).toEqual([
      'whether “a”, “b” are unique together isn’t checked.',
      'whether “b”, “c” are unique together isn’t checked.',
      'references to other tables (foreignKeys) aren’t checked.',
      '“jsonSchema” of “d” isn’t checked.',
      '“a”: the groupChar “_” isn’t known.',
      '“a”: the schema doesn’t say which unit stands before or after numbers: check that they are read as numbers.',
      '“a”: exclusiveMinimum isn’t checked: only limits that include their own value are.',
      '“a”: “x” in its constraints isn’t a value of type “number”.',
      '“b”: whether values have the format “email” isn’t checked.',
      '“b”: “” is null here too, as in the whole file.',
      '“c”: “geopoint” isn’t used: the column’s type is detected.',
      '“c”: minLength isn’t checked for values of type “geopoint”.',
      '“d”: the pattern “%A” has unknown parts: how dates are written is detected.',
      '“e”: the type “money” isn’t known.',
    ])
  })

  it('reports every property that a recipe doesn’t keep', () => {
    const { notes } = read({
      $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
      title: 'Orders',
      fieldsMatch: ['subset'],
      fields: [
        { name: 'a', title: 'A', type: 'integer', trueValues: ['x'], format: 'x', rdfType: 'http://schema.org/x' },
        { name: 'b', title: 'B', type: 'string', decimalChar: ',', constraints: { formula: 'a > 1' } },
        { name: 'c', type: 'date', format: 'any', description: 'Day' },
      ],
      primaryKey: 'z',
    })
    expect(notes).toEqual([
      '“z” in its keys isn’t one of its fields.',
      '“title” isn’t kept.',
      '“fieldsMatch” isn’t kept.',
      '“title” of “a” and “b” isn’t kept.',
      '“rdfType” of “a” isn’t kept.',
      '“format” of “a” isn’t kept.',
      '“trueValues” of “a” isn’t kept.',
      '“formula” of “b” isn’t checked.',
      '“decimalChar” of “b” isn’t kept.',
      '“description” of “c” isn’t kept.',
    ])
  })

  it('reports the properties of a resource that a recipe doesn’t have', () => {
    const schema = { fields: [{ name: 'id' }], missingValues: ['', 'NA'] }
    const dialect = { delimiter: ';' }
    const { notes } = read(
      {
        resources: [
          { name: 'a', path: 'a.csv', encoding: 'cp1252', dialect, schema },
          { name: 'b', path: 'b.json', schema },
        ],
      },
      'datapackage.json',
    )
    expect(notes).toEqual([
      'a: “dialect” and “encoding” of the resource isn’t used: Rowhouse detects how a file is written.',
      'b: missingValues for all fields are used only for CSV and TSV.',
    ])
  })

  it('in a Data Package becomes a recipe for each file', () => {
    const { recipes, notes } = read(
      {
        name: 'shop',
        resources: [
          { name: 'orders', path: 'data/orders.csv', schema: { fields: [{ name: 'id' }] } },
          { path: ['items-2024-01.tsv', 'items-2024-02.tsv'], schema: { fields: [{ name: 'n', type: 'uuid' }] } },
          { name: 'elsewhere', path: 'x.csv', schema: 'schema.json' },
        ],
      },
      'datapackage.json',
    )
    expect(recipes.map(({ name, matches }) => [name, matches[0]?.format])).toEqual([
      ['orders', 'csv'],
      ['items', 'tsv'],
    ])
    expect(notes).toEqual(['items: “n”: the type “uuid” isn’t known.', '“elsewhere” has no schema in this file.'])
  })

  it('is distinguished from other JSON, and refused with the position of the error', () => {
    expect(
      [{ fields: [{ name: 'a' }] }, { resources: [{}] }].map((value) => isTableSchema(JSON.stringify(value))),
    ).toEqual([true, true])
    expect(['[1]', '{"fields": [1]}', '{"type": "object"}', '{', '{"resources": 5}'].some(isTableSchema)).toBe(false)
    expect(() => read({ fields: [{ name: 'a', constraints: { minLength: 'x' } }] })).toThrow(
      'fields[0].constraints.minLength',
    )
    expect(() => read({ resources: [{ name: 'a' }] })).toThrow('None of its resources has a schema.')
  })

  it('made from a recipe gives the same types, formats and checks', () => {
    const optional = { requiredKeys: [] }
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 })
    const any = fc.record({ required: fc.constant(true), unique: fc.constant(true) }, optional)
    const limits = (value: fc.Arbitrary<string>): fc.Arbitrary<ColumnChecks> =>
      fc
        .tuple(
          any,
          fc.record(
            { minimum: value, maximum: value, enum: fc.array(value, { minLength: 1, maxLength: 3 }) },
            optional,
          ),
        )
        .map(([a, b]) => ({ ...a, ...b }))
    const decimal = fc
      .tuple(fc.integer(), fc.nat(99))
      .map(([whole, part]) => `${whole}.${String(part).padStart(2, '0')}`)
    const date = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((day) => day.toISOString())
    const marks = fc.constantFrom(
      { decimalMark: ',', grouping: '.' },
      { grouping: ',' },
      { decimalMark: ',', grouping: ' ' },
    ) as fc.Arbitrary<NonNullable<ColumnEdit['format']>>
    const patterned = (...patterns: string[]) => fc.constantFrom(...patterns).map((dateFormat) => ({ dateFormat }))
    const nulls = fc.constant({ nullValues: ['NA', '?'] })
    const withFormat = (
      type: string,
      checks: fc.Arbitrary<ColumnChecks>,
      format: fc.Arbitrary<NonNullable<ColumnEdit['format']>>,
    ) => fc.record({ type: fc.constant(type), checks, format: fc.option(format, { nil: undefined }) })
    const column = fc.oneof(
      withFormat(
        'INTEGER',
        limits(fc.integer().map(String)),
        fc.oneof(marks.map(({ grouping }) => ({ grouping })) as typeof marks, nulls),
      ),
      withFormat('DECIMAL(18,2)', limits(decimal), marks),
      withFormat('DOUBLE', limits(decimal), marks),
      withFormat('DATE', limits(date.map((day) => day.slice(0, 10))), patterned('%d.%m.%Y', '%Y/%m/%d', '%m-%d-%Y')),
      withFormat(
        'TIMESTAMP',
        limits(date.map((day) => `${day.slice(0, 10)} ${day.slice(11, 19)}`)),
        patterned('%d.%m.%Y %H:%M:%S', '%Y%m%d%H%M%S'),
      ),
      withFormat('TIME', limits(date.map((day) => day.slice(11, 19))), patterned('%H.%M.%S')),
      withFormat(
        'VARCHAR',
        fc.record(
          { minLength: fc.nat(9), maxLength: fc.nat(9), pattern: text, enum: fc.array(text, { minLength: 1 }) },
          optional,
        ),
        nulls,
      ),
      withFormat('BOOLEAN', any, fc.constant({ trueValues: ['ja'], falseValues: ['nein'] })),
    )
    fc.assert(
      fc.property(fc.array(column, { minLength: 1, maxLength: 6 }), (made) => {
        const columns = made.map(({ type, checks, format }, i): ColumnEdit => ({
          source: `c${i % 4}`,
          nth: Math.floor(i / 4),
          type,
          ...(format ? { format } : type === 'BOOLEAN' ? { format: { trueValues: ['x'], falseValues: ['o'] } } : {}),
          ...(Object.keys(checks).length > 0 ? { checks } : {}),
        }))
        const exported = toTableSchema(recipeWith(columns))
        expect(exported?.notes).toEqual([])
        const again = read(exported?.schema)
        expect(again.notes).toEqual([])
        expect(again.recipes[0]?.edits[0]?.columns).toEqual(columns)
      }),
    )
  })

  it('made from a recipe reports what it can’t express', () => {
    const exported = toTableSchema(
      recipeWith([
        { source: 'a', nth: 0, name: 'b', include: false, format: { trim: true, unit: '€' }, checks: { minimum: '1' } },
        { source: 'd', nth: 0, type: 'DATE', format: { dateFormat: '%d %b %Y' }, checks: { maximum: '2024-01-02' } },
      ]),
    )
    expect(exported?.notes).toEqual([
      '“a”: that it’s left out isn’t in the Table Schema.',
      '“a”: that it’s called “b” isn’t in the Table Schema.',
      '“a”: how values are read (trim) isn’t in the Table Schema.',
      '“a”: that its numbers are in “€” isn’t in the Table Schema, only that they aren’t bare numbers.',
      '“d”: “2024-01-02” in its checks can’t be written as its values are.',
    ])
    expect(exported?.schema).toMatchObject({
      fields: [
        { name: 'a', type: 'number', bareNumber: false, constraints: { minimum: '1' } },
        { name: 'd', type: 'date', format: '%d %b %Y', constraints: { maximum: '2024-01-02' } },
      ],
    })
  })

  it('made from a recipe reports the recipe’s other settings', () => {
    const recipe: FileRecipe = {
      ...recipeWith([{ source: 'a', nth: 0, type: 'VARCHAR', format: { dateFormat: '%d' } }]),
      request: { settings: { kind: 'csv', skipLines: 2 } },
      split: { by: 'rows', rows: 10 } as unknown as NonNullable<FileRecipe['split']>,
      shape: { sql: 'FROM a', tables: [] },
    }
    expect(toTableSchema(recipe)?.notes).toEqual([
      '“a”: the pattern “%d” isn’t possible for its type in a Table Schema.',
      'How its files are read, beside the words for null, isn’t in the Table Schema.',
      'The statement that shapes it isn’t in the Table Schema.',
      'How it’s split isn’t in the Table Schema.',
    ])
  })
})
