import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './test.ts'
import { account, dataset, open, sql, upload, type Account } from './api.ts'
import { nativeRows, nativeText, nativeTypes, quoted } from './native.ts'

/* Files of each format as tables, with statements over them, compared with native DuckDB. */

test.beforeEach(({ page }) => open(page))

const MIME: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
}

/** Uploads a file from the page, byte by byte; returns its URL. */
async function uploadFile({ page, workspace, call }: Account, file: string): Promise<string> {
  const filename = path.basename(file)
  const type = MIME[filename.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const files = [{ filename, content_type: type }]
  const { data, text } = await call('POST', '/public/v1/storage/signed-urls', { workspace_id: workspace.id, files })
  const [{ signed_url: url } = { signed_url: '' }] = (data['urls'] ?? []) as { signed_url: string }[]
  expect(url, text).not.toBe('')
  const base64 = (await readFile(file)).toString('base64')
  const status = await page.evaluate(
    async ([address, content, contentType]) => {
      const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0))
      const response = await fetch(address, { method: 'PUT', headers: { 'Content-Type': contentType }, body: bytes })
      return response.status
    },
    [url, base64, type] as const,
  )
  expect(status).toBe(200)
  return url
}

/** Every value as text, row by row. */
async function textOf(by: Account, table: string): Promise<unknown[][]> {
  const { data, text, status } = await sql(by, `SELECT COLUMNS(*)::VARCHAR FROM ${table} ORDER BY 1`)
  expect(status, text).toBe(200)
  return (data['rows'] as Record<string, unknown>[]).map((row) => Object.values(row))
}

async function describe(by: Account, table: string): Promise<[unknown, unknown][]> {
  const { data, text } = await sql(by, `DESCRIBE ${table}`)
  expect(data['rows'], text).toBeTruthy()
  return (data['rows'] as Record<string, unknown>[]).map((row) => [row['column_name'], row['column_type']])
}

test('a Parquet file’s types and values are native DuckDB’s', async ({ page }) => {
  const file = test.info().outputPath('types.parquet')
  await nativeRows(`COPY (SELECT
    i::BIGINT AS n, i::TINYINT AS tiny, i::INTEGER AS int, (i + 18446744073709551610)::UBIGINT AS wide,
    (i + 0.5)::DECIMAL(9,2) AS small, (i * 1000000000000000000000 + 0.125)::DECIMAL(38,3) AS large, i / 3 AS ratio, (i / 3)::FLOAT AS single,
    DATE '1969-12-30' + i::INTEGER AS day, TIME '01:02:03.000004' AS clock,
    TIMESTAMP '1969-12-31 23:59:59.999999' + to_days(i::INTEGER) AS moment, TIMESTAMPTZ '2024-01-01 00:00:00+00' AS zoned,
    CASE WHEN i % 2 = 0 THEN 'zoë 🦆 "' || i END AS text, ('x' || i)::BLOB AS bytes, i % 2 = 0 AS flag, uuid() AS id,
    {a: i, b: [i::VARCHAR, NULL], c: {d: DATE '2024-01-01'}} AS s, MAP {'k' || i: i} AS m, [[i], []] AS lists
    FROM range(5) t(i)) TO ${quoted(file)} (FORMAT parquet)`)
  const by = await account(page)
  const tables = [{ table_name: 't', signed_url: await uploadFile(by, file) }]
  const made = await by.call('POST', '/public/v1/datasets', {
    workspace_id: by.workspace.id,
    dataset_name: 'D',
    tables,
  })
  expect(made.status, made.text).toBe(201)
  const source = `SELECT * FROM ${quoted(file)}`
  expect(await describe(by, `${by.workspace.slug}.d.t`)).toEqual(await nativeTypes(source))
  // Native DuckDB's text of a zoned time depends on the machine's time zone.
  const without = (rows: unknown[][]): unknown[][] => rows.map((row) => row.filter((_, i) => i !== 11))
  expect(without(await textOf(by, `${by.workspace.slug}.d.t`))).toEqual(without(await nativeText(source)))
})

