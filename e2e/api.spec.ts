import { expect, test } from './test.ts'
import { account, CSV, dataset, newKey, open, put, send, sql, upload, type Json, type Reply } from './api.ts'

/* What any client may rely on: over HTTP from the page. */

const status = async (reply: Promise<Reply>): Promise<number> => (await reply).status

test.beforeEach(({ page }) => open(page))

test('datasets: sign, upload, create, list, read, ask, change, delete', async ({ page }) => {
  test.slow()
  const by = await account(page)
  const { workspace, call } = by
  const signed = await call('POST', '/public/v1/storage/signed-urls', {
    workspace_id: workspace.id,
    files: [
      { filename: 'people.csv', content_type: 'text/csv' },
      { filename: 'broken.json', content_type: 'application/json' },
    ],
  })
  expect(signed.status).toBe(200)
  expect(Object.keys(JSON.parse(signed.text) as object)).toEqual(['urls'])
  const [people, broken] = signed.data['urls'] as { signed_url: string; filename: string; expires_at: string }[]
  expect(people?.filename).toBe('people.csv')
  expect(new URL(people?.signed_url ?? '').origin).toBe(new URL(page.url()).origin)
  expect(await status(put(page, people?.signed_url ?? '', CSV))).toBe(200)
  expect(await status(put(page, broken?.signed_url ?? '', '{"a": 1}\n{"a', 'application/json'))).toBe(200)

  const created = await call('POST', '/public/v1/datasets', {
    dataset_name: 'Sales 2026',
    description: 'What was sold',
    visibility: 'private',
    tags: ['a', 'b'],
    workspace_id: workspace.id,
    tables: [
      { table_name: 'people', signed_url: people?.signed_url, description: 'Who' },
      { table_name: 'broken', signed_url: broken?.signed_url },
    ],
  })
  expect(created.status, created.text).toBe(201)
  const { id } = created.data['dataset'] as { id: string }
  expect(created.headers['location']).toContain(`/public/v1/datasets/${id}`)
  expect(created.data['summary']).toEqual({ total: 2, successful: 1, failed: 1 })
  expect(created.data['tables']).toMatchObject(
    [
      { table_name: 'people', status: 'success', rows_ingested: 3 },
      { table_name: 'broken', status: 'failed', rows_ingested: 0, schema: [], error: { message: /./ } },
    ].map((table) => ('error' in table ? { ...table, error: { message: expect.stringMatching(/./) } } : table)),
  )

  const list = await call('GET', `/public/v1/workspaces/${workspace.id}/datasets?expand=tables`)
  expect(list.data).toMatchObject({ count: 1, datasets: [{ id, tags: ['a', 'b'], tables: [{ name: 'people' }] }] })
  const rows = await sql(by, `SELECT name, amount FROM ${workspace.slug}."sales 2026".people ORDER BY id DESC LIMIT 2`)
  expect(rows.data).toMatchObject({
    columns: ['name', 'amount'],
    count: 2,
    execution_time: expect.stringMatching(/ms$/),
  })
  expect((rows.data['rows'] as Json[])[0]?.['name']).toBe("O'Neil, Zoë")
  const changed = await call('PATCH', `/public/v1/datasets/${id}`, { name: 'Sales', short_description: 'New' })
  expect(changed.data['dataset']).toMatchObject({ name: 'Sales', description: 'New', tags: ['a', 'b'] })
  expect((await call('GET', `/public/v1/datasets/${id}`)).data).toEqual(changed.data)
  expect(await status(sql(by, `FROM ${workspace.slug}.sales.people`))).toBe(200)
  expect((await call('DELETE', `/public/v1/datasets/${id}`)).data).toEqual({ id, deleted: true })
  expect(await status(sql(by, `FROM ${workspace.slug}.sales.people`))).toBe(404)
})

