import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test, type Locator, type Page } from './test.ts'
import * as XLSX from 'xlsx'
import { nativeRows, quoted } from './native.ts'
import { kept } from './page.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))

function region(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

type Files = Parameters<Locator['setInputFiles']>[0]

async function add(page: Page, files: Files): Promise<void> {
  await page.getByLabel('Add files').setInputFiles(files)
}

async function convert(file: Locator, target: string): Promise<void> {
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption(target)
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible()
}

async function download(page: Page, button: Locator): Promise<string> {
  const waiting = page.waitForEvent('download')
  await button.click()
  const got = await waiting
  const target = test.info().outputPath(got.suggestedFilename())
  await got.saveAs(target)
  return target
}

const downloadButton = (file: Locator): Locator => file.getByRole('button', { name: 'Download', exact: true })

/** Number of files in the browser's private file system; NaN if a folder disappears meanwhile. */
async function storedFiles(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let count = 0
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const handle of folder.values()) {
        if (handle.kind === 'file') count++
        else await walk(handle)
      }
    }
    try {
      await walk(await navigator.storage.getDirectory())
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return Number.NaN
      throw error
    }
    return count
  })
}

test.beforeEach(async ({ page }) => {
  await page.goto('/convert')
})

test.describe('what is removed can be brought back', () => {
  test('a card, with its file; when nobody wants it back, nothing is left', async ({ page }) => {
    await add(page, fixture('customers.csv'))
    const file = region(page, 'customers.csv')
    await convert(file, 'Parquet')
    await file.getByRole('button', { name: 'Remove' }).click()
    await expect(file).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    const parquet = await download(page, downloadButton(file))
    expect(await nativeRows(`SELECT count(*) FROM ${quoted(parquet)}`)).toEqual([['500']])
    // It has been downloaded, so Rowhouse doesn't ask.
    await file.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => storedFiles(page)).toBe(0)
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  })

  test('all that is finished, of this visit and the last; the page that is left lets go', async ({ page }) => {
    await add(page, fixture('customers.csv'))
    await convert(region(page, 'customers.csv'), 'TSV')
    await page.reload()
    await expect(downloadButton(region(page, 'customers.csv'))).toBeEnabled()
    await add(page, fixture('semicolon.csv'))
    await convert(region(page, 'semicolon.csv'), 'TSV')
    await page.getByRole('button', { name: 'Clear finished' }).click()
    await expect(page.getByText('2 conversions removed')).toBeVisible()
    await expect(page.getByRole('heading', { name: /without losing a digit/ })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    for (const name of ['customers.csv', 'semicolon.csv']) {
      expect(readFileSync(await download(page, downloadButton(region(page, name)))).length).toBeGreaterThan(1000)
    }
    await add(page, fixture('wrapped.json'))
    await convert(region(page, 'wrapped.json'), 'CSV')
    await page.getByRole('button', { name: 'Clear finished' }).click()
    await expect(page.getByText('1 of them wasn’t downloaded.')).toBeVisible()
    await expect(region(page, 'wrapped.json')).toHaveCount(0)
    expect(await storedFiles(page)).toBe(3)
    await page.reload()
    await expect.poll(() => storedFiles(page)).toBe(0)
  })

  test('another tab doesn’t sweep what may still be brought back', async ({ page, context }) => {
    await add(page, fixture('customers.csv'))
    const file = region(page, 'customers.csv')
    await convert(file, 'CSV')
    await file.getByRole('button', { name: 'Remove' }).click()
    await expect(file).toHaveCount(0)
    // The toast stays while it's hovered, since opening another page may take time.
    await page.getByRole('button', { name: 'Undo' }).hover()
    const other = await context.newPage()
    await other.goto('/convert')
    await expect(other.getByLabel('Add files')).toBeAttached()
    // Waits for the first attempts to sweep.
    await other.waitForTimeout(1000)
    await page.bringToFront()
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(readFileSync(await download(page, downloadButton(file))).length).toBeGreaterThan(1000)
  })
})

test('the receipt tells what is the same of several columns once', async ({ page }) => {
  await add(page, fixture('types.parquet'))
  const file = region(page, 'types.parquet')
  await convert(file, 'CSV')
  await expect(file.getByRole('listitem').filter({ hasText: 'Lists and structs' })).toHaveText([
    'l, s, m: Lists and structs are written as JSON text.',
  ])
})

