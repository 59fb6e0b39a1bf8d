import { describe, expect, test } from 'vitest'
import { bench, CSV, issuesOf, type Answer, type Bench } from '../testing/service.ts'

/* Tests both sides of each bound in the contract, and its required fields. */

type Body = Readonly<Record<string, unknown>>

const omit = (body: Body, name: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))

/** Valid requests, to be varied in one field each. */
const VALID = {
  signUploads: async (b: Bench): Promise<Body> => ({
    workspace_id: b.workspace.id,
    files: [{ filename: 'a.csv', content_type: 'text/csv' }],
  }),
  createDataset: async (b: Bench): Promise<Body> => ({
    workspace_id: b.workspace.id,
    dataset_name: 'D',
    tables: [{ table_name: 't', signed_url: await b.uploaded() }],
  }),
  updateDataset: async (): Promise<Body> => ({}),
  query: async (): Promise<Body> => ({ sql: 'SELECT 1' }),
  conversionUrls: async (): Promise<Body> => ({ source_format: 'csv', destination_format: 'json' }),
  convert: async (b: Bench): Promise<Body> => {
    const formats = { source_format: 'csv', destination_format: 'json' }
    const { data } = await b.call('conversionUrls', { body: formats })
    const source = data['source'] as { upload_url: string; file_path: string }
    await b.put(source.upload_url, CSV)
    return { ...formats, source_url: source.file_path }
  },
}
type Varied = keyof typeof VALID

async function send(b: Bench, id: Varied, vary: (body: Body) => Body): Promise<Answer> {
  const datasetId = id === 'updateDataset' ? (await b.dataset('Old')).dataset.id : ''
  return b.call(id, { params: { datasetId }, body: vary(await VALID[id](b)) })
}