for (const prefix of ['/public/v1', '/api/public/v1']) {
  test(`conversion under ${prefix}: sign, upload, convert, download`, async ({ page }) => {
    const { call } = await account(page)
    const formats = { source_format: 'csv', destination_format: 'json' }
    const urls = await call('POST', `${prefix}/convert/upload-urls`, { ...formats, filename: 'people' })
    expect(urls.status, urls.text).toBe(200)
    const { source, destination } = urls.data as Record<'source' | 'destination', Record<string, string>>
    expect(source?.['file_path']).toMatch(/^\d{4}-\d{2}-\d{2}\/[^/]+\/source\.csv$/)
    expect(destination?.['file_path']).toMatch(/\/people\.json$/)
    expect(await status(put(page, source?.['upload_url'] ?? '', CSV, source?.['content_type']))).toBe(200)
    const body = { source_url: source?.['file_path'], ...formats, filename: 'people' }
    for (let round = 0; round < 2; round++) {
      const done = await call('POST', `${prefix}/convert`, body)
      expect(done.status, done.text).toBe(200)
      expect(done.meta).toMatchObject({ version: 'v1', request_id: expect.stringMatching(/^req_[0-9A-Z]{26}$/) })
      for (const url of [done.data['download_url'] as string, destination?.['download_url'] ?? '']) {
        const got = await send(page, 'GET', url)
        expect(got.status, got.text).toBe(200)
        expect(got.headers['content-disposition']).toContain('people.json')
        expect(JSON.parse(got.text)).toMatchObject([{ id: 1 }, { id: 2 }, { name: "O'Neil, Zoë" }])
      }
    }
    expect(await status(put(page, source?.['upload_url'] ?? '', CSV))).toBe(409)
  })
}

test('conversion in camelCase, between all formats', async ({ page }) => {
  const { call } = await account(page)
  const formats = (await call('GET', '/public/v1/convert/formats')).data['formats'] as { format: string }[]
  expect(formats.map(({ format }) => format).sort()).toEqual(['csv', 'json', 'parquet', 'tsv', 'xlsx'])
  for (const to of ['csv', 'tsv', 'json', 'excel', 'parquet']) {
    const { data } = await call('POST', '/public/v1/convert/upload-urls', {
      sourceFormat: 'CSV',
      destinationFormat: to,
    })
    const { source, destination } = data as Record<'source' | 'destination', Record<string, string>>
    expect(source?.['uploadUrl']).toBe(source?.['upload_url'])
    await put(page, source?.['uploadUrl'] ?? '', CSV)
    const body = { sourceUrl: source?.['filePath'], sourceFormat: 'csv', destinationFormat: to }
    const done = await call('POST', '/public/v1/convert', body)
    expect(done.status, done.text).toBe(200)
    expect(done.data['downloadUrl']).toBe(done.data['download_url'])
    expect((await send(page, 'GET', destination?.['downloadUrl'] ?? '')).text.length).toBeGreaterThan(20)
  }
})

test('keys: either header, none, wrong, both, revoked, rotated', async ({ page }) => {
  const { workspace, key } = await account(page)
  const path = `/public/v1/workspaces/${workspace.id}/datasets`
  const withHeaders = (headers: Record<string, string>) => send(page, 'GET', path, { headers })
  expect(await status(withHeaders({ 'X-API-Key': key }))).toBe(200)
  expect(await status(withHeaders({ Authorization: `Bearer ${key}` }))).toBe(200)
  expect(await status(withHeaders({ Authorization: `Bearer ${key}`, 'X-API-Key': key }))).toBe(200)
  const other = await newKey(page, workspace.id, ['datasets:*:read'])
  for (const headers of [
    {},
    { 'X-API-Key': 'sk_live_nobody' },
    { 'X-API-Key': key, Authorization: `Bearer ${other}` },
    { Authorization: `Basic ${btoa(key)}` },
  ]) {
    const reply = await withHeaders(headers as Record<string, string>)
    expect([reply.status, reply.error?.code]).toEqual([401, 'UNAUTHORIZED'])
  }
  const keys = (await send(page, 'GET', `/console/v1/workspaces/${workspace.id}/api-keys`)).data['api_keys'] as Json[]
  expect(JSON.stringify(keys)).not.toContain(key)
  const id = keys.find(({ last4 }) => last4 === other.slice(-4))?.['id'] as string
  const rotated = await send(page, 'POST', `/console/v1/api-keys/${id}/rotate`, { body: { grace_seconds: 60 } })
  expect(rotated.status).toBe(201)
  expect(await status(send(page, 'GET', path, { key: rotated.data['key'] as string }))).toBe(200)
  expect(await status(send(page, 'GET', path, { key: other }))).toBe(200)
  expect((await send(page, 'DELETE', `/console/v1/api-keys/${id}`)).data).toEqual({ id, revoked: true })
  expect(await status(send(page, 'GET', path, { key: other }))).toBe(401)
})

