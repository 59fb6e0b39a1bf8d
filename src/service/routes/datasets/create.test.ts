import { describe, expect, test } from 'vitest'
import { TablesError } from '../../ports.ts'
import { createTestTables, type TestTables } from '../../testing/tables.ts'
import { bench, benchOf, BASE, CSV, issuesOf, type Answer, type Bench } from '../../testing/service.ts'

type Table = { table_name: unknown; signed_url: unknown; description?: unknown }

const create = (b: Bench, tables: readonly Table[], more: object = {}): Promise<Answer> =>
  b.call('createDataset', { body: { workspace_id: b.workspace.id, dataset_name: 'D', tables, ...more } })

describe('creating a dataset', () => {
  test('returns 201 with its location and the outcome for each table', async () => {
    const b = await bench()
    const answer = await create(
      b,
      [
        { table_name: 'people', signed_url: await b.uploaded(CSV), description: 'Who' },
        { table_name: 'amounts', signed_url: await b.uploaded('amount,day\n1.5,2026-01-31\n') },
      ],
      { description: 'Things', visibility: 'public', tags: ['a', ' b ', 'a'] },
    )
    const dataset = answer.data['dataset'] as { id: string; created_at: string }
    expect(answer.status).toBe(201)
    expect(answer.headers.get('Location')).toBe(`${BASE}/public/v1/datasets/${dataset.id}`)
    expect(dataset).toEqual({
      id: dataset.id,
      name: 'D',
      workspace_id: b.workspace.id,
      visibility: 'public',
      created_at: new Date(b.ports.clock.now()).toISOString(),
    })
    expect(answer.data['summary']).toEqual({ total: 2, successful: 2, failed: 0 })
    expect(answer.data['tables']).toEqual([
      {
        table_name: 'people',
        status: 'success',
        rows_ingested: 2,
        schema: [
          // Engines differ in the type that they choose.
          { name: 'id', type: expect.stringMatching(/^(?:BIGINT|INTEGER)$/) },
          { name: 'name', type: 'VARCHAR' },
        ],
      },
      {
        table_name: 'amounts',
        status: 'success',
        rows_ingested: 1,
        schema: [
          { name: 'amount', type: expect.stringMatching(/^(?:DOUBLE|DECIMAL\(2,1\))$/) },
          { name: 'day', type: 'DATE' },
        ],
      },
    ])
    expect(await b.details(dataset.id)).toMatchObject({
      description: 'Things',
      tags: ['a', 'b'],
      tables: [
        { name: 'people', description: 'Who', row_count: 2 },
        { name: 'amounts', description: '' },
      ],
    })
  })

  test('makes it private, without tags and description, by default', async () => {
    const b = await bench()
    const { dataset } = await b.dataset('D')
    expect(await b.details(dataset.id)).toMatchObject({ visibility: 'private', tags: [], description: '' })
  })

  test('accepts short_description for the same property', async () => {
    const b = await bench()
    const table = { table_name: 't', signed_url: await b.uploaded() }
    const { data } = await create(b, [table], { short_description: 'Things' })
    expect((await b.details((data['dataset'] as { id: string }).id)).description).toBe('Things')
    const both = { description: 'One', short_description: 'Two', dataset_name: 'E' }
    expect(issuesOf(await create(b, [table], both))).toHaveLength(1)
    expect((await create(b, [table], { ...both, short_description: 'One' })).status).toBe(201)
  })

  test('reports a table that can’t be loaded with row and column, and loads the others', async () => {
    const b = await bench()
    const { status, data } = await create(b, [
      { table_name: 'bad', signed_url: await b.uploaded('{"id": 1}\n{"id', 'application/json', 'bad.json') },
      { table_name: 'good', signed_url: await b.uploaded(CSV) },
    ])
    expect(status).toBe(201)
    expect(data['summary']).toEqual({ total: 2, successful: 1, failed: 1 })
    expect(data['tables']).toMatchObject([
      {
        table_name: 'bad',
        status: 'failed',
        rows_ingested: 0,
        schema: [],
        error: { code: 'INVALID_REQUEST', message: expect.stringMatching(/^(?:row|line) \d/) },
      },
      { table_name: 'good', status: 'success', rows_ingested: 2 },
    ])
    const { id } = data['dataset'] as { id: string }
    expect((await b.details(id)).tables.map(({ name }) => name)).toEqual(['good'])
  })

  test('creates nothing if no table can be loaded, and says why for each', async () => {
    const b = await bench()
    const urls = [
      await b.uploaded('{', 'application/json', 'a.json'),
      await b.uploaded('[1', 'application/json', 'b.json'),
    ]
    const tables = urls.map((signed_url, index) => ({ table_name: `t${index}`, signed_url }))
    const { status, error } = await create(b, tables)
    expect(status).toBe(400)
    expect(error?.code).toBe('INVALID_REQUEST')
    expect(error?.details).toMatchObject({
      summary: { total: 2, successful: 0, failed: 2 },
      tables: [
        { table_name: 't0', status: 'failed', rows_ingested: 0, schema: [], error: { code: 'INVALID_REQUEST' } },
        { table_name: 't1', status: 'failed' },
      ],
    })
    expect(await b.datasetIds()).toEqual([])
    expect(b.ports.tables.files.size).toBe(0)
    // The uploads weren't used, so they can be replaced.
    expect((await b.put(urls[0] ?? '', '{"a": 1}', 'application/json')).status).toBe(200)
    expect((await create(b, tables.slice(0, 1))).status).toBe(201)
  })

  test('retries a table once if the engine was lost, then says that a later retry may succeed', async () => {
    const tables = createTestTables()
    let losses = 0
    const losing: TestTables = {
      ...tables,
      ingest: (...request) =>
        losses-- > 0 ? Promise.reject(new TablesError('unavailable', 'It stopped.')) : tables.ingest(...request),
    }
    const b = await bench({ tables: losing })
    const named = [{ table_name: 't', signed_url: await b.uploaded() }]
    losses = 2
    const { status, error, headers } = await create(b, named)
    expect([status, headers.get('Retry-After')]).toEqual([503, '1'])
    expect(error?.details).toMatchObject({
      summary: { total: 1, successful: 0, failed: 1 },
      tables: [{ table_name: 't', status: 'failed', error: { code: 'SERVICE_UNAVAILABLE', message: 'It stopped.' } }],
    })
    expect(await b.datasetIds()).toEqual([])
    losses = 1
    expect((await create(b, named)).status).toBe(201)
    expect(tables.files.size).toBe(1)
  })

  test('allows replacing the upload of a failed table', async () => {
    const b = await bench()
    const bad = await b.uploaded('{', 'application/json', 'a.json')
    const good = await b.uploaded()
    await create(b, [
      { table_name: 'bad', signed_url: bad },
      { table_name: 'good', signed_url: good },
    ])
    expect((await b.put(bad, '{}', 'application/json')).status).toBe(200)
    expect((await b.put(good, CSV)).status).toBe(409)
  })

  test('reports all issues at once', async () => {
    const b = await bench()
    const other = await benchOf(b, 'Other')
    const answer = await create(
      b,
      [
        { table_name: 't', signed_url: await other.uploaded() },
        { table_name: 'T', signed_url: await b.uploaded() },
      ],
      { workspace_id: other.workspace.id },
    )
    expect(issuesOf(answer)).toEqual([
      'workspace_id: must be the workspace of the API key',
      'tables[1].table_name: is the name of tables[0] too',
      'tables[0].signed_url: must be a URL that POST /storage/signed-urls gave to this workspace',
    ])
  })
})