test('CSV and JSON files’ values are native DuckDB’s', async ({ page }) => {
  test.slow()
  const by = await account(page)
  const rows = `SELECT i::INTEGER AS id, 'name, "' || i || '" é' AS name, (i / 8)::DECIMAL(9,3) AS amount, DATE '2024-02-28' + i::INTEGER AS day,
    TIMESTAMP '2024-01-01 10:00:00' + to_minutes(i) AS moment, i % 2 = 0 AS flag FROM range(10, 60) t(i)`
  const tables: { table_name: string; signed_url: string }[] = []
  for (const format of ['csv', 'json', 'parquet']) {
    const file = test.info().outputPath(`rows.${format}`)
    await nativeRows(`COPY (${rows}) TO ${quoted(file)} (FORMAT ${format})`)
    tables.push({ table_name: format, signed_url: await uploadFile(by, file) })
  }
  const made = await by.call('POST', '/public/v1/datasets', {
    workspace_id: by.workspace.id,
    dataset_name: 'D',
    tables,
  })
  expect(made.status, made.text).toBe(201)
  const expected = await nativeText(rows)
  for (const format of ['csv', 'json', 'parquet']) {
    const table = `${by.workspace.slug}.D.${format}`
    const types = Object.fromEntries(await describe(by, table))
    expect(types, format).toMatchObject({ id: 'INTEGER', name: 'VARCHAR', day: 'DATE', flag: 'BOOLEAN' })
    const texts = await sql(
      by,
      `SELECT id::VARCHAR AS a, name, amount::DECIMAL(9,3)::VARCHAR AS c, day::VARCHAR AS d, moment::TIMESTAMP::VARCHAR AS e, flag::VARCHAR AS f FROM ${table} ORDER BY id`,
    )
    expect(texts.status, texts.text).toBe(200)
    expect(
      (texts.data['rows'] as object[]).map((row) => Object.values(row)),
      format,
    ).toEqual(expected)
  }
})

test('datasets may have names that the engine keeps to itself, and letters of any case', async ({ page }) => {
  test.slow()
  const by = await account(page)
  for (const [name, written] of [
    ['main', 'main'],
    ['information_schema', 'INFORMATION_SCHEMA'],
    ['pg_catalog', '"pg_catalog"'],
    ['temp', 'temp'],
    ['Umsätze', '"UMSÄTZE"'],
    ['Größen', 'GRÖßEN'],
  ] as const) {
    await dataset(by, name)
    const reply = await sql(by, `SELECT count(*)::INTEGER AS n FROM ${by.workspace.slug}.${written}.T`)
    expect(reply.data['rows'], `${name}: ${reply.text}`).toEqual([{ n: 3 }])
  }
  const short = await sql(by, `SELECT * FROM ${by.workspace.slug}.t`)
  expect([short.status, short.error?.code]).toEqual([404, 'NOT_FOUND'])
})

test('a dataset that is deleted while it’s queried is gone afterwards, and the query ends', async ({ page }) => {
  test.slow()
  const by = await account(page)
  const rows = Array.from({ length: 50_000 }, (_, i) => `${i},name ${i}`).join('\n')
  const body = { workspace_id: by.workspace.id, dataset_name: 'D' }
  const tables = [{ table_name: 't', signed_url: await upload(by, `id,name\n${rows}\n`) }]
  const made = await by.call('POST', '/public/v1/datasets', { ...body, tables })
  const { id } = made.data['dataset'] as { id: string }
  const t = `${by.workspace.slug}.d.t`
  expect((await sql(by, `SELECT max(id) FROM ${t}`)).status).toBe(200)
  const slow = sql(by, `SELECT sum(hash(a.name || b.id))::VARCHAR AS n FROM ${t} a, (FROM ${t} LIMIT 400) b`)
  await page.waitForTimeout(300)
  const removed = await by.call('DELETE', `/public/v1/datasets/${id}`)
  expect(removed.status, removed.text).toBe(200)
  // It may have read the whole table by then.
  expect([200, 404]).toContain((await slow).status)
  expect((await sql(by, `SELECT max(id) FROM ${t}`)).status).toBe(404)
})

test('statements that are out of time really stop: others get their turn', async ({ page }) => {
  test.slow()
  const by = await account(page)
  expect((await sql(by, 'SELECT 1')).status).toBe(200)
  const endless = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b'
  const begun = Date.now()
  const all = await Promise.all([1, 1, 1, 1].map((seconds) => sql(by, endless, { timeout_seconds: seconds })))
  expect(all.map(({ status, error }) => [status, error?.code])).toEqual(all.map(() => [408, 'QUERY_TIMEOUT']))
  const next = await sql(by, 'SELECT 1 AS a', { timeout_seconds: 20 })
  expect(next.data['rows'], next.text).toEqual([{ a: 1 }])
  expect(Date.now() - begun).toBeLessThan(30_000)
})
