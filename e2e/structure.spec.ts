import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test, type Locator } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { add, convertTo, download, region } from './page.ts'

/* Tables as offices send them: with titles, several header rows, and totals. */

const names = (file: Locator): Locator => file.getByRole('table', { name: 'Preview' }).getByRole('columnheader')

test('three sheets with titles, merged headers and totals become three clean files', async ({ page }) => {
  const file = await add(page, 'quarters.xlsx')
  await expect(names(file)).toHaveText([/Row/, /^City/, /^Q1 Units/, /^Q1 Revenue/, /^Q2 Units/, /^Q2 Revenue/])
  await expect(file.getByRole('list', { name: 'Proposals' }).getByRole('listitem')).toHaveCount(3)
  await expect(
    file.getByText('The last row, “Totale”, looks like a total of 4 columns: the sums are right.'),
  ).toBeVisible()
  await file.getByRole('button', { name: 'Apply all proposals' }).click()
  await expect(file.getByText('3 proposals applied.')).toBeVisible()
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  const receipts = file.getByRole('region', { name: 'Receipt' })
  await expect(receipts).toBeVisible()
  await expect(receipts.getByText('You left out the last row: it was a total.').first()).toBeVisible()
  await expect(receipts.first()).toContainText(/Rejected rows\s*none/)
  const { path } = await download(page, file.getByRole('button', { name: /^Download/ }))
  const read = (sheet: string): string => execFileSync('unzip', ['-p', path, `*${sheet}*`], { encoding: 'utf8' })
  expect(read('North')).toBe(
    'City,Q1 Units,Q1 Revenue,Q2 Units,Q2 Revenue\nOslo,10,99.5,12,120.25\nBergen,20,199,18,180\nTromsø,5,49.75,7,70.5\n'.replaceAll(
      /,(199|180)(?=[,\n])/g,
      ',$1.0',
    ),
  )
  expect(read('South').trim().split('\n')).toHaveLength(5)
  expect(read('West')).not.toContain('Summe')
})

test('a header of two rows above texts is joined, or proposed where the cells may be the first row', async ({
  page,
}) => {
  await page.goto('/convert')
  const games = 'Lions,Rome,Bears,Oslo\nCats,Bonn,Dogs,Kiel\nHens,Graz,Ants,Linz\n'
  const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page
    .getByLabel('Add files')
    .setInputFiles([
      csv('sure.csv', `Home,,Away,\nTeam,Town,Team,Town\n${games}`),
      csv('likely.csv', `Home,,Away,\nAlpha,Beta,Gamma,Delta\n${games}`),
    ])
  const sure = region(page, 'sure.csv')
  await expect(names(sure)).toHaveText([/Row/, /^Home Team/, /^Home Town/, /^Away Team/, /^Away Town/])
  const likely = region(page, 'likely.csv')
  await expect(names(likely)).toHaveText([/Row/, /^Home/, /^column_2/, /^Away/, /^column_4/])
  await likely.getByRole('button', { name: 'Apply: two rows are the header' }).click()
  await expect(names(likely)).toHaveText([/Row/, /^Home Alpha/, /^Home Beta/, /^Away Gamma/, /^Away Delta/])
  await expect(likely.getByText('All 3 rows')).toBeVisible()
  await likely.getByRole('button', { name: 'Undo' }).click()
  await expect(likely.getByText('All 4 rows')).toBeVisible()
})

test('a bank’s list loses its preamble by itself, and its total at a click', async ({ page }) => {
  const file = await add(page, 'kontoauszug.csv')
  await expect(names(file)).toHaveText([/Row/, /^Buchungstag/, /^Empfänger/, /^Verwendungszweck/, /^Betrag/])
  await expect(file.getByText('The first 4 lines are not part of the table and skipped.')).toBeVisible()
  await file.getByRole('button', { name: 'Apply: leave out the last row' }).click()
  await expect(file.getByText('You left out the last row: it was a total.')).toBeVisible()
  await expect(file.getByText('All 4 rows')).toBeVisible()
  await convertTo(file, 'CSV')
  const { path } = await download(page, file.getByRole('button', { name: 'Download' }))
  const text = execFileSync('cat', [path], { encoding: 'utf8' })
  expect(text.split('\n')[0]).toBe('Buchungstag,Empfänger,Verwendungszweck,Betrag')
  expect(text).toContain('Gehalt; April')
  expect(text).not.toContain('Summe')
})

