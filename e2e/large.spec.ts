import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { expect, test } from './test.ts'
import { nativeRows, quoted } from './native.ts'
import { download, region } from './page.ts'

/* Files that are large enough for two threads. */

const ROWS = 120_000

/** Two of the lines are invalid rows. */
function lines(): string {
  const rows = Array.from({ length: ROWS }, (_, i) =>
    JSON.stringify({
      id: i,
      exact: 0.25 * i,
      name: i % 5 === 0 ? `“${i}”, two\nlines` : `Ümit ${i}`,
      day: `2024-02-${String((i % 29) + 1).padStart(2, '0')}`,
      tags: i % 3 === 0 ? null : [i, 'x'],
    }),
  )
  rows[19_999] = '{"id":19999,'
  rows[99_999] = 'no row'
  return `${rows.join('\n')}\n`
}

test('lines of JSON keep their order, their values and the places of what doesn’t fit', async ({ page }) => {
  const path = test.info().outputPath('large.ndjson')
  await writeFile(path, lines())
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(path)
  const file = region(page, 'large.ndjson')
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible({ timeout: 60_000 })
  const { path: rejected } = await download(page, file.getByRole('button', { name: 'Download rejected rows' }))
  expect(await nativeRows(`SELECT row, line, raw FROM read_csv(${quoted(rejected)})`)).toEqual([
    ['20000', '20000', '{"id":19999,'],
    ['100000', '100000', 'no row'],
  ])
  await file.getByRole('button', { name: /without them/ }).click()
  const { path: csv } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  const ordered = `SELECT count(*), max(id), bool_and(id = place - 1 + (place > 19999)::INT + (place > 99998)::INT)
    FROM (SELECT id, row_number() OVER () AS place FROM read_csv(${quoted(csv)}))`
  expect(await nativeRows(ordered)).toEqual([[String(ROWS - 2), String(ROWS - 1), true]])
  const both = `SELECT a.id FROM read_csv(${quoted(csv)}) a JOIN read_json(${quoted(path)}, format = 'newline_delimited', ignore_errors = true) b USING (id)
    WHERE a.name IS DISTINCT FROM b.name OR a.exact <> b.exact OR a.day <> b.day OR (a.tags IS NULL) <> (b.tags IS NULL)`
  expect(await nativeRows(`SELECT count(*) FROM (${both})`)).toEqual([['0']])
  expect(readFileSync(csv, 'utf8').slice(0, 60)).toContain('id,exact,name,day,tags\n')
})
