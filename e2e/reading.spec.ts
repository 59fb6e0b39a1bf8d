import { expect, test, type Locator, type Page } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { begin, SLOW, textFile } from './datasets.ts'
import { add, fixture, region } from './page.ts'

/* Changing how a file is read, in Convert and when creating a dataset. */

const BANK = textFile('bank.csv', 'made by the bank\nid|price|note\n1|2.50|a\n2|NA|b\n3|7|c\n')

async function addFile(page: Page, file: ReturnType<typeof textFile>): Promise<Locator> {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(file)
  return region(page, file.name)
}

async function openReading(file: Locator): Promise<Locator> {
  await file.getByRole('tab', { name: 'Reading' }).click()
  return file.getByRole('group', { name: 'How the file is read' })
}

/** Checks the columns' names in the preview, once it has that many. */
async function expectColumns(file: Locator, names: readonly string[]): Promise<void> {
  await file.getByRole('tab', { name: 'Preview' }).click()
  const heads = file.getByRole('table', { name: 'Preview' }).getByRole('columnheader')
  await expect(heads).toHaveText(['Row#', ...names].map((name) => new RegExp(`^${name}`)))
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement
    const labels = at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels : null
    return labels?.[0]?.textContent ?? at?.getAttribute('aria-label') ?? at?.textContent ?? ''
  })

test('a text file’s fields are reached in order by keyboard, and read it again as they say', async ({ page }) => {
  const file = await addFile(page, BANK)
  await file.getByRole('tab', { name: 'Preview' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const fields = file.getByRole('group', { name: 'How the file is read' })
  await fields.getByRole('combobox', { name: 'Read as' }).focus()
  const order = [await focused(page)]
  for (let i = 0; i < 24; i++) {
    await page.keyboard.press('Tab')
    order.push(await focused(page))
  }
  expect(order).toEqual([
    'Read as',
    'Encoding',
    'Layout',
    'Delimiter',
    'Quote',
    'A quote inside quotes is',
    'Quotes in the wrong place',
    'Skip lines',
    'Comment lines begin with',
    'Numbers look like',
    'Null is',
    'and an empty field',
    'Header rows',
    'Columns',
    'Last rows left out',
    'Last line',
    'Lines left out',
    'Rows with too few fields',
    'Rows with too many fields',
    'Several tables',
    'First row is the header',
    'The header lacks a first name',
    'Trim blanks around fields',
    'Leave out blank rows',
    'Merge delimiters in a row',
  ])
  await expect(fields.getByRole('button', { name: 'Back to what was detected' })).toBeDisabled()
  await fields.getByRole('textbox', { name: 'Null is' }).fill('NA, b')
  await expect(fields.getByRole('button', { name: 'Back to what was detected' })).toBeEnabled()
  // It's read again before the tab is clicked: a proposal above goes, and the tab moves up.
  await expect(file.getByText('“NA” and “b” are null')).toBeVisible()
  await file.getByRole('tab', { name: 'Preview' }).click()
  await expect(file.getByRole('table', { name: 'Preview' }).getByText('null', { exact: true })).toHaveCount(2)
})

test('a tab that is pressed is shown, with what was typed, although the page moves it before it’s released', async ({
  page,
}) => {
  const file = await addFile(page, BANK)
  const fields = await openReading(file)
  await fields.getByRole('textbox', { name: 'Comment lines begin with' }).fill('3')
  const tab = file.getByRole('tab', { name: 'Preview' })
  await tab.hover()
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect(tab).toHaveAttribute('aria-selected', 'true')
  await expect(file.getByText('2 rows', { exact: true })).toBeVisible()
})

test('what is set of a text file changes its table, and is taken back at once', async ({ page }) => {
  const file = await addFile(page, BANK)
  await expectColumns(file, ['id', 'price', 'note'])
  const fields = await openReading(file)
  await expect(fields.getByRole('combobox', { name: 'Delimiter' })).toHaveValue('|')
  await fields.getByRole('checkbox', { name: 'First row is the header' }).uncheck()
  await expectColumns(file, ['column_1', 'column_2', 'column_3'])
  await openReading(file)
  await fields.getByRole('button', { name: 'Back to what was detected' }).click()
  await expectColumns(file, ['id', 'price', 'note'])
})

test('columns of a fixed width begin where the person says', async ({ page }) => {
  const file = await addFile(
    page,
    textFile('stock.txt', 'id  name   city\n1   Ann    Rome\n2   Bob    Oslo\n', 'text/plain'),
  )
  const fields = await openReading(file)
  await fields.getByRole('combobox', { name: 'Layout' }).selectOption('Fixed width')
  await expect(fields.getByRole('textbox', { name: 'Columns begin at' })).toHaveValue('0, 4, 11')
  await fields.getByRole('textbox', { name: 'Columns begin at' }).fill('0, 4')
  await expectColumns(file, ['id', 'name   city'])
  await openReading(file)
  await fields.getByRole('textbox', { name: 'Columns begin at' }).fill('0, 4, 11')
  await expectColumns(file, ['id', 'name', 'city'])
})

test('nothing moves under the pointer while a file is read again', async ({ page }) => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `${i}|${i}.50|${i === 7 ? 'yes ' : 'no'}\n`)
  const file = await addFile(page, textFile('bank.csv', `id|price|paid\n${rows.join('')}`))
  const fields = await openReading(file)
  await expect(file.getByRole('button', { name: /^Apply/ }).first()).toBeVisible()
  await file.getByRole('tablist').evaluate((tabs) => {
    const tops = new Set<number>()
    Object.assign(window, { tops })
    const look = (): void => {
      tops.add(Math.round(tabs.getBoundingClientRect().top + scrollY))
      requestAnimationFrame(look)
    }
    look()
  })
  await fields.getByRole('textbox', { name: 'Null is' }).fill('7')
  await expect(file.getByRole('progressbar', { name: 'Reading' })).toBeAttached()
  await expect(file.getByRole('progressbar', { name: 'Reading' })).toHaveCount(0)
  expect(await page.evaluate(() => (window as unknown as { tops: Set<number> }).tops.size)).toBe(1)
})