const withField = (name: string, value: unknown) => (body: Body) => ({ ...body, [name]: value })
const file = (change: Body) => (body: Body) => ({
  ...body,
  files: [{ filename: 'a.csv', content_type: 'text/csv', ...change }],
})
const table = (change: Body) => (body: Body) => ({
  ...body,
  tables: [{ ...(body['tables'] as Body[])[0], ...change }],
})
const many = (name: string, count: number) => (body: Body) => ({
  ...body,
  [name]: Array.from({ length: count }, (_, index) => ({
    ...(body[name] as Body[])[0],
    ...(name === 'tables' ? { table_name: `t${index}` } : {}),
  })),
})
const tags = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`)

describe('accepted', () => {
  test.each<[Varied, string, (body: Body) => Body]>([
    ['signUploads', '100 files', many('files', 100)],
    ['signUploads', 'a file name of 1 character', file({ filename: 'a' })],
    ['signUploads', 'a file name of 255 characters', file({ filename: `${'a'.repeat(251)}.csv` })],
    ['createDataset', 'a name of 1 character', withField('dataset_name', 'x')],
    ['createDataset', 'a name of 128 characters', withField('dataset_name', 'x'.repeat(128))],
    ['createDataset', 'a name of 128 characters after trimming', withField('dataset_name', `  ${'x'.repeat(128)}\n`)],
    ['createDataset', 'a description of 2,000 characters', withField('description', 'x'.repeat(2000))],
    ['createDataset', 'a short_description of 2,000 characters', withField('short_description', 'x'.repeat(2000))],
    ['createDataset', 'an empty description', withField('description', '')],
    ['createDataset', 'private', withField('visibility', 'private')],
    ['createDataset', 'public', withField('visibility', 'public')],
    ['createDataset', 'no tags', withField('tags', [])],
    ['createDataset', '32 tags', withField('tags', tags(32))],
    ['createDataset', 'a tag of 64 characters', withField('tags', ['x'.repeat(64), ` ${'y'.repeat(64)} `])],
    ['createDataset', '100 tables', many('tables', 100)],
    ['createDataset', 'a table’s name of 128 characters', table({ table_name: 'x'.repeat(128) })],
    ['createDataset', 'a table’s description of 2,000 characters', table({ description: 'x'.repeat(2000) })],
    ['updateDataset', 'nothing', (body) => body],
    ['updateDataset', 'a name of 128 characters', withField('name', 'x'.repeat(128))],
    ['updateDataset', 'a description of 2,000 characters', withField('description', 'x'.repeat(2000))],
    ['updateDataset', 'a short_description of 2,000 characters', withField('short_description', 'x'.repeat(2000))],
    ['updateDataset', '32 tags', withField('tags', tags(32))],
    ['query', 'a statement of 1 MB', withField('sql', `SELECT 1 --${'x'.repeat(1_048_576 - 11)}`)],
    ['query', '300 seconds', withField('timeout_seconds', 300)],
    ['conversionUrls', 'a format in upper case', withField('source_format', 'CSV')],
    ['conversionUrls', 'excel for xlsx', withField('destination_format', 'Excel')],
    ['conversionUrls', 'one format twice', withField('destination_format', 'csv')],
    ['conversionUrls', 'a file name of 1 character', withField('filename', 'x')],
    ['conversionUrls', 'a file name of 200 characters', withField('filename', 'x'.repeat(200))],
    ['convert', 'a format in upper case', withField('destination_format', 'TSV')],
    ['convert', 'a file name of 200 characters', withField('filename', 'x'.repeat(200))],
  ])('%s: %s', async (id, _, vary) => {
    const answer = await send(await bench(), id, vary)
    expect(issuesOf(answer)).toEqual([])
    expect(answer.error).toBeNull()
  })

  test.each(Object.keys(VALID) as Varied[])('%s: unknown fields', async (id) => {
    const answer = await send(await bench(), id, (body) => ({ ...body, unknown: { deep: [1] }, constructor: 1 }))
    expect(answer.error).toBeNull()
  })
})

describe('refused', () => {
  test.each<[Varied, string, string, (body: Body) => Body]>([
    ['signUploads', 'no workspace_id', 'workspace_id', (body) => omit(body, 'workspace_id')],
    ['signUploads', 'a workspace_id that is no UUID', 'workspace_id', withField('workspace_id', 'mine')],
    ['signUploads', 'a workspace_id that is no text', 'workspace_id', withField('workspace_id', 1)],
    ['signUploads', 'another workspace', 'workspace_id', withField('workspace_id', crypto.randomUUID())],
    ['signUploads', 'no files', 'files', (body) => omit(body, 'files')],
    ['signUploads', 'an empty list of files', 'files', withField('files', [])],
    ['signUploads', 'files that are no list', 'files', withField('files', { length: 1 })],
    ['signUploads', '101 files', 'files', many('files', 101)],
    ['signUploads', 'a file that is null', 'files[0]', withField('files', [null])],
    ['signUploads', 'no file name', 'files[0].filename', withField('files', [{ content_type: 'text/csv' }])],
    ['signUploads', 'an empty file name', 'files[0].filename', file({ filename: '' })],
    ['signUploads', 'a file name of 256 characters', 'files[0].filename', file({ filename: `${'a'.repeat(252)}.csv` })],
    ['signUploads', 'a slash', 'files[0].filename', file({ filename: '../a.csv' })],
    ['signUploads', 'a backslash', 'files[0].filename', file({ filename: '..\\a.csv' })],
    ['signUploads', 'a line break', 'files[0].filename', file({ filename: 'a\r\nX-Evil: 1.csv' })],
    ['signUploads', 'a null character', 'files[0].filename', file({ filename: 'a\u0000.csv' })],
    ['signUploads', 'a control character of C1', 'files[0].filename', file({ filename: 'a\u0085.csv' })],
    ['signUploads', 'no content type', 'files[0].content_type', withField('files', [{ filename: 'a.csv' }])],
    ['createDataset', 'no dataset_name', 'dataset_name', (body) => omit(body, 'dataset_name')],
    ['createDataset', 'name in its place', 'dataset_name', (body) => ({ ...omit(body, 'dataset_name'), name: 'D' })],
    ['createDataset', 'an empty name', 'dataset_name', withField('dataset_name', '')],
    ['createDataset', 'a name of spaces', 'dataset_name', withField('dataset_name', ' \t ')],
    ['createDataset', 'a name of 129 characters', 'dataset_name', withField('dataset_name', 'x'.repeat(129))],
    ['createDataset', 'a control character', 'dataset_name', withField('dataset_name', 'a\u0007b')],
    ['createDataset', 'a name that is null', 'dataset_name', withField('dataset_name', null)],
    ['createDataset', 'a description of 2,001', 'description', withField('description', 'x'.repeat(2001))],
    ['createDataset', 'a short one of 2,001', 'short_description', withField('short_description', 'x'.repeat(2001))],
    ['createDataset', 'a description that is null', 'description', withField('description', null)],
    ['createDataset', 'another visibility', 'visibility', withField('visibility', 'secret')],
    ['createDataset', 'a visibility in upper case', 'visibility', withField('visibility', 'PUBLIC')],
    ['createDataset', '33 tags', 'tags', withField('tags', tags(33))],
    ['createDataset', 'an empty tag', 'tags[1]', withField('tags', ['a', ' '])],
    ['createDataset', 'a tag of 65 characters', 'tags[0]', withField('tags', ['x'.repeat(65)])],
    ['createDataset', 'a tag that is no text', 'tags[0]', withField('tags', [1])],
    ['createDataset', 'no tables', 'tables', (body) => omit(body, 'tables')],
    ['createDataset', 'an empty list of tables', 'tables', withField('tables', [])],
    ['createDataset', '101 tables', 'tables', many('tables', 101)],
    ['createDataset', 'no table_name', 'tables[0].table_name', table({ table_name: undefined })],
    ['createDataset', 'a table’s name of 129', 'tables[0].table_name', table({ table_name: 'x'.repeat(129) })],
    ['createDataset', 'no signed_url', 'tables[0].signed_url', table({ signed_url: undefined })],
    ['createDataset', 'a signed_url of ours to nothing', 'tables[0].signed_url', table({ signed_url: 'x' })],
    [
      'createDataset',
      'a table’s description of 2,001',
      'tables[0].description',
      table({ description: 'x'.repeat(2001) }),
    ],
    ['createDataset', 'another workspace', 'workspace_id', withField('workspace_id', crypto.randomUUID())],
    ['updateDataset', 'an empty name', 'name', withField('name', ' ')],
    ['updateDataset', 'a name of 129 characters', 'name', withField('name', 'x'.repeat(129))],
    ['updateDataset', 'a name that is null', 'name', withField('name', null)],
    ['updateDataset', 'a description of 2,001', 'description', withField('description', 'x'.repeat(2001))],
    ['updateDataset', 'a short one of 2,001', 'short_description', withField('short_description', 'x'.repeat(2001))],
    ['updateDataset', 'another visibility', 'visibility', withField('visibility', 'secret')],
    ['updateDataset', '33 tags', 'tags', withField('tags', tags(33))],
    ['query', 'no sql', 'sql', (body) => omit(body, 'sql')],
    ['query', 'empty sql', 'sql', withField('sql', '')],
    ['query', 'sql of 1 MB and a byte', 'sql', withField('sql', `SELECT 1 --${'x'.repeat(1_048_576 - 10)}`)],
    ['query', 'sql of 1 MB in fewer characters', 'sql', withField('sql', `SELECT 1 --${'ü'.repeat(524_283)}`)],
    ['query', '0 seconds', 'timeout_seconds', withField('timeout_seconds', 0)],
    ['query', '301 seconds', 'timeout_seconds', withField('timeout_seconds', 301)],
    ['query', 'half a second', 'timeout_seconds', withField('timeout_seconds', 1.5)],
    ['query', 'seconds as text', 'timeout_seconds', withField('timeout_seconds', '30')],
    ['conversionUrls', 'no source_format', 'source_format', (body) => omit(body, 'source_format')],
    ['conversionUrls', 'no destination_format', 'destination_format', (body) => omit(body, 'destination_format')],
    ['conversionUrls', 'a format that is no text', 'source_format', withField('source_format', 1)],
    ['conversionUrls', 'an empty file name', 'filename', withField('filename', '')],
    ['conversionUrls', 'a file name of 201 characters', 'filename', withField('filename', 'x'.repeat(201))],
    ['conversionUrls', 'a slash', 'filename', withField('filename', '../x')],
    ['conversionUrls', 'a backslash', 'filename', withField('filename', 'a\\b')],
    ['conversionUrls', 'a line break', 'filename', withField('filename', 'a\nb')],
    ['convert', 'no source_url', 'source_url', (body) => omit(body, 'source_url')],
    ['convert', 'an empty source_url', 'source_url', withField('source_url', '')],
    ['convert', 'no source_format', 'source_format', (body) => omit(body, 'source_format')],
    ['convert', 'no destination_format', 'destination_format', (body) => omit(body, 'destination_format')],
    ['convert', 'a file name of 201 characters', 'filename', withField('filename', 'x'.repeat(201))],
    ['convert', 'a slash', 'filename', withField('filename', 'a/b')],
  ])('%s: %s', async (id, _, path, vary) => {
    const answer = await send(await bench(), id, vary)
    expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(issuesOf(answer).map((issue) => issue.split(': ')[0])).toEqual([path])
  })

  test.each<[Varied, Body]>([
    ['conversionUrls', { source_format: 'pdf' }],
    ['conversionUrls', { destination_format: 'arrow' }],
    ['conversionUrls', { source_format: '' }],
    ['conversionUrls', { destination_format: ' csv' }],
    ['conversionUrls', { destination_format: '__proto__' }],
    ['convert', { source_format: 'xls' }],
    ['convert', { destination_format: 'constructor' }],
  ])('%s: the unknown format in %j', async (id, change) => {
    const { status, error } = await send(await bench(), id, (body) => ({ ...body, ...change }))
    expect([status, error?.code]).toEqual([400, 'UNSUPPORTED_FORMAT'])
    expect(error?.details?.['supported']).toEqual(['csv', 'tsv', 'json', 'xlsx', 'parquet'])
  })

  test('with all issues at once', async () => {
    const answer = await send(await bench(), 'createDataset', () => ({
      dataset_name: '',
      visibility: 'secret',
      tags: ['', 1],
      tables: [{ table_name: 't' }, null],
    }))
    expect(issuesOf(answer).map((issue) => issue.split(': ')[0])).toEqual([
      'dataset_name',
      'visibility',
      'tags[0]',
      'tags[1]',
      'workspace_id',
      'tables[0].signed_url',
      'tables[1]',
    ])
  })

  test('with all issues at once, of the records and of other workspaces, too', async () => {
    const b = await bench()
    const unknown = `${new URL(await b.uploaded()).origin}/storage/x`
    const answer = await send(b, 'createDataset', ({ tables }) => {
      const [{ signed_url }] = tables as [{ signed_url: string }]
      const one = { table_name: 'a', signed_url }
      const listed = [one, { table_name: ' A', signed_url: unknown }, { ...one, table_name: '' }, { signed_url: 1 }]
      return { workspace_id: crypto.randomUUID(), dataset_name: '', tables: listed }
    })
    expect(issuesOf(answer).map((issue) => issue.split(': ')[0])).toEqual([
      'workspace_id',
      'dataset_name',
      'tables[2].table_name',
      'tables[3].table_name',
      'tables[3].signed_url',
      'tables[1].table_name',
      'tables[1].signed_url',
    ])
    const signed = await send(b, 'signUploads', () => ({
      workspace_id: crypto.randomUUID(),
      files: [{ filename: '', content_type: 'image/png' }],
    }))
    expect(signed.error?.code).toBe('UNSUPPORTED_FORMAT')
    expect(issuesOf(signed).map((issue) => issue.split(': ')[0])).toEqual([
      'files[0].content_type',
      'workspace_id',
      'files[0].filename',
    ])
  })
})