test('a bank’s list with a preamble filled up to its width becomes dates and amounts', async ({ page }) => {
  await page.goto('/convert')
  const lines = [
    'Kontoauszug;;;',
    'Konto;DE02120300000000202051;;',
    '',
    'Buchungstag;Verwendungszweck;Betrag;Saldo',
    '01.03.2025;Miete;-1.200,00 €;3.800,00 €',
    '03.03.2025;Strom;-26,06 €;3.773,94 €',
    '05.03.2025;Storno;0,00 €;3.773,94 €',
    'Summe;;;-1.226,06 €',
  ]
  const buffer = Buffer.from(`${lines.join('\r\n')}\r\n`)
  await page.getByLabel('Add files').setInputFiles({ name: 'konto.csv', mimeType: 'text/csv', buffer })
  const file = region(page, 'konto.csv')
  await file.getByRole('button', { name: 'Apply: leave out the last row' }).click()
  await expect(file.getByText('All 3 rows')).toBeVisible()
  await convertTo(file, 'JSON')
  const receipt = file.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('Values are dates, the day first.')
  const { path } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([
    { Buchungstag: '2025-03-01', Verwendungszweck: 'Miete', Betrag: -1200, Saldo: 3800 },
    { Buchungstag: '2025-03-03', Verwendungszweck: 'Strom', Betrag: -26.06, Saldo: 3773.94 },
    { Buchungstag: '2025-03-05', Verwendungszweck: 'Storno', Betrag: 0, Saldo: 3773.94 },
  ])
})

test('what each row is can be said at its number, by keyboard alone', async ({ page }) => {
  const file = await add(page, 'kontoauszug.csv')
  await file.getByRole('radio', { name: 'As read' }).focus()
  await page.keyboard.press('ArrowRight')
  const rows = file.getByRole('table', { name: 'Rows of the file' })
  await expect(rows.getByRole('button', { name: 'Row 1, above the table' })).toBeVisible()
  await expect(rows.getByRole('button', { name: 'Row 5, header' })).toBeVisible()
  const choose = async (row: string, action: string): Promise<void> => {
    await rows.getByRole('button', { name: row }).focus()
    await page.keyboard.press('Enter')
    // The previous menu may still be fading.
    const items = page.getByRole('menu', { name: row }).getByRole('menuitem')
    await expect(items.first()).toBeFocused()
    const at = (await items.allInnerTexts()).findIndex((text) => text.startsWith(action))
    for (let i = 1; i <= at; i++) {
      await page.keyboard.press('ArrowDown')
      await expect(items.nth(i)).toBeFocused()
    }
    await page.keyboard.press('Enter')
  }
  await choose('Row 9, row', 'Last row')
  await expect(rows.getByRole('button', { name: 'Row 10, after the table' })).toBeVisible()
  await choose('Row 7, row', 'Leave out')
  await expect(rows.getByRole('button', { name: 'Row 7, left out' })).toBeVisible()
  await choose('Row 6, row', 'Header row')
  await expect(rows.getByRole('button', { name: 'Row 5, above the table' })).toBeVisible()
  // A column can be excluded once the file has been read with the new header.
  await expect(rows.getByRole('button', { name: /^Column 1, 02.04.2024/ })).toBeVisible()
  await rows.getByRole('button', { name: /^Column 2,/ }).focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu', { name: /^Column 2,/ })
  await menu.getByRole('menuitem', { name: 'Leave out' }).press('Enter')
  await expect(rows.getByRole('button', { name: /^Column 2,.*left out$/ })).toBeVisible()
  await expectAccessible(page, 'rows of the file')
  await file.getByText('As read').click()
  await expect(names(file)).toHaveText([/Row/, /^02.04.2024/, /^Miete April/, /^-1.250,00/])
  await expect(file.getByText('All 2 rows')).toBeVisible()
})