describe('the uploads of a dataset', () => {
  test('must be URLs that the service issued to this workspace', async () => {
    const b = await bench()
    const other = await benchOf(b, 'Other')
    const good = await b.uploaded()
    const forged = new URL(good)
    forged.searchParams.set('signature', '0'.repeat(64))
    const { data } = await b.call('conversionUrls', { body: { source_format: 'csv', destination_format: 'json' } })
    const conversion = data as { source: { upload_url: string }; destination: { download_url: string } }
    const wrong = [
      '',
      'no url',
      'https://example.org/people.csv',
      'file:///etc/passwd',
      forged.href,
      good.replace('people', 'others'),
      `${good}#x`,
      await other.uploaded(),
      conversion.source.upload_url,
      conversion.destination.download_url,
    ]
    for (const signed_url of wrong) {
      const answer = await create(b, [{ table_name: 't', signed_url }])
      expect([answer.status, issuesOf(answer).length], signed_url).toEqual([400, 1])
    }
    expect((await create(b, [{ table_name: 't', signed_url: good }])).status).toBe(201)
  })

  test('must have been uploaded', async () => {
    const b = await bench()
    const files = [{ filename: 'a.csv', content_type: 'text/csv' }]
    const { data } = await b.call('signUploads', { body: { workspace_id: b.workspace.id, files } })
    const [{ signed_url }] = data['urls'] as [{ signed_url: string }]
    expect(issuesOf(await create(b, [{ table_name: 't', signed_url }]))).toEqual([
      'tables[0].signed_url: holds no upload yet: PUT the file to it first',
    ])
  })

  test('are removed after a day if they weren’t used', async () => {
    const b = await bench()
    const signed_url = await b.uploaded()
    b.ports.clock.advance(24 * 3_600_000)
    await b.sweep()
    expect(issuesOf(await create(b, [{ table_name: 't', signed_url }]))).toEqual([
      'tables[0].signed_url: is of an upload that isn’t kept any more: ask for a new URL',
    ])
  })

  test('can be used after their URL has expired, and more than once', async () => {
    const b = await bench()
    const signed_url = await b.uploaded()
    b.ports.clock.advance(16 * 60_000)
    const tables = [
      { table_name: 'one', signed_url },
      { table_name: 'two', signed_url },
    ]
    expect((await create(b, tables)).status).toBe(201)
    expect((await create(b, tables, { dataset_name: 'E' })).status).toBe(201)
  })

  test('are read in their own format', async () => {
    const b = await bench()
    const parquet = await bench().then(async (made) => {
      const { data } = await made.call('conversionUrls', {
        body: { source_format: 'csv', destination_format: 'parquet' },
      })
      const { source, destination } = data as Record<'source' | 'destination', Record<string, string>>
      await made.put(source?.['upload_url'] ?? '', CSV)
      const body = { source_url: source?.['file_path'], source_format: 'csv', destination_format: 'parquet' }
      await made.call('convert', { body })
      const got = await made.storage(new Request(destination?.['download_url'] ?? ''))
      return new Uint8Array(await got.arrayBuffer())
    })
    const { data } = await create(b, [
      { table_name: 'tsv', signed_url: await b.uploaded('a\tb\n1\t2\n', 'text/tab-separated-values', 'a.tsv') },
      { table_name: 'json', signed_url: await b.uploaded('[{"a": 1}]', 'application/octet-stream', 'a.json') },
      { table_name: 'parquet', signed_url: await b.uploaded(parquet, 'application/vnd.apache.parquet', 'a.parquet') },
    ])
    expect(data['tables']).toMatchObject([{ rows_ingested: 1 }, { rows_ingested: 1 }, { rows_ingested: 2 }])
  })
})

