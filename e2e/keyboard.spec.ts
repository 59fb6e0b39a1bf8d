import { expect, test, type Page } from './test.ts'
import { axeOn } from './accessible.ts'
import { expectFocusIn, fixture } from './page.ts'
import { button, editor, grid, openSql, run, SLOW, status, tabs, write } from './sql.ts'

/* Whole jobs by keyboard alone, and what axe finds in states that only last while something is open. */

/** Presses Tab, or Shift+Tab, until the element with that role and name has the focus. */
async function tabTo(page: Page, role: 'button' | 'combobox' | 'link' | 'tab', name: string | RegExp, key = 'Tab') {
  const wanted = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'))
  for (let presses = 0; presses < 100 && (await wanted.count()) === 0; presses++) await page.keyboard.press(key)
  await expect(wanted).toBeFocused()
}

/** What assistive technology was told, without being asked. */
const announced = (page: Page) => page.locator('[aria-live=polite][aria-atomic=true]')

async function expectNothingSerious(page: Page): Promise<void> {
  const { violations } = await axeOn(page).analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
}

test('three sheets become three files by keyboard alone, and the focus is never lost', async ({ page }) => {
  await page.goto('/convert')
  page.on('filechooser', (chooser) => void chooser.setFiles(fixture('quarters.xlsx')))
  const input = page.getByLabel('Add files')
  await expect(input).toBeVisible()
  while (!(await input.and(page.locator(':focus')).count())) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Apply all proposals' })).toBeVisible()
  await tabTo(page, 'button', 'Apply all proposals')
  await page.keyboard.press('Enter')
  await expect(page.getByText('3 proposals applied.')).toBeVisible()
  await tabTo(page, 'combobox', 'Convert to', 'Shift+Tab')
  await page.keyboard.press('c')
  await tabTo(page, 'button', 'Convert')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeFocused()
  const made = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await made).suggestedFilename()).toBe('quarters.zip')
})

test('a result is sorted, filtered and looked at by keyboard alone; menus have nothing serious', async ({ page }) => {
  await openSql(page)
  await run(page, 'SELECT i AS id, i % 7 AS rest FROM range(50) t(i)')
  await expect(status(page)).toContainText('50 rows', SLOW)
  await page.keyboard.press('Escape')
  while (!(await grid(page).and(page.locator(':focus')).count())) await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: /^Show details/ })).toBeVisible()
  await expectNothingSerious(page)
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible()
  await expect(announced(page)).toHaveText('Details are beside the rows. Escape closes them.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: 'Details' })).toBeHidden()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Filter…' })).toBeVisible()
  await page.keyboard.type('Fil')
  await page.keyboard.press('Enter')
  await expectFocusIn(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(status(page)).not.toContainText('previous', SLOW)
  await expect(grid(page).getByRole('columnheader', { name: /^id/ })).toHaveAttribute('aria-sort', 'ascending')

  // The tab is renamed in place.
  await tabs(page).first().focus()
  await page.keyboard.press('F2')
  await expect(page.getByRole('textbox', { name: 'Name of the query' })).toBeFocused()
  await expectNothingSerious(page)
  await page.keyboard.type('Remainders')
  await page.keyboard.press('Enter')
  await expect(tabs(page).first()).toHaveText('Remainders')
  await expect(tabs(page).first()).toBeFocused()
})

test('a screen that one goes to, and an operation of the API, are announced', async ({ page }) => {
  await page.goto('/convert')
  await tabTo(page, 'link', 'Datasets')
  await page.keyboard.press('Enter')
  await expect(announced(page)).toHaveText('Datasets')
  await page.goto('/reference')
  await tabTo(page, 'link', /List datasets/)
  await page.keyboard.press('Enter')
  await expect(announced(page)).toHaveText('List datasets · API reference')
})

test('a new tab is there for the next key', async ({ page }) => {
  await openSql(page)
  await write(page, 'SELECT 1')
  const shown = await button(page, 'New query').evaluate(async (element: HTMLElement) => {
    element.click()
    // A key that is pressed next would be another task.
    for (let turn = 0; turn < 100; turn++) await Promise.resolve()
    return document.querySelector('[aria-label=Queries] [aria-selected=true]')?.textContent
  })
  expect(shown).toContain('Query 2')
  await page.keyboard.insertText('SELECT 2')
  await expect(editor(page)).toHaveText('SELECT 2')
  await tabs(page).filter({ hasText: 'Query 1' }).click()
  await expect(editor(page)).toHaveText('SELECT 1')
})