test('a last row that was marked near the end ends next month’s longer file, too', async ({ page }) => {
  const month = (name: string, days: number) => {
    const rows = Array.from({ length: days }, (_, i) => `2024-0${days % 9}-1${i};Rent;${i}.50\r\n`)
    const text = `day;what;amount\r\n${rows.join('')}End of list;${days} rows;\r\n\r\nMade by the bank\r\n`
    return { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
  }
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(month('march.csv', 4))
  const march = region(page, 'march.csv')
  await march.getByText('As in the file').click()
  await march.getByRole('button', { name: 'Row 5, row' }).click()
  await page.getByRole('menuitem', { name: 'Last row: leave out the last 2 rows' }).click()
  await expect(march.getByText('You left out the last 2 rows, from “End of list” on.')).toBeVisible()
  await expect(march.getByRole('button', { name: 'Row 6, after the table' })).toBeVisible()
  await march.getByRole('tab', { name: 'Reading' }).click()
  await expect(march.getByRole('textbox', { name: 'Last rows left out' })).toHaveValue('2')
  await expect(march.getByRole('textbox', { name: 'Last line' })).toHaveValue('')
  await march.getByRole('tab', { name: 'Columns' }).click()
  await march.getByRole('button', { name: 'Save as recipe' }).click()
  await page.getByRole('dialog', { name: 'Save as recipe' }).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Recipe “march” saved')).toBeVisible()
  await page.getByLabel('Add files').setInputFiles(month('april.csv', 7))
  const april = region(page, 'april.csv')
  await april.getByRole('button', { name: 'Apply recipe' }).click()
  await convertTo(april, 'CSV')
  await expect(april.getByRole('region', { name: 'Receipt' })).toContainText('from “End of list” on')
  const { path } = await download(page, april.getByRole('button', { name: 'Download', exact: true }))
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([8, 'day,what,amount', '2024-07-16,Rent,6.50'])
})

test('reading settings stand beside the rows, which follow', async ({ page }) => {
  const file = await add(page, 'quarters.xlsx')
  await file.getByRole('tab', { name: 'Reading' }).click()
  const rows = file.getByRole('table', { name: 'Rows of the file' })
  await expect(rows.getByRole('button', { name: 'Row 4, header' })).toBeVisible()
  await file.getByRole('textbox', { name: 'Header rows of North' }).fill('1')
  await expect(rows.getByRole('button', { name: 'Row 4, row' })).toBeVisible()
  await rows.getByRole('button', { name: 'Row 8, row' }).click()
  await page.getByRole('menuitem', { name: 'Leave out' }).click()
  await expect(file.getByRole('textbox', { name: 'Other rows left out of North' })).toHaveValue('8')
  await file.getByRole('button', { name: 'South' }).click()
  await expect(rows.getByText('Sales South 2024')).toBeVisible()
})

test('nested JSON becomes a flat table: a row for each element, a column for each key', async ({ page }) => {
  await page.goto('/convert')
  const orders = [
    {
      id: 1,
      by: { name: 'Ann' },
      items: [
        { sku: 'a', n: 2 },
        { sku: 'b', n: 1 },
      ],
    },
    { id: 2, by: { name: 'Bob' }, items: [] },
  ]
  const buffer = Buffer.from(JSON.stringify(orders))
  await page.getByLabel('Add files').setInputFiles({ name: 'orders.json', mimeType: 'application/json', buffer })
  const file = region(page, 'orders.json')
  await file.getByRole('tab', { name: 'Reading' }).click()
  const nested = file.getByRole('region', { name: 'Nested columns' })
  await nested.getByRole('button', { name: '“items”: one row per element' }).click()
  await nested.getByRole('button', { name: '“items”: flatten to one column per key', exact: true }).click()
  await nested.getByRole('button', { name: '“by”: flatten to one column per key', exact: true }).click()
  await expect(nested.getByRole('button', { name: /^Take back/ })).toHaveCount(3)
  await expectAccessible(page, 'nested columns')
  await expect(nested.getByRole('button', { name: /^“/ })).toHaveCount(0)
  await convertTo(file, 'CSV')
  await expect(file.getByRole('region', { name: 'Receipt' })).toContainText('Each element of “items” is a row')
  const { path } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(path, 'utf8')).toBe('id,by.name,items.sku,items.n\n1,Ann,a,2\n1,Ann,b,1\n2,Bob,,\n')
})

