import { readFile, writeFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { fixture } from '../page.ts'
import type { App, SavedFile, Target } from './app.ts'
import { test } from './test.ts'

/* What a person does in each part of the app. The steps' names are the rows of the README's table. */

const file = (name: string): Target => ({ role: 'region', name })
const dialog: Target = { role: 'dialog' }
const result: Target = { role: 'grid', name: 'Result' }

async function convert(app: App, name: string, target: string): Promise<SavedFile> {
  await app.choose({ role: 'combobox', name: 'Convert to', within: file(name) }, target)
  await app.click({ role: 'button', name: 'Convert', within: file(name) })
  await app.see({ role: 'region', name: 'Receipt', within: file(name) }, /verified/i)
  const saved = await app.save({ role: 'button', name: /^Download/, within: file(name) })
  expect(saved.name.split('.').at(-1)).toBe(target)
  return saved
}

/** Creates a dataset from a file and waits for its page. */
async function createDataset(app: App, name: string, path: string): Promise<void> {
  await app.openReady('/datasets')
  await app.click({ role: 'button', name: 'New dataset' })
  await app.addFiles([path], dialog)
  await app.write({ role: 'textbox', name: 'Name', within: dialog }, name)
  await app.click({ role: 'button', name: 'Create dataset', within: dialog })
  await app.see({ role: 'heading', name })
}

async function runSql(app: App, statement: string): Promise<void> {
  await app.write({ role: 'textbox', name: 'SQL' }, statement)
  await app.driver.press('Control+Enter')
}

/** That many lines of about 50 bytes. */
async function numbers(path: string, rows: number): Promise<string> {
  const lines = Array.from(
    { length: rows },
    (_, i) => `${i},${i * 7919}.25,name ${i % 97} of ${rows},2024-02-${10 + (i % 19)}`,
  )
  await writeFile(path, `id,amount,name,day\n${lines.join('\n')}\n`)
  return path
}

test('Every screen opens', async ({ app }) => {
  const paths = ['/', '/convert', '/datasets', '/sql', '/reference']
  const sections = ['connection', 'keys', 'usage', 'workspaces', 'backup', 'appearance']
  for (const path of [...paths, ...sections.map((name) => `/settings/${name}`)]) {
    await app.openReady(path)
    expect(await app.isThere({ role: 'alert' }), path).toBe(false)
    expect(await app.faults(), path).toEqual([])
  }
})

test('Every screen opens after one that was left amid calls', async ({ app }) => {
  const paths = ['/datasets', '/settings/keys', '/sql', '/sql']
  for (let i = 0; i < 16; i++) {
    await app.openReady(paths[i % paths.length] ?? '')
    await app.driver.evaluate(() => {
      for (let at = 0; at < 30; at++)
        setTimeout(() => void fetch('/console/v1/workspaces').catch(() => undefined), at * 10)
    })
    await new Promise((resolve) => setTimeout(resolve, (i * 37) % 300))
  }
})

test('Convert: each format is written, and read back to the same text', { tag: '@short' }, async ({ app }, info) => {
  await app.openReady('/convert')
  await app.addFiles([fixture('customers.csv')])
  const csv = (await convert(app, 'customers.csv', 'csv')).bytes.toString()
  expect(csv.split('\n')[1]).toContain('9007199254740993')
  const back: Record<string, string> = {}
  for (const target of ['tsv', 'json', 'xlsx', 'parquet', 'arrow']) {
    const saved = await convert(app, 'customers.csv', target)
    const path = info.outputPath(`back.${target}`)
    await writeFile(path, saved.bytes)
    await app.addFiles([path])
    back[target] = (await convert(app, `back.${target}`, 'csv')).bytes.toString()
  }
  // Numbers in JSON and Excel have no trailing zeros.
  const shortened = csv.replaceAll(/(,-?\d+\.\d)0,/g, '$1,')
  expect(back).toEqual({ tsv: csv, json: shortened, xlsx: shortened, parquet: csv, arrow: csv })
})

test('Convert: other programs’ files are read', async ({ app }) => {
  await app.openReady('/convert')
  const names = ['customers.csv.gz', 'customers.xlsx', 'two-sheets.xlsx', 'events.ndjson', 'types.parquet', 'utf16.csv']
  await app.addFiles(names.map(fixture))
  for (const name of names) {
    await convert(app, name, 'xlsx')
  }
})

test('Convert: a file of 30 MB, in two threads', async ({ app }, info) => {
  await app.openReady('/convert')
  await app.addFiles([await numbers(info.outputPath('large.csv'), 600_000)])
  const saved = await convert(app, 'large.csv', 'parquet')
  const path = info.outputPath('large-back.parquet')
  await writeFile(path, saved.bytes)
  await app.addFiles([path])
  const back = await convert(app, 'large-back.parquet', 'csv')
  expect(back.bytes.equals(await readFile(info.outputPath('large.csv')))).toBe(true)
})

test('Convert: results are there after a reload', async ({ app }) => {
  await app.openReady('/convert')
  await app.addFiles([fixture('semicolon.csv')])
  const saved = await convert(app, 'semicolon.csv', 'json')
  await app.openReady('/convert')
  const again = await app.save({ role: 'button', name: /^Download/, within: file('semicolon.csv') })
  expect(again.bytes.equals(saved.bytes)).toBe(true)
})

test('Datasets: made of a file, browsed, exported', async ({ app }) => {
  await createDataset(app, 'Shop', fixture('customers.csv'))
  await app.openReady('/datasets')
  await app.click({ role: 'link', name: 'Shop' })
  await app.see({ role: 'grid', name: 'Rows of customers' }, /00001.*9007199254740993/)
  await app.click({ role: 'button', name: 'Export table' })
  await app.choose({ role: 'combobox', name: 'Format', within: dialog }, 'csv')
  await app.click({ role: 'button', name: 'Export', within: dialog })
  await app.see(dialog, /hold the same values/)
  const saved = await app.save({ role: 'button', name: 'Download', within: dialog })
  expect(saved.bytes.toString().split('\n')[1]).toContain('9007199254740993')
})

test('Service: uploads are kept whole or not at all, and queried', { tag: '@short' }, async ({ app }) => {
  await app.openReady('/reference')
  const said = await app.driver.evaluate(async () => {
    const json = async (path: string, key?: string, body?: unknown): Promise<Record<string, unknown>> => {
      const headers = { 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'X-API-Key': key }) }
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = (await (await fetch(path, init)).json()) as { readonly data?: Record<string, unknown> }
      return answer.data ?? answer
    }
    const { workspaces } = (await json('/console/v1/workspaces')) as { workspaces: [{ id: string; slug: string }] }
    const [{ id, slug }] = workspaces
    const scopes = ['datasets:*:read', 'datasets:*:write']
    const { key } = (await json(`/console/v1/workspaces/${id}/api-keys`, undefined, { name: 'Steps', scopes })) as {
      key: string
    }
    const files = [{ filename: 'n.csv', content_type: 'text/csv' }]
    const signed = await json('/public/v1/storage/signed-urls', key, { workspace_id: id, files })
    const [{ signed_url: url } = { signed_url: '' }] = signed['urls'] as { signed_url: string }[]
    const lines = Array.from({ length: 400_000 }, (_, i) => `${i}\n`).join('')
    const put = (body: Blob, length: number): Promise<Response> =>
      fetch(url, { method: 'PUT', headers: { 'Content-Type': 'text/csv', 'X-Rowhouse-Length': String(length) }, body })
    const whole = new Blob([`n\n${lines}`])
    const short = await put(whole, whole.size + 1)
    const kept = await put(whole, whole.size)
    const dataset_name = `Uploaded ${Date.now()}`
    const tables = [{ table_name: 't', signed_url: url }]
    const made = await json('/public/v1/datasets', key, { workspace_id: id, dataset_name, tables })
    const sql = `SELECT count(*) AS rows, sum(n)::VARCHAR AS total FROM "${slug}"."${dataset_name}".t`
    const answer = await json('/public/v1/query', key, { sql })
    return {
      short: short.status,
      kept: kept.status,
      error: made['error'] ?? answer['error'] ?? '',
      rows: answer['rows'],
    }
  })
  expect(said).toEqual({ short: 400, kept: 200, error: '', rows: [{ rows: 400_000, total: '79999800000' }] })
})

