import type { Page } from '@playwright/test'
import { MemorySink } from '../src/lib/sink.ts'
import { ZipWriter } from '../src/lib/zip/write.ts'
import { expect, test } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { drop } from './page.ts'
import { column, editor, openSql, result, rows, run, SLOW, status, tabs, tree, write } from './sql.ts'

test('while a file is added it says how far it is, and a statement about it waits for all of it', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  const ROWS = 400_000
  const lines = Array.from({ length: ROWS }, (_, i) => `${i},name ${i % 1000},${i / 4}`)
  await drop(page, 'orders.csv', `id,name,amount\n${lines.join('\n')}\n`)
  const adding = page.getByRole('list', { name: 'Files being added' })
  await expect(adding).toContainText('orders.csv')
  await run(page, 'SELECT count(*) AS n, sum(id) AS s FROM orders')
  await expect(status(page)).toContainText('Waits for all of orders.csv, which is being added…')
  await expect(adding).toContainText(/\d %/)
  await expect(status(page)).toContainText('1 row', SLOW)
  expect(await column(page, 0, 1)).toEqual(['400000'])
  expect(await column(page, 1, 1)).toEqual(['79999800000'])
  await expect(adding).toHaveCount(0)
  await expect(tree(page).getByRole('treeitem', { name: /^orders/ })).toBeVisible()
  await expect(result(page)).toContainText('local.orders')
})

test('what is typed while a file is added stays in view when it’s there', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  await drop(page, 'orders.csv', `id\n${Array.from({ length: 400_000 }, (_, i) => i).join('\n')}\n`)
  await expect(page.getByRole('list', { name: 'Files being added' })).toContainText('orders.csv')
  await write(page, 'SELECT 2 AS t')
  await expect(tree(page).getByRole('treeitem', { name: /^orders/ })).toBeVisible(SLOW)
  await expect(page.getByText('“orders.csv” added as local.orders').first()).toBeVisible()
  await expect(tabs(page)).toHaveCount(1)
  await expect(editor(page)).toHaveText('SELECT 2 AS t')
})

test('the first rows of a file can be queried while the rest loads, and never pass for all of it', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  const ROWS = 400_000
  const lines = Array.from({ length: ROWS }, (_, i) => `${i},name ${i % 1000},${i / 4}`)
  await drop(page, 'orders.csv', `id,name,amount\n${lines.join('\n')}\n`)
  const adding = page.getByRole('list', { name: 'Files being added' })
  await adding.getByRole('button', { name: 'Query its first rows' }).click()
  const note = 'Of a sample: local.orders_first_rows has only the first 1,000 rows of orders.csv.'
  await expect(result(page)).toContainText(note, SLOW)
  await expect(status(page)).toContainText('1,000 rows', SLOW)
  expect(await column(page, 0, 3)).toEqual(['0', '1', '2'])
  await rows(page, 'SELECT max(id) AS last FROM orders_first_rows', '1 row')
  await expect(result(page)).toContainText(note)
  await expectAccessible(page, 'an answer of a sample')
  // By the table's name or the file's, all rows are read.
  await rows(page, `SELECT max(id) AS last FROM 'orders.csv'`, '1 row')
  expect(await column(page, 0, 1)).toEqual(['399999'])
  await expect(result(page)).not.toContainText('sample')
})

test('the first rows of a JSON text can be queried while the rest loads', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  const items = Array.from({ length: 300_000 }, (_, i) => `{"id":${i},"name":"name ${i % 1000}","tags":[${i % 3},2]}`)
  await drop(page, 'orders.json', `{"made":"2025-01-31","orders":[${items.join(',')}]}`)
  await firstRowsOf(page, 'orders.json', '1,000 rows')
  expect(await column(page, 0, 3)).toEqual(['0', '1', '2'])
})

test('the first rows of a workbook can be queried while the rest loads', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  const cells = Array.from(
    { length: 400_000 },
    (_, i) => `<row><c><v>${i}</v></c><c t="str"><v>name ${i % 1000}</v></c><c><v>${i / 4}</v></c></row>`,
  )
  const header = '<row><c t="str"><v>id</v></c><c t="str"><v>name</v></c><c t="str"><v>amount</v></c></row>'
  const buffer = await workbookOf(`${header}${cells.join('')}`)
  await page.locator('input[type=file]').first().setInputFiles({ name: 'orders.xlsx', mimeType: '', buffer })
  await firstRowsOf(page, 'orders.xlsx', /[1-9],\d{3} rows/)
  expect(await column(page, 0, 3)).toEqual(['0', '1', '2'])
})

/** Queries the first rows of a file that is being added, and waits for them and for the note about them. */
async function firstRowsOf(page: Page, file: string, count: string | RegExp): Promise<void> {
  const adding = page.getByRole('list', { name: 'Files being added' })
  await adding.getByRole('button', { name: 'Query its first rows' }).click()
  await expect(status(page)).toContainText(count, SLOW)
  await expect(result(page)).toContainText(/Of a sample: local\.orders_first_rows has only the first [\d,]+ rows of /)
  await expect(result(page)).toContainText(file)
}

/** @param cells the rows' XML */
async function workbookOf(cells: string): Promise<Buffer> {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const types = 'http://schemas.openxmlformats.org/package/2006'
  const relation = (type: string, target: string): string =>
    `<Relationships xmlns="${types}/relationships"><Relationship Id="r1" Type="${relations}/${type}" Target="${target}"/></Relationships>`
  const part = (name: string, type: string): string =>
    `<Override PartName="/xl/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
  const sink = new MemorySink()
  const zip = new ZipWriter(sink)
  for (const [name, text] of [
    [
      '[Content_Types].xml',
      `<Types xmlns="${types}/content-types">${part('workbook.xml', 'sheet.main')}${part('worksheets/sheet1.xml', 'worksheet')}</Types>`,
    ],
    ['_rels/.rels', relation('officeDocument', 'xl/workbook.xml')],
    ['xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml')],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Orders" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ],
    ['xl/worksheets/sheet1.xml', `<worksheet xmlns="${main}"><sheetData>${cells}</sheetData></worksheet>`],
  ] as const) {
    const entry = await zip.begin(name)
    await entry.write(new TextEncoder().encode(text))
    await entry.close()
  }
  await zip.finish()
  return Buffer.from(await sink.file('orders.xlsx').arrayBuffer())
}
