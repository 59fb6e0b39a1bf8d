import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test, type Locator, type Page } from './test.ts'
import * as XLSX from 'xlsx'
import { expectAccessible } from './accessible.ts'
import { convertTo, download, region } from './page.ts'

/** Writes a month's file in the test's folder. */
function month(name: string, day: string): string {
  const path = test.info().outputPath(name)
  writeFileSync(path, `code,amount,day\n007,12.50,${day}\n008,3.00,${day}\n`)
  return path
}

/** Saves the recipe “months” made on a file: a renamed column, an excluded one, output as CSV. */
async function saveRecipe(page: Page, file: Locator): Promise<void> {
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await file.getByRole('tab', { name: 'Columns' }).click()
  await file.getByRole('textbox', { name: 'Name of amount' }).fill('total')
  await file.getByRole('checkbox', { name: 'Include day' }).uncheck()
  await file.getByRole('button', { name: 'Save as recipe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as recipe' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('months')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Recipe “months” saved')).toBeVisible()
}

async function saveRecipeOfMarch(page: Page): Promise<void> {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(month('march.csv', '2024-03-01'))
  await saveRecipe(page, region(page, 'march.csv'))
}

test('next month’s files, dropped together, are done by the recipe in two actions', async ({ page }) => {
  await saveRecipeOfMarch(page)
  const names = ['april.csv', 'may.csv', 'june.csv']
  await page.getByLabel('Add files').setInputFiles(names.map((name, i) => month(name, `2024-0${i + 4}-01`)))
  await expect(page.getByText('3 files have the columns of your recipe “months”.')).toBeVisible()
  await expectAccessible(page, 'a recipe for several files')
  await page.getByRole('button', { name: 'Apply recipe' }).click()
  await page.getByRole('button', { name: 'Convert all' }).click()
  for (const name of names) {
    const file = region(page, name)
    await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible()
    const made = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
    expect(readFileSync(made.path, 'utf8')).toBe('code,total\n007,12.50\n008,3.00\n')
  }
})

test('a recipe that only says what to convert to isn’t offered once that is chosen', async ({ page }) => {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(month('march.csv', '2024-03-01'))
  const march = region(page, 'march.csv')
  await march.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await march.getByRole('tab', { name: 'Columns' }).click()
  await march.getByRole('button', { name: 'Save as recipe' }).click()
  await page.getByRole('dialog', { name: 'Save as recipe' }).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Recipe “march” saved')).toBeVisible()
  await expect(march.getByText('This file has the columns of your recipe')).toBeHidden()
  await march.getByRole('combobox', { name: 'Convert to' }).selectOption('JSON')
  await march.getByRole('button', { name: 'Apply recipe' }).click()
  await expect(march.getByRole('combobox', { name: 'Convert to' })).toHaveValue('csv')
  await expect(march.getByText('This file has the columns of your recipe')).toBeHidden()
  // What the recipe says is how the next file is handled anyway.
  await page.getByLabel('Add files').setInputFiles(month('april.csv', '2024-04-01'))
  const april = region(page, 'april.csv')
  await april.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await expect(april).toContainText('This file is already read and written as your recipe “march” says.')
  await expect(april.getByRole('button', { name: 'Apply recipe' })).toBeHidden()
  await expectAccessible(page, 'a recipe with nothing to apply')
})

test('a recipe goes elsewhere as a file, and says what differs in a file that is alike', async ({ page, browser }) => {
  await saveRecipeOfMarch(page)
  await region(page, 'march.csv').getByRole('button', { name: 'Save as recipe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as recipe' })
  await dialog.getByText('1 recipe saved so far').click()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect
    .poll(async () => (await dialog.getByText('months', { exact: true }).boundingBox())?.height)
    .toBeLessThan(30)
  await page.setViewportSize({ width: 1440, height: 900 })
  await dialog.getByRole('button', { name: 'Rename recipe months' }).click()
  await expect(dialog.getByRole('textbox', { name: 'New name of months' })).toBeFocused()
  await page.keyboard.type('sales')
  await page.keyboard.press('Enter')
  const file = await download(page, dialog.getByRole('button', { name: 'Export recipe sales' }))
  expect(file.name).toBe('sales.recipe.json')

  const elsewhere = await browser.newPage()
  await elsewhere.goto('/convert')
  const schema = await elsewhere.request.get(
    (JSON.parse(readFileSync(file.path, 'utf8')) as { $schema: string }).$schema,
  )
  expect(await schema.json()).toMatchObject({ title: 'Rowhouse recipe' })
  await elsewhere.getByLabel('Add files').setInputFiles(file.path)
  await expect(elsewhere.getByText('Recipe “sales” added')).toBeVisible()
  const path = test.info().outputPath('may.csv')
  writeFileSync(path, 'code,amount,region\n007,12.50,north\n')
  await elsewhere.getByLabel('Add files').setInputFiles(path)
  const may = region(elsewhere, 'may.csv')
  await expect(may.getByText('This file is like those of your recipe “sales”.')).toBeVisible()
  await expect(may.getByText('Not in this file: day. Not in the recipe: region.')).toBeVisible()
  await may.getByRole('button', { name: 'Apply recipe' }).click()
  await convertTo(may, 'CSV')
  const made = await download(elsewhere, may.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(made.path, 'utf8')).toBe('code,total,region\n007,12.50,north\n')

  const wrong = test.info().outputPath('wrong.recipe.json')
  writeFileSync(wrong, '{"version": 9}')
  await elsewhere.getByLabel('Add files').setInputFiles(wrong)
  await expect(elsewhere.getByText('“wrong.recipe.json” couldn’t be added')).toBeVisible()
  await elsewhere.close()
})

/** A workbook with the same columns on each sheet. */
function workbook(name: string, ...sheets: string[]) {
  const book = XLSX.utils.book_new()
  for (const sheet of sheets) {
    const rows = [
      ['code', 'amount', 'day'],
      ['a', sheet.length, 'x'],
    ]
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), sheet)
  }
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name, mimeType, buffer: XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer }
}