test('scopes: what may be read, and what may be written', async ({ page }) => {
  test.slow()
  const by = await account(page)
  const id = await dataset(by, 'closed')
  const shared = await dataset(by, 'open', { visibility: 'public' })
  const stranger = await account(page)
  const keyed = async (...scopes: string[]) => newKey(page, by.workspace.id, scopes)
  const [reader, writer, unrelated] = [
    await keyed(`datasets:${id}:read`),
    await keyed(`datasets:${id}:write`),
    await keyed(`datasets:${shared}:read`),
  ]
  const closed = `/public/v1/datasets/${id}`
  const at = (key: string, method: string, path: string, body?: unknown) =>
    status(send(page, method, path, { key, ...(body === undefined ? {} : { body }) }))
  expect(await at(reader, 'GET', closed)).toBe(200)
  expect(await at(reader, 'PATCH', closed, {})).toBe(403)
  expect(await at(writer, 'GET', closed)).toBe(404)
  expect(await at(writer, 'PATCH', closed, { tags: ['x'] })).toBe(200)
  expect(await at(unrelated, 'GET', closed)).toBe(404)
  expect(await at(unrelated, 'DELETE', closed)).toBe(404)
  expect(await at(stranger.key, 'GET', closed)).toBe(404)
  expect(await at(stranger.key, 'GET', `/public/v1/datasets/${shared}`)).toBe(200)
  expect(await at(stranger.key, 'DELETE', `/public/v1/datasets/${shared}`)).toBe(403)
  const count = async (key: string) =>
    (await send(page, 'GET', `/public/v1/workspaces/${by.workspace.id}/datasets`, { key })).data['count']
  expect([await count(by.key), await count(reader), await count(writer), await count(stranger.key)]).toEqual([
    2, 2, 1, 1,
  ])
  const from = (name: string) => ({ sql: `SELECT count(*) AS n FROM ${by.workspace.slug}.${name}.t` })
  expect(await at(stranger.key, 'POST', '/public/v1/query', from('open'))).toBe(200)
  expect(await at(stranger.key, 'POST', '/public/v1/query', from('closed'))).toBe(404)
  expect(await at(reader, 'POST', '/public/v1/query', from('closed'))).toBe(200)
  expect(await at(writer, 'POST', '/public/v1/query', from('closed'))).toBe(404)
  const body = { workspace_id: by.workspace.id, files: [{ filename: 'a.csv', content_type: 'text/csv' }] }
  expect(await at(reader, 'POST', '/public/v1/storage/signed-urls', body)).toBe(403)
  expect(await at(writer, 'POST', '/public/v1/datasets', {})).toBe(403)
})