test('SQL: datasets and dropped files, exported, charted', async ({ app }) => {
  await app.openReady('/sql')
  const picker: Target = { role: 'file', name: /^Files to query/ }
  await app.see(picker)
  await app.setFiles(picker, [fixture('customers.csv')])
  await app.see({ role: 'treeitem', name: /^customers, 500 rows/ })
  await runSql(app, 'SELECT city, count(*) AS n, sum(balance) AS total FROM local.customers GROUP BY ALL ORDER BY ALL')
  await app.see(result, /Lisbon/)
  await app.click({ role: 'button', name: 'Export' })
  await app.click({ role: 'menuitem', name: /^Parquet/ })
  const saved = await app.save({ role: 'button', name: 'Download', within: dialog })
  expect(saved.bytes.subarray(0, 4).toString()).toBe('PAR1')
  await app.driver.press('Escape')
  await app.gone(dialog)
  await app.click({ role: 'button', name: 'Chart' })
  await app.see({ role: 'region', name: 'Chart' }, /Lisbon/)
  await app.click({ role: 'button', name: 'Chart' })
})

test('SQL: a statement that runs is cancelled', async ({ app }) => {
  await app.openReady('/sql')
  await runSql(app, 'SELECT 1 AS started')
  await app.see(result, /started/)
  await runSql(app, 'SELECT sum(a.range * b.range % 7) FROM range(1000000) a, range(1000000) b')
  await app.click({ role: 'button', name: /^Cancel/ })
  await app.see({ role: 'region', name: 'Result of the query' }, /cancelled/i)
  await runSql(app, 'SELECT 6 * 7 AS answer')
  await app.see(result, /42/)
})

