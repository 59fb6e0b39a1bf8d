import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tries } from '../../../lib/testing.ts'
import { defaultOptions, type ImportPlan } from '../../../tables/plan.ts'
import { nativeText } from '../../testing/oracle.ts'
import { convert, inspect as inspectAny } from '../../testing/run.ts'
import { fileOf, inspect, load, typesOf } from './testing.ts'
import { NO_MENDS } from '../../../tables/mends.ts'

/*
 * Elasticsearch's bulk format. Its rows must equal those of the same documents as plain lines that include their ids.
 */

const TWO = `{"index":{"_index":"books","_id":"7"}}
{"title":"Emma","pages":474,"by":{"name":"Austen"}}
{ "create" : { "_index" : "books" } }
{"title":"Persuasion","pages":null}
`

const codes = ({ tables }: { readonly tables: readonly { readonly notes: readonly { readonly code: string }[] }[] }) =>
  tables.flatMap(({ notes }) => notes.map(({ code }) => code))

describe('lines of the bulk format', () => {
  it('are a row for each document, with what its action says of it', async () => {
    const { inspection, rows, rejected } = await load(fileOf(TWO, 'books.ndjson'))
    expect(inspection.settings).toMatchObject({ layout: 'bulk' })
    expect(typesOf(inspection)).toEqual([
      '_index VARCHAR',
      '_id VARCHAR',
      'title VARCHAR',
      'pages INTEGER',
      'by STRUCT(name VARCHAR)',
    ])
    expect([rows, rejected]).toEqual([
      [
        ['books', '7', 'Emma', '474', '{"name":"Austen"}'],
        ['books', null, 'Persuasion', null, null],
      ],
      [],
    ])
    expect(codes(inspection)).toEqual(['bulk-actions'])
  })

  it('without a place have the documents’ own keys alone', async () => {
    const { inspection, rows } = await load(fileOf('{"index":{}}\r\n{"a":1}\r\n\r\n{"index":{}}\r\n{"a":2}'))
    expect(inspection.settings).toMatchObject({ layout: 'bulk' })
    expect(rows).toEqual([['1'], ['2']])
  })

  it('that have no document, or a part of one, are rejected with line and reason', async () => {
    const text = `${TWO.repeat(16)}{"delete":{"_id":"1"}}
{"update":{"_id":"2"}}
{"doc":{"pages":3}}
{"index":{"_id":"3"}}
{"index":{"_id":"4"}}
{"title":"Sanditon"}
{"title":"no action"}
{"index":{"_id":"5"}}
{"title":
{"index":{"_id":"6"}}
[1]
{"create":{"_id":"8"}}
`
    const { inspection, rows, rejected } = await load(fileOf(text))
    expect(rows.slice(32).map((row) => [row[1], row[2]])).toEqual([['4', 'Sanditon']])
    expect(rejected.map(({ row, line, raw, message }) => [row - 30, (line ?? 0) - 60, raw, message])).toEqual([
      [3, 5, '{"delete":{"_id":"1"}}', 'A “delete” has no document, so it isn’t a row.'],
      [
        4,
        7,
        '{"update":{"_id":"2"}}\n{"doc":{"pages":3}}',
        'An “update” has a part of a document, or a script, so it isn’t a row.',
      ],
      [5, 8, '{"index":{"_id":"3"}}', 'No document follows “index”.'],
      [7, 11, '{"title":"no action"}', expect.stringMatching(/^The line isn’t an action/)],
      [8, 13, '{"index":{"_id":"5"}}\n{"title":', expect.stringMatching(/^The line isn’t valid JSON\. /)],
      [9, 15, '{"index":{"_id":"6"}}\n[1]', 'The row is an array where an object should be.'],
      [10, 16, '{"create":{"_id":"8"}}', 'No document follows “create”.'],
    ])
    expect(inspection.tables[0]).toMatchObject({ rows: 33, rejectedCount: 7 })
  })

  it.each([
    ['deletes alone', '{"delete":{"_id":"1"}}\n{"delete":{"_id":"2"}}\n'],
    ['objects that have such a key', '{"index":{"value":1},"a":1}\n{"a":2}\n'],
    ['an index that says something else', '{"index":{"name":"x"}}\n{"a":1}\n{"index":{"name":"y"}}\n{"a":2}\n'],
    ['one object', '{"index":{"_id":"1"}}'],
    ['mostly something else', '{"index":{"_id":"1"}}\n{"a":1}\n{"a":2}\n{"a":3}\n'],
  ])('aren’t %s', async (_, text) => {
    expect((await inspect(fileOf(text, 'a.ndjson'))).settings).not.toMatchObject({ layout: 'bulk' })
  })

  it('can be read as plain lines, and plain lines as these', async () => {
    expect((await load(fileOf(TWO), { kind: 'json', layout: 'lines' })).rows).toHaveLength(4)
    const { inspection, rejected } = await load(fileOf('{"a":1}\n{"index":{}}\n{"a":2}\n'), {
      kind: 'json',
      layout: 'bulk',
    })
    expect(rejected.map(({ line }) => line)).toEqual([1])
    expect(codes(inspection)).toEqual(['bulk-actions'])
  })
})