test('a sheet that is called by the month is next month’s, told, and chosen where there are several', async ({
  page,
}) => {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(workbook('march.xlsx', 'March 2026'))
  await saveRecipe(page, region(page, 'march.xlsx'))
  await page.getByLabel('Add files').setInputFiles(workbook('april.xlsx', 'April 2026'))
  const april = region(page, 'april.xlsx')
  await expect(april.getByText('Its sheet “April 2026” is read as “March 2026”.')).toBeVisible()
  await april.getByRole('button', { name: 'Apply recipe' }).click()
  await convertTo(april, 'CSV')
  const first = await download(page, april.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(first.path, 'utf8')).toBe('code,total\na,10\n')

  await page.getByLabel('Add files').setInputFiles(workbook('summer.xlsx', 'May 2026', 'June 2026'))
  const summer = region(page, 'summer.xlsx')
  await expect(summer.getByRole('button', { name: 'Apply recipe' })).toBeDisabled()
  await expectAccessible(page, 'sheets to choose from')
  await summer.getByRole('combobox', { name: 'Which sheet is “March 2026” of the recipe?' }).selectOption('June 2026')
  await summer.getByRole('button', { name: 'Apply recipe' }).click()
  await summer.getByRole('tab', { name: 'Columns' }).click()
  await summer.getByRole('button', { name: 'June 2026' }).click()
  await expect(summer.getByRole('textbox', { name: 'Name of amount' })).toHaveValue('total')
})