test('rate limits: headers on every answer, the first request too many, both prefixes together', async ({ page }) => {
  const { key } = await account(page)
  const ask = (n: number) => send(page, 'GET', `${n % 2 ? '/api' : ''}/public/v1/convert/formats`, { key })
  let last = await ask(0)
  expect(last.headers['x-ratelimit-limit']).toBe('60')
  for (let n = 1; n < 130 && last.status === 200; n++) {
    const left = Number(last.headers['x-ratelimit-remaining'])
    const reset = last.headers['x-ratelimit-reset']
    last = await ask(n)
    // The minute may have ended in between.
    if (last.status === 200 && last.headers['x-ratelimit-reset'] === reset) {
      expect(Number(last.headers['x-ratelimit-remaining'])).toBe(left - 1)
    } else if (last.status !== 200) expect(left).toBe(0)
  }
  expect([last.status, last.error?.code]).toEqual([429, 'RATE_LIMITED'])
  const wait = Number(last.headers['retry-after'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(60)
  expect(last.error?.details).toEqual({ limit: 60, window: 'minute', retry_after: wait })
  const elsewhere = await send(page, 'GET', '/public/v1/nowhere', { key })
  expect(elsewhere.status).toBe(404)
  expect(elsewhere.headers['x-ratelimit-limit']).toMatch(/^\d+$/)
  await page.reload()
  await open(page)
  const after = await ask(0)
  if (after.status === 200) expect(after.headers['x-ratelimit-remaining']).toBe('59')
  else expect(after.status).toBe(429)
})

test('errors: addresses, methods, bodies, formats', async ({ page }) => {
  const { key, workspace, call } = await account(page)
  const nowhere = await call('GET', '/public/v1/nothing/here')
  expect([nowhere.status, nowhere.error?.code]).toEqual([404, 'NOT_FOUND'])
  const method = await call('PUT', '/public/v1/datasets')
  expect([method.status, method.error?.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
  expect(method.headers['allow']).toContain('POST')
  for (const body of ['{', '[]', 'null', '"x"']) {
    const reply = await send(page, 'POST', '/public/v1/query', { key, body })
    expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_REQUEST'])
  }
  const many = await call('POST', '/public/v1/datasets', { dataset_name: ' ', tags: [1], workspace_id: workspace.id })
  const issues = many.error?.details?.['issues'] as { path: string }[]
  expect(issues.map(({ path }) => path).sort()).toEqual(['dataset_name', 'tables', 'tags[0]'])
  const format = await call('POST', '/api/public/v1/convert/upload-urls', {
    source_format: 'pdf',
    destination_format: 'csv',
  })
  expect([format.status, format.error?.code]).toEqual([400, 'UNSUPPORTED_FORMAT'])
  expect(format.error?.details?.['supported']).toEqual(expect.arrayContaining(['csv', 'xlsx']))
  const files = [{ filename: 'a.html', content_type: 'text/html' }]
  const type = await call('POST', '/public/v1/storage/signed-urls', { workspace_id: workspace.id, files })
  expect(type.error?.code).toBe('UNSUPPORTED_FORMAT')
  expect(await status(call('GET', `/public/v1/workspaces/${workspace.id}/datasets?expand=rows`))).toBe(400)
  expect(await status(call('GET', `/public/v1/workspaces/${crypto.randomUUID()}/datasets`))).toBe(404)
  for (const path of ['../../etc/passwd', '2026-01-01/x/source.csv', '..%2f..']) {
    const body = { source_url: path, source_format: 'csv', destination_format: 'json' }
    expect(await status(call('POST', '/public/v1/convert', body))).toBe(404)
  }
})

test('signed URLs: what they let through, and what not', async ({ page }) => {
  const by = await account(page)
  const url = await upload(by)
  expect(await status(put(page, url, CSV))).toBe(200)
  expect(await status(put(page, url, CSV, 'application/json'))).toBe(400)
  const forged = new URL(url)
  forged.searchParams.set('expires', '99999999999999')
  const refused = await put(page, forged.href, CSV)
  expect([refused.status, refused.error?.code]).toEqual([403, 'FORBIDDEN'])
  expect(await status(send(page, 'GET', url))).toBe(403)
  const large = await page.evaluate(async (target) => {
    const body = new Blob([new Uint8Array(52_428_801)])
    const response = await fetch(target, { method: 'PUT', headers: { 'Content-Type': 'text/csv' }, body })
    return { status: response.status, text: await response.text() }
  }, url)
  expect(large.status, large.text).toBe(413)
  const create = (signedUrl: string, name: string) =>
    by.call('POST', '/public/v1/datasets', {
      workspace_id: by.workspace.id,
      dataset_name: name,
      tables: [{ table_name: 't', signed_url: signedUrl }],
    })
  expect(await status(create(forged.href, 'forged'))).toBe(400)
  expect(await status(create(await upload(await account(page)), 'theirs'))).toBe(400)
  const ours = await create(url, 'ours')
  expect(ours.status, JSON.stringify(ours.error)).toBe(201)
  expect(ours.data['tables']).toMatchObject([{ rows_ingested: 3 }])
  expect(await status(put(page, url, CSV))).toBe(409)
  expect(await status(create(await upload(by), 'OURS'))).toBe(409)
})