test('a conversion has an address of its own, after a reload too', async ({ page }) => {
  await add(page, [fixture('customers.csv'), fixture('semicolon.csv')])
  await convert(region(page, 'semicolon.csv'), 'JSON')
  await region(page, 'semicolon.csv').getByRole('link', { name: 'semicolon.csv' }).click()
  await expect(page).toHaveURL(/\/convert\/[\w-]{36}$/)
  for (const again of [false, true]) {
    if (again) await page.reload()
    const file = region(page, 'semicolon.csv')
    await expect(file.getByRole('heading', { name: 'semicolon.csv' })).toBeInViewport()
    await file.getByRole('button', { name: 'Show columns' }).click()
    await expect(file.getByRole('table', { name: 'Columns compared' })).toBeVisible()
    await expect(region(page, 'customers.csv')).toHaveCount(0)
  }
  await page.getByRole('link', { name: /All files/ }).click()
  await expect(region(page, 'customers.csv')).toBeVisible()
})

test('a file added where one alone is shown brings back all of them', async ({ page }) => {
  await add(page, fixture('customers.csv'))
  await region(page, 'customers.csv').getByRole('link', { name: 'customers.csv' }).click()
  await expect(page.getByRole('link', { name: /All files/ })).toBeVisible()
  await add(page, fixture('semicolon.csv'))
  await expect(region(page, 'semicolon.csv')).toBeVisible()
  await expect(page).toHaveURL(/\/convert$/)
})

test('why a file can’t be read is still said after a reload', async ({ page }) => {
  await add(page, fixture('truncated.parquet'))
  const file = region(page, 'truncated.parquet')
  await expect(file.getByRole('alert')).toContainText(/cut short/)
  await expect.poll(() => kept(page, 'jobs')).toContainEqual(expect.stringMatching(/cut short/))
  await page.reload()
  await expect(file.getByRole('alert')).toContainText(/cut short/)
  await expect(file).not.toContainText(/interrupted/i)
  const chooser = page.waitForEvent('filechooser')
  await file.getByRole('button', { name: 'Add the file again' }).click()
  await (await chooser).setFiles(fixture('truncated.parquet'))
  await expect(file.getByRole('button', { name: 'Retry' })).toBeVisible()
  await expect(file).toHaveCount(1)
})

test('columns renamed, left out and kept as text are so in the file, and a recipe does it again', async ({ page }) => {
  const csv = (name: string, rows: string) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(`id,note,score\n${rows}`),
  })
  const wanted = (rows: readonly object[]): string => JSON.stringify(rows)
  const parse = async (file: Locator): Promise<string> =>
    JSON.stringify(JSON.parse(readFileSync(await download(page, downloadButton(file)), 'utf8')))

  await add(page, csv('march-2024.csv', '1,a,10\n2,b,20\n'))
  const march = region(page, 'march-2024.csv')
  await march.getByRole('tab', { name: /Columns/ }).click()
  await march.getByRole('combobox', { name: 'Type of id' }).selectOption('VARCHAR')
  await march.getByRole('checkbox', { name: 'Include note' }).uncheck()
  await march.getByRole('textbox', { name: 'Name of score' }).fill('points')
  await march.getByRole('combobox', { name: 'Convert to' }).selectOption('JSON')
  await march.getByRole('button', { name: 'Save as recipe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as recipe' })
  await expect(dialog.getByLabel('Name')).toHaveValue('march')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Recipe “march” saved')).toBeVisible()
  await convert(march, 'JSON')
  expect(await parse(march)).toBe(
    wanted([
      { id: '1', points: 10 },
      { id: '2', points: 20 },
    ]),
  )

  await page.reload()
  await add(page, csv('april-2024.csv', '3,c,30\n'))
  const april = region(page, 'april-2024.csv')
  await expect(april.getByText('This file has the columns of your recipe “march”.')).toBeVisible()
  await april.getByRole('button', { name: 'Apply recipe' }).click()
  await expect(april.getByRole('combobox', { name: 'Convert to' })).toHaveValue('json')
  await convert(april, 'JSON')
  expect(await parse(april)).toBe(wanted([{ id: '3', points: 30 }]))
})

test('a second tab sees the jobs, and hears of what the first does', async ({ page, context }) => {
  await add(page, fixture('customers.csv'))
  await convert(region(page, 'customers.csv'), 'CSV')
  const other = await context.newPage()
  await other.goto('/convert')
  const there = region(other, 'customers.csv')
  await expect(there.getByRole('region', { name: 'Receipt' })).toBeVisible()
  expect(readFileSync(await download(other, downloadButton(there))).length).toBeGreaterThan(1000)
  await add(page, fixture('semicolon.csv'))
  await expect(region(other, 'semicolon.csv')).toContainText('open in another tab')
  await convert(region(page, 'semicolon.csv'), 'TSV')
  await expect(downloadButton(region(other, 'semicolon.csv'))).toBeEnabled()
})