/** Documents as bulk lines, and as plain lines that begin with their ids. */
function both(documents: readonly string[]): readonly [bulk: string, plain: string] {
  const place = (i: number): string => `"_index":"a","_id":${i}`
  const merged = (document: string, i: number): string =>
    `{${place(i)}${document === '{}' ? '' : ','}${document.slice(1)}`
  return [
    documents.map((document, i) => `{"index":{${place(i)}}}\n${document}\n`).join(''),
    documents.map((document, i) => `${merged(document, i)}\n`).join(''),
  ]
}

describe('documents', () => {
  it('have the values that native DuckDB reads of them', async () => {
    const path = fileURLToPath(new URL('fixtures/python-lines.ndjson', import.meta.url))
    const [bulk] = both(readFileSync(path, 'utf8').trim().split('\n'))
    const { inspection, rows } = await load(fileOf(bulk))
    const own = inspection.tables[0]?.columns.filter(({ type }) => ['VARCHAR', 'INTEGER', 'DATE'].includes(type)) ?? []
    const columns = own.filter(({ source }) => !source.startsWith('_'))
    expect(columns.length).toBeGreaterThan(2)
    const types = columns.map(({ source, type }) => `'${source}': '${type}'`).join(', ')
    const native = await nativeText(
      `SELECT * FROM read_json('${path}', format = 'newline_delimited', columns = {${types}})`,
    )
    expect(rows.map((row) => columns.map(({ index }) => row[index]))).toEqual(native)
    expect(rows.map((row) => row[1])).toEqual(native.map((_, i) => String(i)))
  })

  it('are those of plain lines, whatever is in them', async () => {
    const document = fc
      .dictionary(fc.constantFrom('a', 'b', 'ä', 'c d', 'e"f'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
      .map((value) => JSON.stringify(value))
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 20 }), async (documents) => {
        const [bulk, plain] = both(documents)
        const [found, expected] = [
          await load(fileOf(bulk)),
          await load(fileOf(plain), { kind: 'json', layout: 'lines' }),
        ]
        const { notes: _, proposals = [], ...table } = found.inspection.tables[0] ?? {}
        const { notes: __, proposals: others = [], ...other } = expected.inspection.tables[0] ?? {}
        expect(table).toEqual(other)
        // Columns of documents can't be unfolded.
        expect(proposals).toEqual(others.filter(({ code }) => code !== 'wrapped-values'))
        expect([found.rows, found.rejected]).toEqual([expected.rows, expected.rejected])
      }),
      { numRuns: tries(60) },
    )
  })

  it('are whole wherever the text is cut as it’s read', async () => {
    const documents = Array.from({ length: 9000 }, (_, i) => `{"n":${i},"text":"${'x'.repeat((i * 7919) % 1500)}"}`)
    const [bulk] = both([...documents, `{"n":9000,"text":"${'y'.repeat(3_000_000)}"}`])
    const { rows, rejected } = await load(fileOf(bulk))
    expect(rejected).toEqual([])
    expect(rows.map((row) => [Number(row[1]), Number(row[2]), row[3]?.length])).toEqual([
      ...documents.map((_, i) => [i, i, (i * 7919) % 1500]),
      [9000, 9000, 3_000_000],
    ])
  })

  it('are converted, with a receipt that tells of them; a rejected one is mended', async () => {
    const file = fileOf(`${TWO}{"index":{"_id":"9"}}\n{"title":"Lady Susan","pages":"few"}\n`, 'books.ndjson')
    const planned = (plan: ImportPlan): ImportPlan => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        mends: {
          ...NO_MENDS,
          putBack: true,
          replacements: [{ source: 'pages', find: 'few', replace: '80', whole: true }],
        },
        columns: table.columns.map((column) => (column.name === 'pages' ? { ...column, type: 'INTEGER' } : column)),
      })),
    })
    const { files, result } = await convert(file, 'csv', defaultOptions('csv'), planned)
    expect(await files[0]?.text()).toBe(
      '_index,_id,title,pages,by\nbooks,7,Emma,474,"{""name"":""Austen""}"\nbooks,,Persuasion,,\n,9,Lady Susan,80,\n',
    )
    const [receipt] = result.outputs[0]?.receipts ?? []
    expect(receipt?.verdict).toBe('match')
    expect(receipt?.notes.map(({ code }) => code)).toContain('bulk-actions')
    const { inspection } = await inspectAny(file)
    expect(inspection.tables[0]?.columns[3]?.type).not.toBe('INTEGER')
  })
})