describe('names', () => {
  test('of datasets are unique in their workspace, ignoring case', async () => {
    const b = await bench()
    const other = await benchOf(b, 'Other')
    await b.dataset('Umsätze')
    const url = await b.uploaded()
    const tables = [{ table_name: 't', signed_url: url }]
    for (const dataset_name of ['Umsätze', 'UMSÄTZE', '  umsätze ', 'Umsa\u0308tze']) {
      const { status, error } = await create(b, tables, { dataset_name })
      expect([status, error?.code]).toEqual([409, 'CONFLICT'])
    }
    // The request was refused before anything was loaded.
    expect((await b.put(url, CSV)).status).toBe(200)
    expect(b.ports.tables.files.size).toBe(1)
    expect((await other.dataset('Umsätze')).dataset.name).toBe('Umsätze')
  })

  test('only a repeated request is told which dataset it created before', async () => {
    const b = await bench()
    const tables = [
      { table_name: 'a', signed_url: await b.uploaded() },
      { table_name: 'b', signed_url: await b.uploaded() },
    ]
    const details = { description: 'Things', tags: ['x'] }
    // Both find the name free at first, but after loading, the second one finds it taken.
    const answers = await Promise.all([create(b, tables, details), create(b, tables, details)])
    const [id] = await b.datasetIds()
    b.ports.clock.advance(1000)
    answers.push(await create(b, tables, details))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, error } of answers) {
      if (status !== 201) expect([status, error?.details]).toEqual([409, { dataset_id: id }])
    }
    const others = [
      await create(b, [{ table_name: 'a', signed_url: await b.uploaded() }], details),
      await create(b, tables, { ...details, description: 'Others' }),
      await create(b, tables, { ...details, dataset_name: 'd' }),
    ]
    expect(others.map(({ status, error }) => [status, error?.details])).toEqual(others.map(() => [409, undefined]))
  })

  test('of tables are unique in their dataset', async () => {
    const b = await bench()
    const signed_url = await b.uploaded()
    const answer = await create(b, [
      { table_name: 'a', signed_url },
      { table_name: ' A', signed_url },
      { table_name: 'b', signed_url },
    ])
    expect(issuesOf(answer)).toEqual(['tables[1].table_name: is the name of tables[0] too'])
  })

  test.each(['__proto__', 'constructor', 'a "b" c', "a'; DROP TABLE t; --", '../../etc', '日本語', '🦆', 'select'])(
    'may be %j, and are found again',
    async (name) => {
      const b = await bench()
      const { dataset } = await b.dataset(name, { tables: Object.fromEntries([[name, CSV]]) })
      const details = await b.details(dataset.id)
      expect([details.name, details.tables[0]?.name]).toEqual([name, name])
      const quoted = `"${name.replaceAll('"', '""')}"`
      const { data } = await b.call('query', { body: { sql: `SELECT count(*) AS n FROM work.${quoted}.${quoted}` } })
      expect(data['rows']).toEqual([{ n: 2 }])
    },
  )
})
