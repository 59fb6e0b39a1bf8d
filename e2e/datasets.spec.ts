import { expect, test } from './test.ts'
import { histogramSql, pageSql, summarySql, topSql } from '../src/features/datasets/model/sql.ts'
import { expectAccessible } from './accessible.ts'
import { begin, cells, create, listed, SLOW, textFile } from './datasets.ts'
import { nativeRows, nativeTypes, quoted } from './native.ts'
import { download } from './page.ts'

test.setTimeout(240_000)

test('a file becomes a dataset that is still there after a reload, until its name is typed to delete it', async ({
  page,
}) => {
  const dialog = await begin(page, 'customers.csv')
  await expect(dialog.getByText('500 rows · 10 columns')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop')
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Who buys')
  await dialog
    .getByRole('combobox', { name: 'Tags' })
    .or(dialog.getByRole('textbox', { name: 'Tags' }))
    .fill('sales, eu')
  await dialog.getByRole('radiogroup', { name: 'Visibility' }).getByRole('radio', { name: 'Public' }).check()
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page.getByRole('heading', { name: 'Shop', level: 1 })).toBeVisible(SLOW)
  await expect(page.getByText('Who buys')).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Rows of customers' })
  expect(await cells(grid, 0, 3)).toEqual(['00001', '00002', '00003'])
  await page.reload()
  await page.getByRole('link', { name: 'All datasets' }).click()
  const line = page.getByRole('list', { name: 'Datasets' }).getByRole('listitem')
  await expect(line).toHaveText(/Shop.*Public.*sales.*eu.*1 table.*500/s)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Commands' }).fill('sho')
  await page.getByRole('option', { name: 'Shop' }).click()
  await expect(page).toHaveTitle('Shop · Rowhouse')
  await page.getByRole('button', { name: 'Delete dataset' }).click()
  const sure = page.getByRole('dialog')
  await expect(sure.getByRole('button', { name: 'Delete dataset' })).toBeDisabled()
  await sure.getByRole('textbox').fill('Shop')
  await sure.getByRole('button', { name: 'Delete dataset' }).click()
  await expect(page.getByRole('heading', { name: 'Datasets', level: 1 })).toBeVisible()
  await expect(page.getByText('“Shop” was deleted')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: 'No datasets yet' })).toBeVisible()
  expect(await listed(page)).toEqual([])
})

