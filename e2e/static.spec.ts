import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { dist, fileHost } from './host.ts'
import { fixture } from './page.ts'

test('the build runs from any static host, under a sub-path, deep links too', async ({ page }) => {
  const host = await fileHost('/tools/rowhouse/')
  try {
    for (const address of ['/tools/rowhouse/', '/tools/rowhouse/convert/', '/tools/rowhouse/convert']) {
      await page.goto(host.origin + address)
      await expect(page).toHaveURL(/\/tools\/rowhouse\/convert/)
      await page.getByLabel('Add files').setInputFiles(fixture('customers.csv'))
      const file = page.getByRole('region', { name: 'customers.csv', exact: true })
      await file.getByRole('combobox', { name: 'Convert to' }).selectOption('Parquet')
      await file.getByRole('button', { name: 'Convert', exact: true }).click()
      await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible()
      await file.getByRole('button', { name: 'Remove' }).first().click()
    }
  } finally {
    host.close()
  }
})

const scripts = (): string[] =>
  readdirSync(path.join(dist, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(path.join(dist, 'assets', name), 'utf8'))

test('what page and workers need is in the build once: DuckDB’s glue, the kernels, Arrow, FlatBuffers', () => {
  const code = scripts()
  for (const own of ['duckdb_web_tokenize', '_writeDictionaryBatch', 'FlatBuffers:'])
    expect(code.filter((text) => text.includes(own)).length, own).toBe(1)
  const kernels = code.flatMap((text) => text.match(/AGFzbQEAAAA[\w+/]+/g) ?? [])
  expect(kernels.length).toBe(2)
  expect(new Set(kernels).size).toBe(2)
})

test('nothing imports from a module that a worker begins with: WebKit would run it twice', () => {
  const code = scripts()
  const found = (pattern: RegExp): string[] =>
    code.flatMap((text) => Array.from(text.matchAll(pattern), ([, name]) => name ?? ''))
  const begun = found(/new Worker\([^;]{0,40}?([\w-]+\.js)/g)
  const imported = new Set(found(/(?:from|import)\s*\(?["'`]\.\/([\w-]+\.js)/g))
  expect(begun.length).toBeGreaterThan(2)
  expect(begun.filter((name) => imported.has(name))).toEqual([])
})
