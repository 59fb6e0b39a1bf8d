import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from './test.ts'
import { nativeRows, nativeTypes, quoted } from './native.ts'
import { add, convertTo, download, fixture, region } from './page.ts'

const TARGETS = [
  ['CSV', 'csv'],
  ['TSV', 'tsv'],
  ['JSON', 'json'],
  ['Excel', 'xlsx'],
  ['Parquet', 'parquet'],
  ['Arrow', 'arrow'],
] as const

test.describe('a file that Python wrote', () => {
  for (const [label, extension] of TARGETS) {
    test(`becomes ${label}`, async ({ page }) => {
      const file = await add(page, 'customers.csv')
      await convertTo(file, label)
      const got = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
      expect(got.name).toBe(`customers.${extension}`)
      expect(readFileSync(got.path).length).toBeGreaterThan(1000)
    })
  }

  test('is the same table to native DuckDB as Parquet', async ({ page }) => {
    const file = await add(page, 'customers.csv')
    await convertTo(file, 'Parquet')
    const { path: parquet } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
    expect(await nativeTypes(`SELECT * FROM ${quoted(parquet)}`)).toEqual([
      ['customer_no', 'VARCHAR'],
      ['account', 'BIGINT'],
      ['name', 'VARCHAR'],
      ['city', 'VARCHAR'],
      ['balance', 'DECIMAL(7,2)'],
      ['joined', 'DATE'],
      ['last_seen', 'TIMESTAMP'],
      ['active', 'BOOLEAN'],
      ['phone', 'VARCHAR'],
      ['batch', 'VARCHAR'],
    ])
    const source = `read_csv(${quoted(fixture('customers.csv'))}, all_varchar=true, delim=',', quote='"', escape='"', header=true)`
    const typed = `SELECT customer_no, account::BIGINT AS account, name, coalesce(city, '') AS city, balance::DECIMAL(7,2) AS balance, joined::DATE AS joined, last_seen::TIMESTAMP AS last_seen, active::BOOLEAN AS active, coalesce(phone, '') AS phone, batch FROM ${source}`
    const found = `SELECT * REPLACE (coalesce(city, '') AS city, coalesce(phone, '') AS phone) FROM ${quoted(parquet)}`
    expect(await nativeRows(`SELECT count(*) FROM (${typed})`)).toEqual([['500']])
    expect(await nativeRows(`(${typed}) EXCEPT ALL (${found})`)).toEqual([])
    expect(await nativeRows(`(${found}) EXCEPT ALL (${typed})`)).toEqual([])
  })
})

test('LibreOffice’s Excel file keeps codes, dates and all rows', async ({ page }) => {
  const file = await add(page, 'customers.xlsx')
  await convertTo(file, 'Parquet')
  const { path: parquet } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  const [first] = await nativeRows(`SELECT customer_no, count(*) OVER () FROM ${quoted(parquet)} ORDER BY 1 LIMIT 1`)
  expect(first).toEqual(['00001', '500'])
})

test('native DuckDB’s Parquet file with every kind of type becomes JSON', async ({ page }) => {
  const file = await add(page, 'types.parquet')
  await convertTo(file, 'JSON')
  const json = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  const digest = (source: string): string =>
    `SELECT count(*), sum(ub)::VARCHAR, sum(amount)::VARCHAR, max(l[2]), max(s.b), max(tz)::VARCHAR FROM ${source}`
  const types =
    "{ub: 'UBIGINT', amount: 'DECIMAL(18,3)', l: 'BIGINT[]', s: 'STRUCT(a BIGINT, b VARCHAR)', tz: 'TIMESTAMPTZ'}"
  const rows = await nativeRows(digest(`read_json(${quoted(json.path)}, columns=${types})`))
  const original = await nativeRows(digest(quoted(fixture('types.parquet'))))
  expect(rows).toEqual(original)
})

test('ogr2ogr’s GeoJSON stays GeoJSON’s features from JSON to JSON, and becomes JSON text as CSV', async ({ page }) => {
  const places = fixture('../../src/engine/fixtures/json/places.geojson')
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(places)
  const file = region(page, 'places.geojson')
  await convertTo(file, 'JSON')
  const receipt = file.getByRole('region', { name: 'Receipt' })
  await expect(receipt).not.toContainText('kept as text')
  const json = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  const source = readFileSync(places, 'utf8')
  const found = readFileSync(json.path, 'utf8')
  const { features } = JSON.parse(source) as { features: unknown }
  expect(JSON.parse(found)).toEqual(features)
  // Numbers keep their spelling.
  expect(found).toContain('"coordinates":[[1.0,2.0],[3.0,4.5]]')
  await convertTo(file, 'CSV')
  const csv = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  const rows = await nativeRows(`SELECT geometry->>'coordinates' FROM read_csv(${quoted(csv.path)}, all_varchar=true)`)
  expect(rows.slice(0, 2)).toEqual([['[6.958307,50.941357]'], ['[[6.95,50.93],[6.97,50.95],[7.0,51.0]]']])
})

