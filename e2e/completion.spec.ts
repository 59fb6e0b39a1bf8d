import { expect, test } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { editor, openSql, run, SLOW, status, tabs, tree, write } from './sql.ts'

/* Suggestions while typing in the editor. */

test('values of a column are offered, the most frequent first, and written with their quotes', async ({ page }) => {
  await openSql(page)
  await run(
    page,
    "create temp table sales as select ['north', 'south', 'it''s', 'south'][i % 4 + 1] as region, i as id from range(8) t(i)",
  )
  await expect(status(page)).toContainText('Done', SLOW)
  await expect(tree(page)).toContainText('sales')
  const list = page.getByRole('listbox')
  await write(page, '')
  await page.keyboard.type('select * from sales where region = ')
  await expect(list.getByRole('option')).toHaveText([/^south4$/, /^it's2$/, /^north2$/], { timeout: 15_000 })
  await expectAccessible(page, 'the editor with values')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(editor(page)).toHaveText("select * from sales where region = 'it''s'")
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('2 rows', SLOW)
  // Within quotes, and without values that are already in the list.
  await write(page, '')
  await page.keyboard.type("select * from sales where region in ('south', 'n")
  await expect(list.getByRole('option')).toHaveText([/^north/], SLOW)
  // A list that has just opened takes no keys, since they may be meant for the text.
  await page.waitForTimeout(150)
  await page.keyboard.press('Enter')
  await expect(editor(page)).toHaveText("select * from sales where region in ('south', 'north')")
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('6 rows', SLOW)
  // Parts of dates. When one is complete, Enter belongs to the text.
  await write(page, '')
  await page.keyboard.type('select extract(ye')
  await expect(list.getByRole('option').first()).toHaveText('year', SLOW)
  await page.keyboard.type('ar')
  await page.keyboard.press('Enter')
  await expect(editor(page).locator('.cm-line')).toHaveCount(2)
})

test('what the tree does with a temporary table it does in the tab that has it', async ({ page }) => {
  await openSql(page)
  await run(page, 'create temp table sales as select range as id from range(8)')
  const sales = tree(page).getByRole('treeitem', { name: /^sales/ })
  await expect(sales).toBeVisible(SLOW)
  await sales.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show first rows' }).click()
  await expect(editor(page).locator('.cm-line')).toHaveText([/^create temp/, ';', 'SELECT * FROM sales LIMIT 100'])
  await expect(status(page)).toContainText('8 rows', SLOW)
  await expect(tabs(page)).toHaveCount(1)
  await sales.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export “sales”' })
  await dialog.getByRole('combobox', { name: 'Format' }).selectOption('Excel')
  await dialog.getByRole('button', { name: 'Export' }).click()
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('compared: 8 rows', SLOW)
  await expectAccessible(page, 'a table that is exported')
})