test('of a workbook the chosen sheets become files of their own', async ({ page }) => {
  await add(page, fixture('two-sheets.xlsx'))
  const file = region(page, 'two-sheets.xlsx')
  await file.getByRole('button', { name: /^Customers/ }).click()
  await expect(file.getByRole('table', { name: 'Preview' })).toContainText('Person 1')
  await convert(file, 'CSV')
  const made = file.getByRole('list', { name: 'Files made' }).getByRole('listitem')
  await expect(made).toHaveCount(2)
  const [orders, customers] = [
    await download(page, made.nth(0).getByRole('button')),
    await download(page, made.nth(1).getByRole('button')),
  ]
  const read = (path: string): string => `read_csv(${quoted(path)}, all_varchar=true)`
  expect(await nativeRows(`SELECT count(*), min(order_no), max(day) FROM ${read(orders)}`)).toEqual([
    ['40', '00001', '2024-02-10'],
  ])
  expect(await nativeRows(`SELECT count(*), max(customer_no) FROM ${read(customers)}`)).toEqual([['12', '0012']])
  await file.getByRole('checkbox', { name: 'Convert sheet Orders' }).uncheck()
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('list', { name: 'Files made' })).toHaveCount(0)
  expect(readFileSync(await download(page, downloadButton(file)), 'utf8')).toMatch(/^customer_no,name\n0001,/)
})

test('header rows set in three sheets, one right after the other, are all in force', async ({ page }) => {
  const book = XLSX.utils.book_new()
  const names = ['North', 'South', 'West']
  for (const name of names) {
    const rows = [['Report'], [name], [], ['a', 'b'], ['id', 'amount'], [1, 10], [2, 20]]
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name)
  }
  const buffer = XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
  await add(page, { name: 'regions.xlsx', mimeType: 'application/octet-stream', buffer })
  const file = region(page, 'regions.xlsx')
  await file.getByRole('tab', { name: 'Reading' }).click()
  const fields = names.map((name) => file.getByRole('textbox', { name: `Header row of ${name}` }))
  for (const field of fields) await expect(field).toHaveValue('4')
  for (const field of fields) await field.fill('5')
  await expect(file.getByRole('checkbox', { name: 'West has a header row' })).toBeChecked()
  for (const field of fields) await expect(field).toHaveValue('5')
  // Invalid input has no effect, and the field says so on blur.
  await fields[0]?.fill('x')
  await fields[0]?.blur()
  await expect(fields[0] ?? file).toHaveValue('5')
  await convert(file, 'CSV')
  const made = file.getByRole('list', { name: 'Files made' }).getByRole('listitem')
  await expect(made).toHaveCount(3)
  for (const [i] of names.entries()) {
    const csv = readFileSync(await download(page, made.nth(i).getByRole('button')), 'utf8')
    expect(csv).toBe('id,amount\n1,10\n2,20\n')
  }
})

test('the browser asks before a conversion is left, and not otherwise', async ({ page }) => {
  let asked = 0
  page.on('dialog', (dialog) => {
    asked++
    void dialog.accept()
  })
  const rows = Array.from({ length: 300_000 }, (_, i) => `${i},"Person ${i * 7919}",2024-01-01`)
  const buffer = Buffer.from(`id,name,day\n${rows.join('\n')}\n`)
  await add(page, { name: 'large.csv', mimeType: 'text/csv', buffer })
  const file = region(page, 'large.csv')
  await expect(file.getByRole('table', { name: 'Preview' })).toBeVisible()
  await page.reload()
  expect(asked).toBe(0)
  await add(page, { name: 'large.csv', mimeType: 'text/csv', buffer })
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('Excel')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('progressbar')).toBeVisible()
  await page.reload()
  expect(asked).toBe(1)
  await expect(file).toContainText(/interrupted/i)
})

test('on a phone a card’s actions are words in its menu, and leave room for the file’s name', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/convert')
  await add(page, { name: 'customers-2024.csv', mimeType: 'text/csv', buffer: Buffer.from('id,name\n1,Ann\n') })
  const file = region(page, 'customers-2024.csv')
  await expect(file.getByRole('table', { name: 'Preview' })).toBeVisible()
  const name = file.getByRole('heading', { level: 2 })
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
  await file.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Query it' }).click()
  await expect(page).toHaveURL(/\/sql/)
})
