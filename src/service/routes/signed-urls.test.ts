import { describe, expect, test } from 'vitest'
import { bench, benchOf, BASE, issuesOf, type Bench } from '../testing/service.ts'

interface Url {
  readonly filename: string
  readonly signed_url: string
  readonly expires_at: string
}

async function sign(b: Bench, files: readonly { filename: string; content_type: string }[]): Promise<Url[]> {
  const { data, error } = await b.call('signUploads', { body: { workspace_id: b.workspace.id, files } })
  expect(error).toBeNull()
  return data['urls'] as Url[]
}

const path = (url: string | undefined): string =>
  new URL(url ?? '').pathname.split('/').map(decodeURIComponent).join('/')

describe('signed upload URLs', () => {
  test('are returned without an envelope, in order, under /storage, valid for 15 minutes', async () => {
    const b = await bench()
    const [first, second] = await sign(b, [
      { filename: 'Umsätze 2026.csv', content_type: 'text/csv' },
      { filename: 'b.parquet', content_type: 'application/vnd.apache.parquet' },
    ])
    expect(first?.filename).toBe('Umsätze 2026.csv')
    expect(second?.filename).toBe('b.parquet')
    expect(first?.signed_url.startsWith(`${BASE}/storage/`)).toBe(true)
    expect(path(first?.signed_url)).toMatch(/^\/storage\/2026-11-21\/[0-9A-Z]{26}\/Umsätze 2026\.csv$/)
    expect(Date.parse(first?.expires_at ?? '') - b.ports.clock.now()).toBe(15 * 60_000)
  })

  test.each([
    ['text/csv', 'a.csv', 'a.csv'],
    ['text/csv; charset=utf-8', 'a.csv', 'a.csv'],
    ['TEXT/CSV;charset="UTF-8"', 'a.txt', 'a.csv'],
    ['text/csv', 'no extension', 'no extension.csv'],
    ['text/csv', 'a.json', 'a.json.csv'],
    ['application/octet-stream', 'a.parquet', 'a.parquet'],
    ['application/octet-stream', 'A.JSONL', 'A.json'],
    ['text/tab-separated-values', 'a.tsv', 'a.tsv'],
    ['application/json', 'a.json', 'a.json'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'a.xlsx', 'a.xlsx'],
    ['text/csv', '.csv', '.csv.csv'],
    ['text/csv', '..', '...csv'],
  ])('accept %s for %s', async (contentType, filename, last) => {
    const b = await bench()
    const [url] = await sign(b, [{ filename, content_type: contentType }])
    expect(path(url?.signed_url).split('/').at(-1)).toBe(last)
  })

  test.each([
    ['text/html', 'a.csv'],
    ['application/octet-stream', 'a.exe'],
    ['application/octet-stream', 'csv'],
    ['text/csv, text/html', 'a.csv'],
    ['text/csv; charset=utf-8; boundary=x', 'a.csv'],
    ['text/csv\r\nX-Evil: 1', 'a.csv'],
    ['application/vnd.apache.arrow.file', 'a.arrow'],
    ['__proto__', 'a.csv'],
  ])('refuse %j for %s, and name the supported types', async (content_type, filename) => {
    const b = await bench()
    const files = [
      { filename: 'fine.csv', content_type: 'text/csv' },
      { filename, content_type },
    ]
    const { error } = await b.call('signUploads', { body: { workspace_id: b.workspace.id, files } })
    expect(error?.code).toBe('UNSUPPORTED_FORMAT')
    expect(error?.details).toMatchObject({
      supported: ['csv', 'tsv', 'json', 'xlsx', 'parquet'],
      issues: [{ path: 'files[1].content_type' }],
    })
  })

  test('are only for the workspace of the key', async () => {
    const b = await bench()
    const other = await benchOf(b, 'Other')
    for (const workspaceId of [other.workspace.id, crypto.randomUUID()]) {
      const files = [{ filename: 'a.csv', content_type: 'text/csv' }]
      const answer = await b.call('signUploads', { body: { workspace_id: workspaceId, files } })
      expect(answer.status).toBe(400)
      expect(issuesOf(answer)).toEqual(['workspace_id: must be the workspace of the API key'])
    }
  })

  test('accept a workspace id in upper case', async () => {
    const b = await bench()
    const files = [{ filename: 'a.csv', content_type: 'text/csv' }]
    const body = { workspace_id: b.workspace.id.toUpperCase(), files }
    expect((await b.call('signUploads', { body })).status).toBe(200)
  })

  test('are different for two files with the same name', async () => {
    const b = await bench()
    const file = { filename: 'a.csv', content_type: 'text/csv' }
    const [first, second] = await sign(b, [file, file])
    expect(path(first?.signed_url)).not.toBe(path(second?.signed_url))
  })

  test('can be uploaded to again until a dataset has used the upload', async () => {
    const b = await bench()
    const url = await b.uploaded('a\n1\n')
    expect((await b.put(url, 'a\n2\n3\n')).status).toBe(200)
    const body = {
      workspace_id: b.workspace.id,
      dataset_name: 'D',
      tables: [{ table_name: 't', signed_url: url }],
    }
    const { data } = await b.call('createDataset', { body })
    expect(data['tables']).toMatchObject([{ rows_ingested: 2 }])
    expect((await b.put(url, 'a\n4\n')).status).toBe(409)
  })
})