test('rows of a JSON file are where the person says', async ({ page }) => {
  const items = [1, 2, 3].map((id) => ({ node: { id, name: `n${id}` } }))
  const text = JSON.stringify({ meta: [{ page: 1 }], data: { edges: items } })
  const file = await addFile(page, textFile('graph.json', text, 'application/json'))
  let fields = await openReading(file)
  await fields.getByRole('textbox', { name: 'Where the rows are' }).fill('meta')
  await expectColumns(file, ['page'])
  fields = await openReading(file)
  await fields.getByRole('textbox', { name: 'Where the rows are' }).fill('data/edges/*/node')
  await expectColumns(file, ['id', 'name'])
  fields = await openReading(file)
  await expect(fields.getByRole('textbox', { name: 'Where the rows are' })).toHaveValue('data/edges/*/node')
  await fields.getByRole('button', { name: 'Back to what was detected' }).click()
  await expect(fields.getByRole('button', { name: 'Back to what was detected' })).toBeDisabled()
})

test('reading is accessible for each kind of file', async ({ page }) => {
  const text = await addFile(page, BANK)
  await openReading(text)
  await expectAccessible(page, 'reading of a text file')
  for (const name of ['wrapped.json', 'two-sheets.xlsx', 'types.parquet']) {
    const file = await add(page, name)
    await openReading(file)
    await expectAccessible(page, `reading of ${name}`)
  }
})

test('a dataset’s file is read as the person says, without going to Convert', async ({ page }) => {
  const dialog = await begin(page, BANK)
  await expect(dialog.getByText('3 rows · 3 columns')).toBeVisible()
  const toggle = dialog.getByRole('button', { name: 'Reading options of bank.csv' })
  await toggle.focus()
  await page.keyboard.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  const fields = dialog.getByRole('group', { name: 'How the file is read' })
  await dialog.getByRole('textbox', { name: 'Table from bank.csv' }).fill('payments')
  await fields.getByRole('checkbox', { name: 'First row is the header' }).uncheck()
  await expect(dialog.getByText('4 rows · 3 columns')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Table from bank.csv' })).toHaveValue('payments')
  await expect(dialog.getByText(/as Parquet, with the columns as you set them/)).toBeVisible()
  await expectAccessible(page, 'a new dataset whose file is read otherwise')
  await dialog.getByRole('button', { name: /^Columns/ }).click()
  await dialog.getByRole('button', { name: 'Details of column_1', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Type', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Details of column_1', exact: true })).toBeFocused()
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page.getByRole('heading', { name: 'bank', level: 1 })).toBeVisible(SLOW)
  await expect(page.getByRole('heading', { name: 'payments' })).toBeVisible()
})

test('many sheets have a header row each, and keep them while the file is read again', async ({ page }) => {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(fixture('two-sheets.xlsx'))
  const file = region(page, 'two-sheets.xlsx')
  const fields = await openReading(file)
  const rows = fields.getByRole('textbox', { name: /^Header row of/ })
  const count = 2
  await expect(rows).toHaveCount(count)
  for (let i = 0; i < count; i++) await rows.nth(i).fill('2')
  for (let i = 0; i < count; i++) await expect(rows.nth(i)).toHaveValue('2')
  await expect(file).not.toHaveAttribute('data-stage', 'reading')
  for (let i = 0; i < count; i++) await expect(rows.nth(i)).toHaveValue('2')
})
