import { expect, test, type Locator, type Page } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { cells, create, listed, SLOW, textFile, type TextFile } from './datasets.ts'
import { openSql, rows } from './sql.ts'

/* Adding tables and rows to an existing dataset. */

test.setTimeout(240_000)

const month = (name: string, number: number, amount = '.50'): TextFile => {
  const lines = Array.from({ length: 30 }, (_, i) => `${number * 1000 + i},Customer ${i},${i}${amount}`)
  return textFile(name, `order,customer,amount\n${lines.join('\n')}\n`)
}

async function add(page: Page, ...files: TextFile[]): Promise<Locator> {
  await page.getByRole('button', { name: 'Add tables or rows' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to “Orders”' })
  for (const file of files) await dialog.getByLabel('Add files').setInputFiles(file)
  return dialog
}

test('next month’s rows go behind those of the table with the same columns, and another file is a table more', async ({
  page,
}) => {
  await create(page, 'Orders', month('orders.csv', 1))
  const dialog = await add(page, month('february.csv', 2, '.125'), textFile('cities.csv', 'city\nBonn\nKiel\n'))
  await expect(dialog.getByRole('combobox', { name: 'Rows of february.csv become' })).toHaveValue('orders', SLOW)
  await expect(dialog.getByRole('textbox', { name: 'Table from cities.csv' })).toHaveValue('cities')
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveCount(0)
  await expectAccessible(page, 'adding to a dataset')
  await dialog.getByRole('button', { name: 'Add to dataset' }).click()
  await expect(page.getByText('Added to “Orders”')).toBeVisible(SLOW)
  await expect(page.getByText('32 rows of 2 files')).toBeVisible()
  await expect(page.getByText('60 rows · 3 columns').first()).toBeVisible(SLOW)
  await expect(page.getByText('62 rows', { exact: true })).toBeVisible()
  await page.getByRole('grid', { name: 'Rows of orders' }).focus()
  await page.keyboard.press('Control+End')
  await expect(page.getByRole('gridcell', { name: '29.125', exact: true })).toBeVisible(SLOW)
  await page.keyboard.press('Control+Home')
  await expect(page.getByRole('gridcell', { name: '1000', exact: true })).toBeVisible(SLOW)
  expect(await listed(page)).toEqual([['Orders', ['orders', 'cities']]])
  await openSql(page)
  await rows(page, 'SELECT sum(amount) AS s FROM my_workspace."Orders".orders', '1 row')
  const grid = page.getByRole('grid', { name: 'Result' })
  expect(await cells(grid, 0, 1)).toEqual(['888.750'])
  await page.goto('/datasets')
  await page.reload()
  expect(await listed(page)).toEqual([['Orders', ['orders', 'cities']]])
})

test('where a file doesn’t fit nothing is added, it says why, and what was corrected is added', async ({ page }) => {
  await create(page, 'Orders', month('orders.csv', 1))
  const bad = textFile('march.csv', 'order,customer,amount\n3001,Ann,1.50\n3002,Bob,soon\n')
  const dialog = await add(page, bad)
  const choice = dialog.getByRole('combobox', { name: 'Rows of march.csv become' })
  await expect(choice).toHaveValue('orders', SLOW)
  await dialog.getByRole('button', { name: 'Add to dataset' }).click()
  await expect(dialog.getByRole('alert')).toContainText(/Not loaded: line 3, column “amount”/, SLOW)
  expect(await listed(page)).toEqual([['Orders', ['orders']]])
  await choice.selectOption('A new table')
  await dialog.getByRole('button', { name: 'Add to dataset' }).click()
  await expect(page.getByText('Added to “Orders”')).toBeVisible(SLOW)
  expect(await listed(page)).toEqual([['Orders', ['orders', 'march']]])
})

test('by keys alone; what isn’t added yet waits, and is found again', async ({ page }) => {
  await create(page, 'Orders', month('orders.csv', 1))
  await page.getByRole('button', { name: 'Add tables or rows' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add to “Orders”' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add tables or rows' })).toBeFocused()
  await add(page, month('may.csv', 5))
  await expect(dialog.getByRole('combobox', { name: /^Rows of / })).toHaveValue('orders', SLOW)
  await page.goBack()
  await page.getByRole('link', { name: 'Datasets' }).first().click()
  await expect(page.getByText('What you chose for “Orders” isn’t added yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('combobox', { name: /^Rows of / }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(dialog.getByRole('textbox', { name: 'Table from may.csv' })).toHaveValue('may')
  await dialog.getByRole('button', { name: 'Add to dataset' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added to “Orders”')).toBeVisible(SLOW)
  expect(await listed(page)).toEqual([['Orders', ['orders', 'may']]])
})