test('rows and columns that were taken apart are put together again in JSON, or it’s said why not', async ({
  page,
}) => {
  await page.goto('/convert')
  const lines = [
    '{"id":1,"by":{"name":"Ann"},"items":[{"sku":"a","tags":["x","y"]},{"sku":"b","tags":[]}]}',
    '{"id":1,"by":{"name":"Ann"},"items":[{"sku":"a","tags":["x","y"]},{"sku":"b","tags":[]}]}',
    '{"id":2,"by":null,"items":[]}',
    '{"id":3,"items":null}',
  ]
  const buffer = Buffer.from(`${lines.join('\n')}\n`)
  await page.getByLabel('Add files').setInputFiles({ name: 'orders.ndjson', mimeType: 'application/json', buffer })
  const file = region(page, 'orders.ndjson')
  await file.getByRole('tab', { name: 'Reading' }).click()
  const nested = file.getByRole('region', { name: 'Nested columns' })
  for (const step of [
    '“items”: one row per element',
    '“items”: flatten to one column per key',
    '“items.tags”: one row per element',
  ])
    await nested.getByRole('button', { name: step, exact: true }).click()
  await nested.getByRole('button', { name: '“by”: flatten to one column per key', exact: true }).click()
  await expect(nested.getByRole('button', { name: /^Take back/ })).toHaveCount(4)
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('JSON')
  await file.getByRole('tab', { name: 'JSON options' }).click()
  await file.getByRole('combobox', { name: 'Layout' }).selectOption('One object a line')
  await file.getByRole('checkbox', { name: 'Write nested columns as they were' }).check()
  await expectAccessible(page, 'options of JSON')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  const receipt = file.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('8 rows as 4 objects.')
  const { path } = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(path, 'utf8')).toBe(buffer.toString())
  // Without one of the lists’ columns, it's impossible.
  await file.getByRole('tab', { name: 'Columns' }).click()
  await file.getByRole('checkbox', { name: 'Include items.tags' }).uncheck()
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(receipt).toContainText('The elements of “items” stay rows: you left “items.tags” out.')
})

test('records with a line for each value become rows, at a click', async ({ page }) => {
  await page.goto('/convert')
  const packages =
    'Package: adduser\nVersion: 3.134\nInstalled-Size: 686\nDescription: add users\n More about it.\n\nPackage: apt\nVersion: 2.6.1\nInstalled-Size: 4232\nDepends: adduser\n'
  await page
    .getByLabel('Add files')
    .setInputFiles([{ name: 'packages.txt', mimeType: 'text/plain', buffer: Buffer.from(packages) }])
  const file = region(page, 'packages.txt')
  await file.getByRole('button', { name: 'Apply: a row for each “Package”' }).click()
  await expect(names(file)).toHaveText([/Row/, /^Package/, /^Version/, /^Installed-Size/, /^Description/, /^Depends/])
  await expect(file.getByText('All 2 rows')).toBeVisible()
  await expect(file.getByText('Lines with a key and a value are read as 2 rows of 5 columns.')).toBeVisible()
  await convertTo(file, 'CSV')
  const { path } = await download(page, file.getByRole('button', { name: /^Download/ }))
  expect(readFileSync(path, 'utf8')).toBe(
    'Package,Version,Installed-Size,Description,Depends\nadduser,3.134,686,"add users\nMore about it.",\napt,2.6.1,4232,,adduser\n',
  )
})