test('API reference: an operation runs', async ({ app }) => {
  await app.openReady('/reference?operation=query')
  await app.write({ role: 'textbox', name: 'Body' }, '{"sql": "SELECT 6 * 7 AS answer"}')
  await app.click({ role: 'button', name: 'Run', within: { role: 'region', name: 'Try it' } })
  await app.see({ role: 'region', name: 'Answer' }, /200 OK.*"answer": 42/)
})

test('Settings: keys, limits, what is used', async ({ app }) => {
  await app.openReady('/settings/keys')
  await app.click({ role: 'button', name: 'New key' })
  await app.write({ role: 'textbox', name: 'Name', within: dialog }, 'Nightly')
  await app.click({ role: 'button', name: 'Create key', within: dialog })
  await app.see({ role: 'textbox', name: 'API key' }, /^sk_live_/)
  await app.click({ role: 'button', name: 'I’ve copied it' })
  await app.openReady('/settings/usage')
  await app.see({ role: 'page' }, /This browser’s storage.*(Used on this machine|doesn’t say)/)
})

test('Settings: a backup is made and restored', async ({ app }, info) => {
  await createDataset(app, 'Kept', fixture('semicolon.csv'))
  await app.openReady('/settings/backup')
  const saved = await app.save({ role: 'button', name: 'Download backup' })
  const path = info.outputPath(saved.name)
  await writeFile(path, saved.bytes)
  await createDataset(app, 'Later', fixture('semicolon.csv'))
  await app.openReady('/settings/backup')
  const chooser: Target = { role: 'file', name: 'Backup file' }
  await app.setFiles(chooser, [path])
  await app.click({ role: 'button', name: 'Replace everything', within: dialog })
  await app.gone(dialog)
  await app.openReady('/datasets')
  await app.see({ role: 'link', name: 'Kept' })
  expect(await app.isThere({ role: 'link', name: 'Later' })).toBe(false)
  await app.click({ role: 'link', name: 'Kept' })
  await app.see({ role: 'grid', name: 'Rows of semicolon' })
})

test('Offline: every screen opens, files are converted, datasets queried', async ({ app }) => {
  await createDataset(app, 'Offline', fixture('semicolon.csv'))
  await app.keepOffline()
  app.goOffline()
  for (const path of ['/datasets', '/settings/usage', '/reference', '/convert']) await app.openReady(path)
  await app.addFiles([fixture('customers.csv')])
  await convert(app, 'customers.csv', 'xlsx')
  await app.openReady('/sql')
  await runSql(app, 'SELECT count(*) AS rows FROM my_workspace."Offline".semicolon')
  await app.see(result, /60/)
})