test.describe('text in other encodings and dialects', () => {
  for (const name of ['utf16.csv', 'customers.csv.gz']) {
    test(name, async ({ page }) => {
      const file = await add(page, name)
      await convertTo(file, 'CSV')
      const { path: csv } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
      const same = (source: string): string =>
        `SELECT * FROM read_csv(${quoted(source)}, all_varchar=true, delim=',', quote='"', escape='"', header=true)`
      expect(await nativeRows(`(${same(fixture('customers.csv'))}) EXCEPT ALL (${same(csv)})`)).toEqual([])
    })
  }

  test('Windows-1252 with semicolons, decimal commas and day-first dates', async ({ page }) => {
    const file = await add(page, 'semicolon.csv')
    await expect(file.getByRole('table', { name: 'Preview' })).toContainText('für Kinder')
    await expect(file.getByRole('table', { name: 'Preview' })).toContainText('Größe')
  })

  test('a guessed encoding is said to be one, and chosen by the file’s own words', async ({ page }) => {
    const dos = Buffer.from('id,place\n1,\x85\n2,l\x85\n', 'latin1')
    await page.goto('/convert')
    await page.getByLabel('Add files').setInputFiles({ name: 'dos.csv', mimeType: 'text/csv', buffer: dos })
    const file = page.getByRole('region', { name: 'dos.csv' })
    await expect(file.getByText('Encoding is a guess.', { exact: true })).toBeVisible()
    await file.getByRole('button', { name: /DOS 850/ }).click()
    await expect(file.getByRole('table', { name: 'Preview' })).toContainText('là')
    await expect(file.getByText('Encoding is a guess.', { exact: true })).toBeHidden()
  })
})

test('rows that don’t fit are shown, and the file is handed out only once the person agreed', async ({ page }) => {
  const file = await add(page, 'ragged.csv')
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('JSON')
  await expect(
    file
      .getByText(/don’t fit|doesn’t fit/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
  const convert = file.getByRole('button', { name: 'Convert', exact: true })
  await convert.click()
  await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible()
  await expect(file.getByRole('button', { name: 'Download', exact: true })).toBeDisabled()
  await file.getByRole('button', { name: /without them/ }).click()
  const { path: json } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  const rows = JSON.parse(readFileSync(json, 'utf8')) as { id: number }[]
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 6])
})

test.describe('bad input gets a message and a remedy', () => {
  const BAD: readonly [name: string, message: RegExp][] = [
    ['empty.csv', /empty/i],
    ['binary.csv', /not|isn’t/i],
    ['truncated.parquet', /cut short|damaged|truncated|incomplete/i],
  ]
  for (const [name, message] of BAD) {
    test(name, async ({ page }) => {
      const file = await add(page, name, 'customers.csv')
      await expect(file.getByRole('alert')).toContainText(message)
      await convertTo(region(page, 'customers.csv'), 'TSV')
    })
  }
})

test('old and OpenDocument workbooks, SQLite, Zstandard and bzip2 become CSV with the values that they hold', async ({
  page,
}) => {
  const engine = '../../src/engine/formats'
  await add(
    page,
    'customers.xls',
    'customers.csv.zst',
    'customers.csv.bz2',
    `${engine}/ods/fixtures/codes-libreoffice.ods`,
    `${engine}/sqlite/fixtures/utf-16le.sqlite`,
  )
  const wanted: readonly [name: string, column: string, first: string][] = [
    ['customers.xls', 'customer_no', '00001'],
    ['customers.csv.zst', 'customer_no', '00001'],
    ['customers.csv.bz2', 'customer_no', '00001'],
    ['codes-libreoffice.ods', 'zip', '00501'],
    ['utf-16le.sqlite', 'a', 'Grüße, 世界 🎉'],
  ]
  for (const [name, column, first] of wanted) {
    const file = region(page, name)
    await convertTo(file, 'CSV')
    const { path: csv } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
    expect(await nativeRows(`SELECT ${column} FROM read_csv(${quoted(csv)}, all_varchar = true) LIMIT 1`)).toEqual([
      [first],
    ])
  }
})

test('header only becomes an empty table', async ({ page }) => {
  const file = await add(page, 'header-only.csv')
  await convertTo(file, 'Parquet')
  const { path: parquet } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  expect(await nativeRows(`SELECT count(*) FROM ${quoted(parquet)}`)).toEqual([['0']])
})

test('several files convert at once and come down as one archive; they are still there after a reload', async ({
  page,
}) => {
  await add(page, 'customers.csv', 'events.ndjson', 'wrapped.json')
  for (const name of ['customers.csv', 'events.ndjson', 'wrapped.json']) {
    await region(page, name).getByRole('combobox', { name: 'Convert to' }).selectOption('Parquet')
  }
  await page.getByRole('button', { name: 'Convert all' }).click()
  for (const name of ['customers.csv', 'events.ndjson', 'wrapped.json']) {
    await expect(region(page, name).getByRole('region', { name: 'Receipt' })).toBeVisible()
  }
  const zip = await download(page, page.getByRole('button', { name: 'Download all' }))
  expect(path.extname(zip.name)).toBe('.zip')
  expect(readFileSync(zip.path).subarray(0, 2).toString()).toBe('PK')
  await page.reload()
  const file = region(page, 'events.ndjson')
  const { path: parquet } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  const types = await nativeTypes(`SELECT * FROM ${quoted(parquet)}`)
  expect(types).toContainEqual(['user', 'STRUCT("name" VARCHAR, tags VARCHAR[])'])
})

test('nothing leaves the machine', async ({ page }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== 'localhost') elsewhere.push(request.url())
  })
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text())
  })
  const file = await add(page, 'customers.csv')
  for (const [label] of TARGETS) await convertTo(file, label)
  expect(elsewhere).toEqual([])
  expect(violations).toEqual([])
})