test('workbooks whose sheets are called by the month become one table by the recipe next month, too', async ({
  page,
}) => {
  await page.goto('/convert')
  await page
    .getByLabel('Add files')
    .setInputFiles([workbook('north-3.xlsx', 'March 2026'), workbook('south-3.xlsx', 'March 2026')])
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const made = page.getByRole('region').filter({ has: page.getByRole('table', { name: 'Matched columns' }) })
  await expect(made.getByRole('table', { name: 'Matched columns' })).toContainText('Whole number')
  await made.getByRole('button', { name: 'Save as recipe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as recipe' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('regions')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await made.getByRole('button', { name: 'Remove' }).click()
  for (const name of ['north-3.xlsx', 'south-3.xlsx']) {
    await region(page, name).getByRole('button', { name: 'Remove' }).click()
    await expect(region(page, name)).toHaveCount(0)
  }

  await page
    .getByLabel('Add files')
    .setInputFiles([workbook('north-4.xlsx', 'April 2026'), workbook('south-4.xlsx', 'April 2026')])
  await expect(
    page.getByText(
      'The sheet “March 2026” is “April 2026” in “north-4.xlsx”, and other sheets are called otherwise, too.',
    ),
  ).toBeVisible()
  await expectAccessible(page, 'a recipe for sheets of another month')
  await page.getByRole('button', { name: 'Apply recipe' }).click()
  await made.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await made.getByRole('button', { name: 'Convert', exact: true }).click()
  const { path } = await download(page, made.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(path, 'utf8')).toBe('code,amount,day,file\na,10,x,north-4.xlsx\na,10,x,south-4.xlsx\n')
})

test('a Table Schema, dropped beside its file, is a recipe with checks, and becomes a Table Schema again', async ({
  page,
}) => {
  const schema = {
    fields: [
      { name: 'code', type: 'string', constraints: { required: true, unique: true, pattern: '[0-9]{3}' } },
      { name: 'amount', type: 'number', constraints: { minimum: 5 } },
      { name: 'day', type: 'date' },
    ],
    foreignKeys: [{ fields: 'code', reference: { resource: 'codes', fields: 'code' } }],
  }
  const path = test.info().outputPath('sales.schema.json')
  writeFileSync(path, JSON.stringify(schema))
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles([path, month('march.csv', '2024-03-01')])
  await expect(page.getByText('“sales.schema.json” added as the recipe “sales”')).toBeVisible()
  await expect(page.getByText('references to other tables (foreignKeys) aren’t checked.')).toBeVisible()
  const march = region(page, 'march.csv')
  await march.getByRole('button', { name: 'Apply recipe' }).click()
  await march.getByRole('tab', { name: 'Columns' }).click()
  await march.getByRole('button', { name: 'Save as recipe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as recipe' })
  await dialog.getByText('1 recipe saved so far').click()
  const file = await download(page, dialog.getByRole('button', { name: 'Export sales as a Table Schema' }))
  expect(JSON.parse(readFileSync(file.path, 'utf8'))).toMatchObject({
    fields: [
      { name: 'code', type: 'string', constraints: { required: true, unique: true, pattern: '[0-9]{3}' } },
      { name: 'amount', type: 'number', constraints: { minimum: '5' } },
      { name: 'day', type: 'date' },
    ],
  })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await march.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(march.getByText('1 check failed').first()).toBeVisible()
  await expect(march.getByText('“amount”: at least 5. 1 row: row 2: “3.0”').first()).toBeVisible()
})

/** A month of orders whose column names depend on the shop's software. */
function orders(
  name: string,
  id: string,
  first: number,
  more: readonly [column: string, value: string][] = [],
): string {
  const path = test.info().outputPath(name)
  const header = [id, 'Customer', 'amount', ...more.map(([column]) => column)]
  const rows = [0, 1].map((i) => [`${first + i}`, `Ann ${i}`, `${i}.25`, ...more.map(([, value]) => value)])
  writeFileSync(path, [header, ...rows].map((cells) => `${cells.join(',')}\n`).join(''))
  return path
}

test('next month’s files, dropped together, become one table by the recipe in two actions; drift stops it', async ({
  page,
}) => {
  await page.goto('/convert')
  await page
    .getByLabel('Add files')
    .setInputFiles([orders('shop-jan.csv', 'id', 1), orders('web-jan.csv', 'Bestellung', 3, [['note', 'x']])])
  await expect(page.getByText('2 rows', { exact: true })).toHaveCount(2)
  await region(page, 'web-jan.csv').getByRole('tab', { name: 'Columns' }).click()
  await region(page, 'web-jan.csv').getByRole('textbox', { name: 'Name of Bestellung' }).fill('number')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const made = region(page, 'combined.parquet')
  await made.getByRole('button', { name: 'id, shop-jan.csv' }).waitFor()
  await made.getByRole('button', { name: 'missing, web-jan.csv' }).first().click()
  await made.getByRole('combobox', { name: 'Column of web-jan.csv for id' }).selectOption('number')
  await made.getByRole('checkbox', { name: 'Include note' }).uncheck()
  await made.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  const csv = region(page, 'combined.csv')
  await csv.getByRole('textbox', { name: 'Name' }).fill('orders')
  await region(page, 'orders.csv').getByRole('button', { name: 'Save as recipe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as recipe' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('shops')
  await dialog.getByRole('checkbox', { name: 'Compare the number of rows with last time’s' }).check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Recipe “shops” saved')).toBeVisible()
  await expect(dialog).toBeHidden()
  await region(page, 'orders.csv').getByRole('button', { name: 'Save as recipe' }).click()
  await dialog.getByText('1 recipe saved so far').click()
  const file = await download(page, dialog.getByRole('button', { name: 'Export recipe shops' }))
  await dialog.getByRole('button', { name: 'Remove recipe shops' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByLabel('Add files').setInputFiles(file.path)
  await expect(page.getByText('Recipe “shops” added')).toBeVisible()
  for (const name of ['orders.csv', 'shop-jan.csv', 'web-jan.csv']) {
    await region(page, name).getByRole('button', { name: 'Remove' }).click()
    await expect(region(page, name)).toHaveCount(0)
  }

  await page
    .getByLabel('Add files')
    .setInputFiles([orders('shop-feb.csv', 'id', 11), orders('web-feb.csv', 'Bestellung', 13, [['note', 'y']])])
  await expect(
    page.getByText('2 files have the columns of your recipe “shops”, which makes one table of them.'),
  ).toBeVisible()
  await expectAccessible(page, 'a recipe that combines files')
  await page.getByRole('button', { name: 'Apply recipe' }).click()
  const next = region(page, 'orders.csv')
  await next.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(next.getByRole('region', { name: 'Receipt' })).toContainText('Verified')
  await expect(next.getByText('4 rows; last time 4, 100 % of them (50 % to 200 % are allowed)')).toBeVisible()
  const table = await download(page, next.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(table.path, 'utf8')).toBe(
    'id,Customer,amount,file\n11,Ann 0,0.25,shop-feb.csv\n12,Ann 1,1.25,shop-feb.csv\n' +
      '13,Ann 0,0.25,web-feb.csv\n14,Ann 1,1.25,web-feb.csv\n',
  )

  await page
    .getByLabel('Add files')
    .setInputFiles([orders('shop-mar.csv', 'id', 21, [['region', 'north']]), orders('web-mar.csv', 'Bestellung', 23)])
  await expect(page.getByText('“region” of “shop-mar.csv” isn’t in the recipe.')).toBeVisible()
  await page.getByRole('button', { name: 'Apply recipe' }).first().click()
  const drifting = region(page, 'orders.csv').filter({ hasText: 'These files differ from the recipe.' })
  await expect(drifting.getByRole('button', { name: 'Convert', exact: true })).toBeDisabled()
  await drifting.getByRole('button', { name: 'Leave out “region”' }).click()
  await expect(page.getByText('These files differ from the recipe.')).toBeHidden()
})
