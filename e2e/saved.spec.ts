import { readFileSync } from 'node:fs'
import { expect, test, type Page } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { download, drop } from './page.ts'
import { button, editor, grid, openSql, problem, rows, SLOW, status, write } from './sql.ts'

/* Saved queries, each with a page of its own. */

const SALES = `SELECT region, revenue FROM (VALUES ('north', 1204.5), ('south', 880), ('east', 640.25)) t(region, revenue)`

/** Saves the editor's text, and opens its page. */
async function savedPage(page: Page, name: string): Promise<void> {
  await button(page, 'Save the query').click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.keyboard.press('Enter')
  await button(page, 'Open its page').click()
  await expect(heading(page, name)).toBeVisible()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('a saved query has a page: text, rows, chart and description, which leave as one HTML file', async ({
  page,
  context,
}) => {
  await openSql(page)
  await write(page, SALES)
  await savedPage(page, 'Revenue by region')
  const address = page.url()
  expect(address).toMatch(/\/sql\/saved\/[\w-]+$/)
  await expect(page).toHaveTitle('Revenue by region · Rowhouse')
  await expect(status(page)).toContainText('3 rows', SLOW)
  await expect(page.getByRole('region', { name: 'Statement' })).toHaveText(SALES)

  await button(page, 'Add a description').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Description' }).fill('For the <b>meeting</b> on Monday.')
  await button(page, 'Save').click()
  await expect(page.getByText('For the <b>meeting</b> on Monday.')).toBeVisible()
  await button(page, 'Chart').click()
  const picture = page.getByRole('region', { name: 'Chart' }).getByRole('img')
  await expect(picture).toHaveAccessibleName(/revenue by region/, SLOW)
  await expectAccessible(page, 'a saved query’s page')

  const file = await download(page, button(page, 'Save web page'))
  expect(file.name).toBe('Revenue by region.html')
  const html = readFileSync(file.path, 'utf8')
  const alone = await context.newPage()
  const asked: string[] = []
  alone.on('request', (request) => asked.push(request.url()))
  await alone.setContent(html)
  await expect(heading(alone, 'Revenue by region')).toBeVisible()
  await expect(alone.getByText('For the <b>meeting</b> on Monday.')).toBeVisible()
  await expect(alone.locator('figure svg').first()).toBeVisible()
  await expect(alone.getByRole('row')).toHaveCount(4)
  await expect(alone.locator('pre')).toHaveText(SALES)
  expect(asked).toEqual([])

  // By its address, and by its name from anywhere.
  await page.goto('/convert')
  await page.goto(address)
  await expect(status(page)).toContainText('3 rows', SLOW)
  await expect(picture).toBeVisible(SLOW)
  await page.goto('/convert')
  await expect(heading(page, 'Convert')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('What do you want to do?').fill('revenue by')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(address)
  await expect(status(page)).toContainText('3 rows', SLOW)
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('3 rows', SLOW)
  await button(page, 'Edit in a tab').click()
  await expect(editor(page)).toContainText('SELECT region')
})

test('a query that wants a file says so, runs once it’s dropped, and is gone where another window removes it', async ({
  page,
  context,
}) => {
  await openSql(page)
  await write(page, 'SELECT count(*) AS n FROM orders')
  await savedPage(page, 'Orders')
  await expect(problem(page)).toContainText('orders', SLOW)
  await expect(button(page, 'Save web page')).toBeDisabled()
  await expectAccessible(page, 'a saved query that failed')
  await drop(page, 'orders.csv', 'id,name\n1,a\n2,b\n')
  await expect(status(page)).toContainText('1 row', SLOW)
  await expect(problem(page)).toHaveCount(0)
  await expect(grid(page).getByRole('gridcell').filter({ hasText: '2' }).first()).toBeVisible()

  const other = await context.newPage()
  await openSql(other)
  await other.getByRole('tab', { name: 'Saved' }).click()
  await button(other, 'What to do with “Orders”').click()
  await other.getByRole('menuitem', { name: 'Open its page' }).click()
  await expect(heading(other, 'Orders')).toBeVisible()
  await button(other, 'More').click()
  await other.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(heading(page, '“Orders” was removed')).toBeVisible()
  await expectAccessible(page, 'a saved query that is gone')
  await button(page, 'Put it back').click()
  await expect(heading(page, 'Orders')).toBeVisible()
  await expect(status(page)).toContainText('1 row', SLOW)
  await page.goto('/sql/saved/nobody')
  await expect(heading(page, 'That query isn’t in this browser')).toBeVisible(SLOW)
})

test('a query that changes something runs when it’s asked to, each time from the start', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  await write(page, 'CREATE TABLE few AS SELECT $from::INTEGER + i AS n FROM range(2) t(i); FROM few;')
  await savedPage(page, 'Few')
  const result = page.getByRole('region', { name: 'Result of the query' })
  await expect(result).toContainText('wasn’t run by itself')
  await button(page, 'Refresh').click()
  await expect(problem(page)).toContainText('$from')
  const from = page.getByRole('textbox', { name: '$from' })
  const cutOff = await page.getByRole('form', { name: 'Parameters' }).evaluate((e) => e.scrollHeight - e.clientHeight)
  expect(cutOff).toBe(0)
  await from.fill('40')
  await from.press('Enter')
  await expect(status(page)).toContainText('2 rows', SLOW)
  await expect(grid(page).getByRole('gridcell', { name: '41' })).toBeVisible()
  await from.fill('50')
  await page.keyboard.press('Control+Enter')
  await expect(grid(page).getByRole('gridcell', { name: '51' })).toBeVisible(SLOW)
  await expect(problem(page)).toHaveCount(0)
})

test('a value that a saved query lacks is asked for on its page, in the field that has the focus', async ({ page }) => {
  await openSql(page)
  await write(page, 'SELECT $least AS least')
  await savedPage(page, 'Least')
  const field = page.getByRole('textbox', { name: '$least' })
  await expect(field).toBeFocused(SLOW)
  await page.keyboard.type('seven')
  await page.keyboard.press('Enter')
  await expect(status(page)).toContainText('1 row', SLOW)
  await expect(grid(page)).toContainText('seven')
  await expect(field).toBeFocused()
})
