import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issuePath } from './issues.ts'
import { operations, type Operation } from './operations.ts'
import { readBody } from './request.ts'

const WORKSPACE = '7f9c24e5-2c1b-4d3a-9e8f-0a1b2c3d4e5f'
const dataset = {
  dataset_name: 'Sales',
  workspace_id: WORKSPACE,
  tables: [{ table_name: 'orders', signed_url: 'https://host/storage/x' }],
}

/** The issues of a refused body as `path: message`. */
function refusal(operation: Operation, json: unknown): readonly string[] {
  const result = readBody(operation, json)
  if (result.ok) throw new Error('it was taken')
  return result.issues.map(({ path, message }) => `${path}: ${message}`)
}

describe('readBody', () => {
  it('fills in defaults and trims', () => {
    const result = readBody(operations.createDataset, { ...dataset, dataset_name: '  Sales ', tags: [' a', 'a', 'b'] })
    expect(result).toMatchObject({
      ok: true,
      camelCase: false,
      body: { dataset_name: 'Sales', visibility: 'private', tags: ['a', 'b'] },
    })
  })

  it('reports all issues at once', () => {
    expect(
      refusal(operations.signUploads, {
        workspace_id: 'x',
        files: [{ filename: '', content_type: 'text/csv' }, { filename: 'a/b', content_type: 1 }, {}],
      }),
    ).toEqual([
      'workspace_id: must be a UUID',
      'files[0].filename: must not be empty',
      'files[1].filename: must not hold "/", "\\" or control characters',
      'files[1].content_type: must be a string',
      'files[2].filename: is required',
      'files[2].content_type: is required',
    ])
  })

  it('reports unknown content types and formats beside all other issues', () => {
    const files = [
      { filename: 'a/b', content_type: 'image/png' },
      { filename: '', content_type: 'application/octet-stream' },
      { filename: 'a.bin', content_type: 'application/octet-stream' },
      { content_type: '' },
      null,
    ]
    const other = '7f9c24e5-2c1b-4d3a-9e8f-0a1b2c3d4e50'
    const signed = readBody(operations.signUploads, { workspace_id: other, files }, WORKSPACE)
    expect(signed).toMatchObject({ ok: false, code: 'UNSUPPORTED_FORMAT' })
    expect('issues' in signed && signed.issues.map(({ path }) => path)).toEqual([
      'files[0].content_type',
      'files[2].content_type',
      'workspace_id',
      'files[0].filename',
      'files[1].filename',
      'files[3].filename',
      'files[3].content_type',
      'files[4]',
    ])
    const converted = readBody(operations.convert, { sourceFormat: 'doc', filename: 'a/b' })
    expect(converted).toMatchObject({ ok: false, code: 'UNSUPPORTED_FORMAT' })
    expect('issues' in converted && converted.issues.map(({ path }) => path)).toEqual([
      'sourceFormat',
      'source_url',
      'destination_format',
      'filename',
    ])
  })

  it('accepts only the key’s workspace, in either case', () => {
    const body = { ...dataset, dataset_name: '' }
    expect(refusal(operations.createDataset, body)).toEqual(['dataset_name: must not be empty'])
    expect(readBody(operations.createDataset, dataset, WORKSPACE.toUpperCase()).ok).toBe(true)
    const refused = readBody(operations.createDataset, body, '7f9c24e5-2c1b-4d3a-9e8f-0a1b2c3d4e50')
    expect(refused).toMatchObject({ issues: [{ path: 'workspace_id' }, { path: 'dataset_name' }] })
  })

  it.each([
    [operations.query, { sql: 'SELECT 1', timeout_seconds: 0 }, ['timeout_seconds: must be at least 1']],
    [operations.query, { sql: 'SELECT 1', timeout_seconds: 301 }, ['timeout_seconds: must be at most 300']],
    [operations.query, { sql: 'SELECT 1', timeout_seconds: 1.5 }, ['timeout_seconds: must be a whole number']],
    [operations.query, { sql: '' }, ['sql: must not be empty']],
    [operations.query, {}, ['sql: is required']],
    [
      operations.createDataset,
      { ...dataset, dataset_name: 'x'.repeat(129) },
      ['dataset_name: must be at most 128 characters'],
    ],
    [
      operations.createDataset,
      { ...dataset, dataset_name: 'a\u0000' },
      ['dataset_name: must not hold control characters'],
    ],
    [operations.createDataset, { ...dataset, dataset_name: 'a\ud83d' }, ['dataset_name: must be valid Unicode']],
    [
      operations.createDataset,
      { ...dataset, description: 'x'.repeat(2001) },
      ['description: must be at most 2,000 characters'],
    ],
    [operations.createDataset, { ...dataset, visibility: 'all' }, ['visibility: must be "private" or "public"']],
    [operations.createDataset, { ...dataset, tables: [] }, ['tables: must hold at least 1 item']],
    [operations.createDataset, { ...dataset, tags: 'a' }, ['tags: must be an array']],
    [operations.updateDataset, { name: null }, ['name: must be a string']],
  ] as const)('refuses %#', (operation, json, issues) => {
    expect(refusal(operation, json)).toEqual(issues)
  })

  it.each([[null], [[]], ['x'], [1], [undefined]])('refuses a body that is %j', (json) => {
    expect(refusal(operations.query, json)).toEqual([': must be a JSON object'])
  })

  it('ignores unknown fields, __proto__ among them', () => {
    const json = JSON.parse('{"sql": "SELECT 1", "unknown": 1, "__proto__": {"timeout_seconds": 9}}')
    const result = readBody(operations.query, json)
    expect(result).toEqual({ ok: true, camelCase: false, body: { sql: 'SELECT 1', timeout_seconds: 30 } })
  })

  it('accepts a statement of up to 1 MB of UTF-8', () => {
    const fits = 'é'.repeat(524_288)
    expect(readBody(operations.query, { sql: fits }).ok).toBe(true)
    expect(refusal(operations.query, { sql: `${fits}x` })).toEqual(['sql: must be at most 1 MB'])
  })

  it('accepts both spellings of the description, and names the one that was used', () => {
    expect(readBody(operations.updateDataset, { short_description: 'a' })).toMatchObject({ body: { description: 'a' } })
    expect(readBody(operations.createDataset, { ...dataset, short_description: 'a' })).toMatchObject({
      body: { description: 'a' },
    })
    expect(refusal(operations.updateDataset, { short_description: 1 })).toEqual(['short_description: must be a string'])
    expect(refusal(operations.updateDataset, { short_description: 'a', description: 'b' })).toEqual([
      'short_description: says something else than "description", which is the same field',
    ])
  })

  it('accepts conversion fields in camelCase, and reports that', () => {
    expect(readBody(operations.convert, { sourceUrl: 'p', sourceFormat: 'CSV', destination_format: 'Excel' })).toEqual({
      ok: true,
      camelCase: true,
      body: { source_url: 'p', source_format: 'csv', destination_format: 'xlsx' },
    })
    expect(refusal(operations.convert, { sourceUrl: 1, sourceFormat: 'csv' })).toEqual([
      'sourceUrl: must be a string',
      'destination_format: is required',
    ])
  })

  it('distinguishes an unknown format from a missing one', () => {
    expect(readBody(operations.conversionUrls, { sourceFormat: 'doc', destination_format: 'csv' })).toEqual({
      ok: false,
      code: 'UNSUPPORTED_FORMAT',
      issues: [{ path: 'sourceFormat', message: expect.any(String) }],
    })
    expect(readBody(operations.conversionUrls, { destination_format: 'csv' })).toMatchObject({
      code: 'INVALID_REQUEST',
    })
    expect(readBody(operations.conversionUrls, { source_format: 1, destination_format: 'csv' })).toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })

  it('never throws for deep nesting or any JSON', () => {
    const deep = JSON.parse(`{"sql": ${'['.repeat(5000)}${']'.repeat(5000)}}`)
    expect(refusal(operations.query, deep)).toEqual(['sql: must be a string'])
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(operations)), fc.jsonValue(), (operation: Operation, json) => {
        const result = readBody(operation, json)
        if (!result.ok) expect(result.issues.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('issuePath', () => {
  it.each([
    [[], ''],
    [['files', 0, 'filename'], 'files[0].filename'],
    [['a b', 'c'], '["a b"].c'],
    [[0], '[0]'],
  ])('%j is %j', (path, text) => {
    expect(issuePath(path)).toBe(text)
  })
})
