import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test, type Locator, type Page } from './test.ts'
import type { Receipt } from '../src/tables/receipt.ts'
import { expectAccessible } from './accessible.ts'
import { nativeRows, nativeTypes, quoted } from './native.ts'
import { MemorySink } from '../src/lib/sink.ts'
import { ZipWriter } from '../src/lib/zip/write.ts'
import { driftingMonths, MONTHS } from './fixtures/months.ts'
import { download, kept, region } from './page.ts'
import { column, run, SLOW, status } from './sql.ts'

/** Twelve months of orders, in the test's folder. */
function months(): string[] {
  return driftingMonths().map(([name, text]) => {
    const path = test.info().outputPath(name)
    writeFileSync(path, text)
    return path
  })
}

async function addMonths(page: Page): Promise<string[]> {
  const paths = months()
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(paths)
  await expect(page.getByText('50 rows')).toHaveCount(12)
  return paths
}

test('twelve drifting months become one Parquet, as native DuckDB combines them, in six actions', async ({ page }) => {
  const paths = await addMonths(page)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const combined = region(page, 'orders-2024.parquet')
  await combined.getByRole('button', { name: /^Apply/ }).click()
  await combined.getByRole('button', { name: 'Convert', exact: true }).click()
  const receipt = combined.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('Verified')
  const { path: parquet } = await download(page, combined.getByRole('button', { name: 'Download', exact: true }))
  // The months were combined, so on the next visit none counts as interrupted.
  await expect.poll(() => kept(page, 'jobs')).toContainEqual(expect.stringMatching(/"settled":true.*"combination"/))
  await page.reload()
  await expect(combined.getByRole('button', { name: 'Download', exact: true })).toBeVisible()
  await expect(page.getByText('Interrupted')).toHaveCount(0)
  await expect(page.getByText('1 file · 1 converted')).toBeVisible()

  expect(await nativeTypes(`FROM ${quoted(parquet)}`)).toEqual([
    ['order_id', 'INTEGER'],
    ['Customer', 'VARCHAR'],
    ['amount', 'DECIMAL(12,2)'],
    ['day', 'TIMESTAMP'],
    ['city', 'VARCHAR'],
    ['channel', 'VARCHAR'],
    ['file', 'VARCHAR'],
  ])
  const sources = paths.map((path, m) => {
    const renamed = m === 3 || m === 8 ? ' RENAME ("Customer Name" AS "Customer")' : ''
    const id = m === 5 ? ' RENAME ("Order ID" AS order_id)' : ''
    return `SELECT *${renamed}${id}, 'orders-2024-${MONTHS[m] ?? ''}.csv' AS file FROM read_csv(${quoted(path)}, header=true)`
  })
  const all = `SELECT order_id, Customer, amount::DECIMAL(12,2) AS amount, day::TIMESTAMP AS day, city, channel, file FROM (${sources.join(' UNION ALL BY NAME ')})`
  expect(await nativeRows(`SELECT count(*)::INTEGER FROM ${quoted(parquet)}`)).toEqual([[600]])
  expect(await nativeRows(`(${all}) EXCEPT ALL (FROM ${quoted(parquet)})`)).toEqual([])
  expect(await nativeRows(`(FROM ${quoted(parquet)}) EXCEPT ALL (${all})`)).toEqual([])

  await expect(receipt).toContainText('“Customer Name” of “orders-2024-04.csv” and “orders-2024-09.csv” is “Customer”.')
  await expect(receipt).toContainText('“Order ID” of “orders-2024-06.csv” is “order_id”.')
  const json = await download(page, receipt.getByRole('button', { name: 'Save receipt' }))
  const { receipts } = JSON.parse(readFileSync(json.path, 'utf8')) as { readonly receipts: readonly [Receipt] }
  const [{ found, sources: parts = [] }] = receipts
  expect(parts.map(({ rows, rejectedRows, textCompared }) => [rows, rejectedRows, textCompared])).toEqual(
    MONTHS.map(() => [50, 0, true]),
  )
  const sum = parts.reduce((total, { rowChecksum }) => total + BigInt(`0x${rowChecksum}`), 0n) % 2n ** 64n
  expect(sum.toString(16).padStart(16, '0')).toBe(found.rowChecksum)
})