test('types that were chosen are what the service holds, and export gives back every value', async ({ page }) => {
  const dialog = await begin(page, 'customers.csv')
  await dialog.getByRole('button', { name: /^Columns/ }).click()
  await dialog.getByRole('combobox', { name: 'Type of account' }).selectOption('VARCHAR')
  await dialog.getByRole('checkbox', { name: 'Include phone' }).uncheck()
  await expect(dialog.getByText(/as Parquet, with the columns as you set them/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page.getByRole('heading', { name: 'customers', level: 1 })).toBeVisible(SLOW)
  await page.getByRole('button', { name: 'Export table' }).click()
  const exporting = page.getByRole('dialog')
  await exporting.getByRole('combobox', { name: 'Format' }).selectOption('parquet')
  await exporting.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(exporting.getByText('500 rows and 9 columns hold the same values')).toBeVisible(SLOW)
  const { path, name } = await download(page, exporting.getByRole('button', { name: 'Download' }))
  expect(name).toBe('customers.parquet')
  expect((await nativeTypes(`SELECT * FROM ${quoted(path)}`)).slice(0, 5)).toEqual([
    ['customer_no', 'VARCHAR'],
    ['account', 'VARCHAR'],
    ['name', 'VARCHAR'],
    ['city', 'VARCHAR'],
    ['balance', 'DECIMAL(7,2)'],
  ])
  expect(await nativeRows(`SELECT count(*), count(DISTINCT account), min(customer_no) FROM ${quoted(path)}`)).toEqual([
    ['500', '500', '00001'],
  ])
})

test('each sheet is a table, and rows that don’t fit are left out only when that is said', async ({ page }) => {
  const dialog = await begin(page, 'two-sheets.xlsx', 'ragged.csv')
  await expect(dialog.getByRole('textbox', { name: 'Table from Orders' })).toHaveValue('Orders')
  const button = dialog.getByRole('button', { name: 'Create dataset' })
  await expect(button).toBeDisabled()
  await expect(dialog.getByText('Review “ragged” first.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: /Publish without/ }).check()
  await button.click()
  await expect(page.getByRole('navigation', { name: 'Tables' }).getByRole('button')).toHaveText(
    [/Orders.*40 rows/, /Customers.*12 rows/, /ragged.*4 rows/],
    SLOW,
  )
})

test('a taken name is said at its field, and nothing that was entered is lost', async ({ page }) => {
  await create(page, 'Shop', textFile('a.csv', 'id\n1\n'))
  await page.getByRole('link', { name: 'All datasets' }).click()
  const dialog = await begin(page, textFile('b.csv', 'id\n2\n'))
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('shop')
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Kept')
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(name).toHaveAccessibleDescription(/Another dataset has this name/, SLOW)
  await expect(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue('Kept')
  await expect(dialog.getByText('b.csv', { exact: true })).toBeVisible()
  await name.fill('Shop 2')
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page.getByRole('heading', { name: 'Shop 2', level: 1 })).toBeVisible(SLOW)
})

test('a table that fails is retried alone, and the dataset ends whole', async ({ page }) => {
  // Damages the first upload without changing its length: the only way to make a file fail there that was read here.
  await page.addInitScript(() => {
    const whole = window.fetch.bind(window)
    let cut = false
    window.fetch = (address, init) => {
      const bad = !cut && init?.body instanceof File && init.body.name === 'bad.json'
      cut ||= bad
      return whole(address, bad ? { ...init, body: '[{"a": '.padEnd(20) } : init)
    }
  })
  const dialog = await begin(
    page,
    textFile('good.csv', 'id\n1\n2\n'),
    textFile('bad.json', '[{"a": 1}, {"a": 2}]', 'application/json'),
  )
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Whole')
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(dialog.getByText('Some tables weren’t loaded.')).toBeVisible(SLOW)
  await expect(dialog.getByText('2 rows loaded')).toBeVisible()
  await expect(dialog.getByText(/^Not loaded:/)).toBeVisible()
  expect(await listed(page)).toEqual([['Whole', ['good']]])
  await dialog.getByRole('button', { name: 'Retry failed' }).click()
  await expect(page.getByRole('heading', { name: 'Whole', level: 1 })).toBeVisible(SLOW)
  await expect(page.getByRole('navigation', { name: 'Tables' }).getByRole('button')).toHaveCount(2)
  expect(await listed(page)).toEqual([['Whole', ['good', 'bad']]])
})

test('cancelling in the middle leaves nothing', async ({ page }) => {
  const rows = Array.from({ length: 400_000 }, (_, i) => `${i},${i * 7919},name ${i % 977}`).join('\n')
  const dialog = await begin(page, textFile('large.csv', `id,number,name\n${rows}\n`))
  await expect(dialog.getByText('400,000 rows · 3 columns')).toBeVisible(SLOW)
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Create dataset' })).toBeEnabled(SLOW)
  await expect(dialog.getByText('400,000 rows · 3 columns')).toBeVisible()
  expect(await listed(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page
    .getByRole('dialog', { name: /Discard/ })
    .getByRole('button', { name: 'Discard' })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('what one tab does, the other one shows', async ({ page, context }) => {
  await page.goto('/datasets')
  await expect(page.getByRole('region', { name: 'No datasets yet' })).toBeVisible()
  const other = await context.newPage()
  await create(other, 'Elsewhere', textFile('a.csv', 'id\n1\n'))
  const link = page.getByRole('link', { name: 'Elsewhere' })
  await expect(link).toBeVisible()
  await link.click()
  await expect(page.getByRole('heading', { name: 'Elsewhere', level: 1 })).toBeVisible()
  await other.getByRole('tab', { name: 'Settings' }).click()
  await other.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed')
  await other.getByRole('button', { name: 'Save changes' }).click()
  await expect(other.getByText('Saved', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Renamed', level: 1 })).toBeVisible()
  await other.getByRole('button', { name: 'Delete dataset' }).click()
  await other.getByRole('dialog').getByRole('textbox').fill('Renamed')
  await other.getByRole('dialog').getByRole('button', { name: 'Delete dataset' }).click()
  await expect(page.getByRole('heading', { name: '“Renamed” is gone' })).toBeVisible()
})

test('settings that aren’t saved are asked about before they’re left', async ({ page }) => {
  await create(page, 'Drafted', textFile('a.csv', 'id\n1\n'))
  await page.goto('/datasets')
  await page.getByRole('link', { name: 'Drafted' }).click()
  await expect(page).toHaveTitle('Drafted · Rowhouse')
  await page.getByRole('tab', { name: 'Settings' }).click()
  const description = page.getByRole('textbox', { name: 'Description' })
  await description.fill('What it is')
  for (const away of [page.getByRole('link', { name: 'All datasets' }), page.getByRole('tab', { name: 'Tables' })]) {
    await away.click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect(description).toHaveValue('What it is')
  }
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'All datasets' }).click()
  await expect(page.getByRole('heading', { name: 'Datasets', level: 1 })).toBeVisible()
  await expect(page).toHaveTitle('Datasets · Rowhouse')
})

test('the list is searched, filtered and walked through by keyboard, and its address keeps all that', async ({
  page,
}) => {
  await create(page, 'Alpha', textFile('a.csv', 'id\n1\n'))
  await page.goto('/datasets')
  await create(page, 'Beta', textFile('weather.csv', 'id\n1\n2\n'))
  await page.goto('/datasets')
  const names = page.getByRole('list', { name: 'Datasets' }).getByRole('link')
  await expect(names).toHaveText(['Beta', 'Alpha'])
  await page.getByRole('button', { name: /Sort by Name/ }).click()
  await expect(names).toHaveText(['Alpha', 'Beta'])
  await names.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(names.nth(1)).toBeFocused()
  await page.getByRole('searchbox', { name: 'Search datasets' }).pressSequentially('weather')
  await expect(names).toHaveText(['Beta'])
  await expect(page).toHaveURL(/\?q=weather&sort=name/)
  await page.reload()
  await expect(names).toHaveText(['Beta'])
  await names.first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Beta', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('searchbox')).toHaveValue('weather')
})

test('rows are walked through by keyboard, to the last one, with every value whole', async ({ page }) => {
  const rows = Array.from(
    { length: 5000 },
    (_, i) => `${i + 1},"line ${i}\nsecond ${'x'.repeat(i === 4999 ? 900 : 3)}"`,
  )
  await create(page, 'Long', textFile('long.csv', `id,note\n${rows.join('\n')}\n`))
  const grid = page.getByRole('grid', { name: 'Rows of long' })
  expect(await cells(grid, 0, 2)).toEqual(['1', '2'])
  await grid.focus()
  await page.keyboard.press('Control+End')
  const cell = page.getByRole('region', { name: 'Cell' })
  await expect(cell).toContainText('row 5,000')
  await expect(cell.getByLabel('Value')).toHaveText(new RegExp(`line 4999\\s+second x{900}$`), SLOW)
  await expect(grid).toHaveAttribute('aria-rowcount', '5001')
  await expect
    .poll(() =>
      grid.evaluate((element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.role),
    )
    .toBe('gridcell')
  await page.keyboard.press('Control+Home')
  await expect(cell).toContainText('row 1')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const profile = page.getByRole('region', { name: 'Profile of id' })
  await expect(profile).toContainText(/Smallest\s*1\s*Largest\s*5000/, SLOW)
  await expect(profile.getByRole('listitem')).toHaveCount(24)
})

test('nulls, empty text, long numbers and nested values are shown as they are', async ({ page }) => {
  const lines = [
    '{"id": 9007199254740993, "code": "007", "text": "", "list": [1, 2], "object": {"a": "b"}}',
    '{"id": 1, "code": "", "text": null, "list": [], "object": {"a": null}}',
  ]
  await create(page, 'Kinds', textFile('kinds.ndjson', `${lines.join('\n')}\n`, 'application/json'))
  const grid = page.getByRole('grid', { name: 'Rows of kinds' })
  expect(await cells(grid, 0, 2)).toEqual(['9007199254740993', '1'])
  expect(await cells(grid, 1, 2)).toEqual(['007', 'empty'])
  expect(await cells(grid, 2, 2)).toEqual(['empty', 'null'])
  expect(await cells(grid, 4, 2)).toEqual(['{"a":"b"}', '{"a":null}'])
})

test('a file beyond 50 MB is said to be, and fits as Parquet', async ({ page }) => {
  await page.goto('/datasets')
  const dialog = await begin(page)
  await dialog.getByLabel('Add files').evaluate((input: HTMLInputElement) => {
    const part = new Blob([Array.from({ length: 100_000 }, (_, i) => `${i},the same words in every row\n`).join('')])
    const transfer = new DataTransfer()
    transfer.items.add(new File(['id,words\n', ...Array.from({ length: 17 }, () => part)], 'big.csv'))
    input.files = transfer.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect(dialog.getByText(/is more than the service takes: 50 MB/)).toBeVisible(SLOW)
  await expect(dialog.getByRole('button', { name: 'Create dataset' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Publish as Parquet' }).click()
  await expect(dialog.getByText(/As Parquet it’s .*: that can be published/)).toBeVisible({ timeout: 90_000 })
  await expect(dialog.getByRole('button', { name: 'Create dataset' })).toBeEnabled()
})

test('the statements give what native DuckDB says', async () => {
  const table = `(SELECT i AS "a ""b", i % 3 AS few, DATE '2024-01-01' + i::INTEGER AS day, TIME '00:00:00' + INTERVAL (i) SECOND AS clock, TIMESTAMPTZ '2024-01-01 00:00:00+00' + INTERVAL (i) DAY AS moment, if(i % 2 = 0, NULL, 'x') AS text, [i] AS list FROM range(100) AS r(i))`
  expect(await nativeRows(pageSql(table, ['a "b', 'few'], 2, 5))).toEqual([
    ['5', '2'],
    ['6', '0'],
  ])
  expect(await nativeRows(summarySql(table, 'a "b', 'number'))).toMatchObject([['100', '100', '100', '0', '99']])
  expect(await nativeRows(summarySql(table, 'list', 'nested'))).toMatchObject([['100', '100', '100', null, null]])
  expect(await nativeRows(topSql(table, 'text', 10))).toEqual([['x', '50']])
  for (const [column, type] of [
    ['a "b', 'BIGINT'],
    ['day', 'DATE'],
    ['clock', 'TIME'],
    ['moment', 'TIMESTAMP WITH TIME ZONE'],
  ] as const) {
    const bins = await nativeRows(histogramSql(table, column, type, 10))
    expect(bins.map(([bin, n]) => [bin, n])).toEqual(Array.from({ length: 10 }, (_, i) => [i, '10']))
  }
})

test('a dataset that isn’t there says so', async ({ page }) => {
  await page.goto('/datasets/nothing')
  await expect(page.getByRole('heading', { name: 'This dataset isn’t here' })).toBeVisible()
  await expect(page).toHaveTitle('No such dataset · Rowhouse')
  await page.getByRole('link', { name: 'All datasets' }).click()
  await expect(page.getByRole('heading', { name: 'Datasets', level: 1 })).toBeVisible()
})

test('axe finds nothing serious, in both themes and sizes', async ({ page }) => {
  await page.goto('/datasets')
  await expect(page.getByRole('region', { name: 'No datasets yet' })).toBeVisible()
  await expectAccessible(page, 'nothing there')
  const dialog = await begin(page, 'customers.csv', 'ragged.csv')
  await dialog
    .getByRole('button', { name: /^Columns/ })
    .first()
    .click()
  await dialog.getByRole('checkbox', { name: /Publish without/ }).check()
  await expectAccessible(page, 'the dialog')
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  const grid = page.getByRole('grid', { name: 'Rows of customers' })
  await cells(grid, 0, 1)
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await expectAccessible(page, 'rows')
  await page.getByRole('radio', { name: 'Columns' }).check()
  await page.getByRole('button', { name: /balance/ }).click()
  await expect(page.getByText('Different values')).toBeVisible(SLOW)
  await expectAccessible(page, 'columns')
  await page.getByRole('radio', { name: 'API' }).check()
  await expect(page.getByText(/curl/).first()).toBeVisible()
  await expectAccessible(page, 'its API')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('radio', { name: 'Public' }).check()
  await expectAccessible(page, 'its settings')
  await page.goto('/datasets')
  await expect(page.getByRole('list', { name: 'Datasets' })).toBeVisible()
  await expectAccessible(page, 'the list')
})