test('drift is shown as a matrix, changed with the keyboard alone, and survives a reload', async ({ page }) => {
  await addMonths(page)
  await page.getByRole('checkbox', { name: 'Select orders-2024-03.csv' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Combine' })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Select orders-2024-04.csv' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Combine' }).focus()
  await page.keyboard.press('Enter')
  const combined = region(page, 'orders-2024.parquet')
  await expect(combined.getByRole('link', { name: 'orders-2024.parquet' })).toBeFocused()
  const table = combined.getByRole('table', { name: 'Matched columns' })
  const row = (name: string) =>
    table.getByRole('row').filter({ has: page.getByRole('checkbox', { name: `Include ${name}`, exact: true }) })
  await expect(row('Customer').getByRole('cell')).toHaveText(['Text VARCHAR', 'Customer', 'missing'])
  await expect(row('Customer Name').getByRole('cell')).toHaveText(['Text VARCHAR', 'missing', 'Customer Name'])

  await row('Customer').getByRole('button', { name: 'missing, orders-2024-04.csv' }).focus()
  await page.keyboard.press('Enter')
  const list = combined.getByRole('combobox', { name: 'Column of orders-2024-04.csv for Customer' })
  await expect(list).toBeFocused()
  await page.keyboard.press('C')
  await page.keyboard.press('Enter')
  await expect(row('Customer').getByRole('cell')).toHaveText(['Text VARCHAR', 'Customer', 'Customer Name'])
  await expect(row('Customer Name')).toHaveCount(0)
  await expect(row('Customer').getByRole('button', { name: 'Customer Name, orders-2024-04.csv' })).toBeFocused()
  await row('city').getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await expect(row('city').getByRole('checkbox')).not.toBeChecked()
  await expect.poll(() => kept(page, 'jobs')).toContainEqual(expect.stringMatching(/"leftOut":\[[^\]]*city/))

  await page.reload()
  await expect(region(page, 'orders-2024.parquet')).toContainText('Interrupted')
  await page.getByRole('button', { name: /^Open again/ }).click()
  await expect(row('Customer').getByRole('cell')).toHaveText(['Text VARCHAR', 'Customer', 'Customer Name'])
  await expect(row('city').getByRole('checkbox')).not.toBeChecked()
  await combined.getByRole('button', { name: 'Convert', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(combined.getByRole('region', { name: 'Receipt' })).toContainText('You left this out', {
    timeout: 30_000,
  })
})

test('Tab reaches the column of every file, and what is applied is announced', async ({ page }) => {
  await addMonths(page)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const combined = region(page, 'orders-2024.parquet')
  const files = MONTHS.map((month) => `, orders-2024-${month}.csv`)
  await combined.getByRole('checkbox', { name: 'Include order_id' }).focus()
  for (const cell of [...files, 'Include Customer', ...files, 'Include amount']) {
    await page.keyboard.press('Tab')
    await expect(combined.locator(':focus')).toHaveAccessibleName(new RegExp(`${cell}$`))
  }
  await combined.getByRole('button', { name: /^Apply/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('[aria-live=polite]', { hasText: '1 proposal applied.' })).toBeAttached()
  await expect(combined).toBeFocused()
})

test('a file that is removed is told, and can be brought back or done without', async ({ page }) => {
  await addMonths(page)
  for (const month of ['01', '02', '03'])
    await page.getByRole('checkbox', { name: `Select orders-2024-${month}.csv` }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const combined = region(page, 'orders-2024.parquet')
  const remove = region(page, 'orders-2024-02.csv').getByRole('button', { name: 'Remove' })
  await remove.click()
  await expect(combined).toContainText('“orders-2024-02.csv” was removed from the list.')
  await expect(combined.getByRole('button', { name: 'Convert', exact: true })).toBeDisabled()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(combined.getByRole('button', { name: 'Convert', exact: true })).toBeEnabled()
  await remove.click()
  await combined.getByRole('button', { name: 'Combine without it' }).click()
  await combined.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  const csv = region(page, 'orders-2024.csv')
  await csv.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(csv.getByRole('region', { name: 'Receipt' })).toContainText('2 files')
})

for (const state of ['before', 'after']) {
  test(`a combination is accessible ${state} it’s converted`, async ({ page }) => {
    await page.goto('/convert')
    await page.getByLabel('Add files').setInputFiles(months().slice(2, 4))
    for (const month of ['03', '04']) await expect(region(page, `orders-2024-${month}.csv`)).toContainText('50 rows')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Combine' }).click()
    const combined = region(page, 'orders-2024.parquet')
    await expect(combined.getByRole('table', { name: 'Matched columns' })).toBeVisible()
    if (state === 'after') {
      await combined.getByRole('button', { name: 'Convert', exact: true }).click()
      await expect(combined.getByRole('region', { name: 'Receipt' })).toBeVisible()
    }
    await expectAccessible(page, `a combination ${state} it’s converted`)
  })
}

test('a zip archive’s tables are files of the queue, chosen to be combined', async ({ page }) => {
  const sink = new MemorySink()
  const zip = new ZipWriter(sink)
  for (const [name, text] of [
    ['sales/north/jan.csv', 'id,amount\n1,2.50\n'],
    ['sales/south/jan.csv', 'id,amount\n2,3.25\n3,1.00\n'],
    ['sales/readme.md', '# Sales'],
    [
      'sales/LICENSE.txt',
      'These data are free to use, share and change.\n\nPlease name us, and say what you changed.\n',
    ],
  ] as const) {
    const entry = await zip.begin(name)
    await entry.write(new TextEncoder().encode(text))
    await entry.close()
  }
  await zip.finish()
  const buffer = Buffer.from(await sink.file('sales.zip').arrayBuffer())
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles({ name: 'sales.zip', mimeType: 'application/zip', buffer })
  // The message disappears after a while.
  await expect(page.getByText('Skipped 1 other that isn’t a table.').first()).toBeVisible()
  await expect(region(page, 'north_jan.csv').getByText('1 row', { exact: true })).toBeVisible()
  await expect(region(page, 'south_jan.csv').getByText('2 rows', { exact: true })).toBeVisible()
  // A text about the tables is listed, but is no table unless one says so.
  const licence = region(page, 'LICENSE.txt')
  await expect(licence).toContainText('This looks like a text about the other files, not like a table.')
  await expect(page.getByRole('checkbox', { name: 'Select LICENSE.txt' })).not.toBeChecked()
  await licence.getByRole('button', { name: 'Take it as a table' }).click()
  await expect(licence).not.toContainText('This looks like a text')
  await page.getByRole('button', { name: 'Combine' }).click()
  const combined = page.getByRole('region').filter({ has: page.getByRole('table', { name: 'Matched columns' }) })
  await combined.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(combined.getByRole('region', { name: 'Receipt' })).toContainText('Verified')

  // An encrypted file is reported as such, and isn't taken for a workbook.
  const locked = Buffer.from(buffer)
  locked.writeUInt8(1, locked.indexOf(Buffer.from('504b0102', 'hex')) + 8)
  await page.getByLabel('Add files').setInputFiles({ name: 'locked.zip', mimeType: 'application/zip', buffer: locked })
  await expect(region(page, 'locked.zip').getByText('“locked.zip” is an encrypted zip archive.')).toBeVisible()
})

test('a file that has nothing in common with the others is left out by keyboard, and brought back', async ({
  page,
}) => {
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await page.goto('/convert')
  await page
    .getByLabel('Add files')
    .setInputFiles([
      file('README.txt', 'Sales 2025\n==========\n\nAmounts are in EUR. Please ask us.\n'),
      file('sales-01.csv', 'id,amount\n1,2.50\n'),
      file('sales-02.csv', 'ID,Amount\n2,3.25\n3,1.00\n'),
    ])
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const combined = page.getByRole('region').filter({ has: page.getByRole('table', { name: 'Matched columns' }) })
  const leaveOut = combined.getByRole('button', { name: 'Apply: leave out “README.txt”' })
  await leaveOut.press('Enter')
  await expect(leaveOut).toBeHidden()
  await expect(region(page, 'sales.parquet')).toContainText(/2 files.*3 rows/)
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(region(page, 'combined.parquet')).toContainText('3 files')
  await leaveOut.press('Enter')
  await combined.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(combined.getByRole('region', { name: 'Receipt' })).toContainText('2 files')
})

/** Two files with different columns, combined as “quarter”. */
async function quarter(page: Page, february = 'id,amount,city\n3,4.25,Łódź\n'): Promise<Locator> {
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.goto('/convert')
  await page
    .getByLabel('Add files')
    .setInputFiles([file('jan.csv', 'id,amount\n1,2.50\n2,3\n'), file('feb.csv', february)])
  for (const name of ['jan.csv', 'feb.csv']) {
    await expect(region(page, name).getByText(/^\d+ rows?$/)).toBeVisible()
  }
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const combined = page.getByRole('region').filter({ has: page.getByRole('table', { name: 'Matched columns' }) })
  await combined.getByRole('textbox', { name: 'Name' }).fill('quarter')
  return region(page, 'quarter.csv').or(region(page, 'quarter.parquet'))
}

test('a combined table is queried as a local table, whatever it’s converted to', async ({ page }) => {
  const combined = await quarter(page)
  await combined.getByRole('button', { name: 'Query it' }).click()
  await expect(page).toHaveURL(/\/sql/)
  await expect(page.getByRole('treeitem', { name: /^quarter/ })).toBeVisible(SLOW)
  await run(page, "SELECT concat_ws(' ', id, amount, city, file) FROM quarter ORDER BY id")
  await expect(status(page)).toContainText('3 rows', SLOW)
  expect(await column(page, 0, 3)).toEqual(['1 2.5 jan.csv', '2 3.0 jan.csv', '3 4.25 Łódź feb.csv'])
})

test('a combined table is published as a dataset’s table', async ({ page }) => {
  const combined = await quarter(page)
  await combined.getByRole('button', { name: 'Publish it as a dataset' }).click()
  const dialog = page.getByRole('dialog', { name: 'New dataset' })
  await expect(dialog.getByText('quarter.parquet').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page.getByRole('heading', { name: 'quarter', level: 1 })).toBeVisible(SLOW)
  await expect(page.getByText('3 rows').first()).toBeVisible(SLOW)
})

test('rows of a combination that don’t fit are told before it’s queried', async ({ page }) => {
  const rows = Array.from({ length: 30 }, (_, i) => `${i},1.25,Łódź\n`)
  const combined = await quarter(page, ['id,amount,city\n', ...rows, '30,2,a,b,c\n'].join(''))
  await combined.getByRole('button', { name: 'Query it' }).click()
  await expect(combined.getByText('1 row doesn’t fit and isn’t in the file')).toBeVisible()
  await combined.getByRole('button', { name: 'Query it anyway' }).click()
  await expect(page).toHaveURL(/\/sql/)
})

test('selected files that couldn’t be read are named when the others are combined', async ({ page }) => {
  await page.goto('/convert')
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const files = [file('a.csv', 'id\n1\n'), file('b.csv', 'id\n2\n'), file('empty.csv', '')]
  await page.getByLabel('Add files').setInputFiles(files)
  await expect(page.getByText('1 row', { exact: true })).toHaveCount(2)
  await expect(region(page, 'empty.csv')).toContainText('is empty')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const toast = page.getByRole('dialog', { name: '1 selected file isn’t in the table' })
  await expect(toast).toContainText('Not read: “empty.csv”.')
  await expect(page.getByRole('table', { name: 'Matched columns' })).toBeVisible()
})
