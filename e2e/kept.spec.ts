import { expect, test } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { killRenderers } from './bench/crash.ts'
import { filesIn, smallDisk } from './full-disk.ts'
import {
  button,
  column,
  editor,
  openSql,
  problem,
  refusal,
  result,
  rows,
  run,
  SLOW,
  status,
  tree,
  write,
} from './sql.ts'

const FOLDER = 'local-tables'

test('a table in my stays when the page is loaded again, with what was changed in it', async ({ page }) => {
  await openSql(page)
  await run(page, 'CREATE TABLE my.t AS SELECT 42 AS answer')
  await expect(result(page)).toContainText('Created the table my.t with 1 row, which stays in this browser.', SLOW)
  await expect(tree(page).getByRole('treeitem', { name: 'My tables' })).toBeVisible()
  await expect(tree(page).getByRole('treeitem', { name: 't, 1 row' })).toBeVisible()
  await page.reload()
  await rows(page, 'FROM my.t', '1 row')
  expect(await column(page, 0, 1)).toEqual(['42'])
  await run(page, 'INSERT INTO my.t VALUES (43)')
  await expect(result(page)).toContainText('Added 1 row to the table my.t', SLOW)
  await page.reload()
  await rows(page, 'FROM my.t ORDER BY answer DESC', '2 rows')
  expect(await column(page, 0, 2)).toEqual(['43', '42'])
  expect(await filesIn(page, FOLDER)).toHaveLength(1)
})

test('two windows see a table as it is, and none loses what the other one changed', async ({ page, context }) => {
  await openSql(page)
  await run(page, 'CREATE TABLE my.t AS SELECT 1 AS i')
  await expect(result(page)).toContainText('Created', SLOW)
  const other = await context.newPage()
  await openSql(other)
  await rows(other, 'FROM my.t', '1 row')
  await run(other, 'BEGIN')
  await expect(result(other)).toContainText('A transaction has begun', SLOW)
  await run(other, 'UPDATE my.t SET i = 20')
  await expect(result(other)).toContainText('Changed 1 row', SLOW)
  await run(page, 'INSERT INTO my.t VALUES (2)')
  await expect(result(page)).toContainText('Added 1 row', SLOW)
  expect(await refusal(other, 'COMMIT')).toContain('changed my.t meanwhile')
  for (const window of [page, other]) {
    await rows(window, 'FROM my.t ORDER BY i', '2 rows')
    expect(await column(window, 0, 2)).toEqual(['1', '2'])
  }
  await run(other, 'UPDATE my.t SET i = i * 10')
  await expect(result(other)).toContainText('Changed 2 rows', SLOW)
  await rows(page, 'FROM my.t ORDER BY i DESC', '2 rows')
  expect(await column(page, 0, 2)).toEqual(['20', '10'])
  await expect.poll(() => filesIn(page, FOLDER)).toHaveLength(1)
})

test('on a full disk a statement and a COMMIT fail, and the table is as it was', async ({ page }) => {
  await openSql(page)
  await run(page, 'CREATE TABLE my.t AS SELECT 1 AS i')
  await expect(result(page)).toContainText('Created', SLOW)
  const many = 'INSERT INTO my.t SELECT (hash(i) % 2147483647)::INTEGER FROM range(2000000) r(i)'
  const leaveRoom = await smallDisk(page)
  await leaveRoom(300_000)
  expect(await refusal(page, many)).toMatch(/full/)
  await run(page, 'BEGIN')
  await expect(result(page)).toContainText('A transaction has begun', SLOW)
  await run(page, many)
  await expect(result(page)).toContainText('Added 2,000,000 rows', SLOW)
  expect(await refusal(page, 'COMMIT')).toMatch(/full/)
  await leaveRoom(null)
  await rows(page, 'FROM my.t', '1 row')
  await expect(problem(page)).toHaveCount(0)
  await page.reload()
  await rows(page, 'SELECT count(*) AS n FROM my.t', '1 row')
  expect(await column(page, 0, 1)).toEqual(['1'])
  await run(page, many)
  await expect(status(page)).toContainText('Done', SLOW)
  await rows(page, 'FROM my.t', '2,000,001 rows')
})

test('its tables are in the tree and in completion, and keys alone name, rename and remove one', async ({ page }) => {
  await openSql(page)
  await run(page, 'CREATE TABLE my.orders AS SELECT 7 AS total, DATE \'2024-01-31\' AS "ship day"')
  await expect(result(page)).toContainText('Created the table my.orders', SLOW)
  await write(page, '')
  await page.keyboard.type('select  from my.')
  const list = page.getByRole('listbox')
  await expect(list.getByRole('option').first()).toHaveText(/^orders/, SLOW)
  // A list that has just opened takes no keys, since they may be meant for the text.
  await page.waitForTimeout(150)
  await page.keyboard.press('Enter')
  await expect(editor(page)).toHaveText('select  from my.orders')
  await page.keyboard.press('Home')
  for (let i = 0; i < 'select '.length; i++) await page.keyboard.press('ArrowRight')
  await page.keyboard.type('sh')
  await expect(list.getByRole('option').first()).toHaveText(/^ship day/, SLOW)
  await page.waitForTimeout(150)
  await page.keyboard.press('Enter')
  await expect(editor(page)).toHaveText('select "ship day" from my.orders')
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('1 row', SLOW)

  await expectAccessible(page, 'the tree with tables that stay')
  const line = (name: string | RegExp) => tree(page).getByRole('treeitem', { name })
  await line('My tables').focus()
  await page.keyboard.press('ArrowDown')
  await expect(line('orders, 1 row')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(line(/^ship day/)).toBeVisible()
  await page.keyboard.press('F2')
  await page.getByRole('dialog').getByRole('textbox').fill('sold')
  await page.keyboard.press('Enter')
  await expect(line('sold, 1 row')).toBeVisible()
  await rows(page, 'SELECT total FROM my.sold', '1 row')
  await line('sold, 1 row').focus()
  await page.keyboard.press('Delete')
  await expect(line('My tables')).toHaveCount(0)
  expect(await refusal(page, 'FROM my.sold')).toContain('There is no table my.sold')
})

test('a window that ends between a table’s file and its record leaves the table as it was', async ({
  page,
  context,
  browser,
}) => {
  test.setTimeout(300_000)
  await openSql(page)
  await run(page, 'CREATE TABLE my.t AS SELECT 1 AS i')
  await expect(result(page)).toContainText('Created', SLOW)
  const kept = await filesIn(page, FOLDER)
  let window = page
  for (const sql of ['INSERT INTO my.t VALUES (2)', 'CREATE TABLE my.u AS SELECT 2 AS i', 'DROP TABLE my.t']) {
    await window.evaluate(holdRecords)
    const held = window.waitForEvent('console', { predicate: (said) => said.text() === 'record', ...SLOW })
    await write(window, sql)
    // The page may hang before it has confirmed that the key is up; then this never settles.
    window.keyboard.press('Control+Enter').catch(() => undefined)
    await held
    const crashed = window.waitForEvent('crash')
    await killRenderers(browser)
    await crashed
    await window.close().catch(() => undefined)
    window = await context.newPage()
    await openSql(window)
    await rows(window, 'FROM my.t', '1 row')
    expect(await column(window, 0, 1)).toEqual(['1'])
    expect(await refusal(window, 'FROM my.u')).toContain('There is no table my.u')
    await expect.poll(() => filesIn(window, FOLDER), SLOW).toEqual(kept)
  }
  await run(window, 'INSERT INTO my.t VALUES (3)')
  await expect(result(window)).toContainText('Added 1 row', SLOW)
})

test('cancelled while a large table is written, a statement leaves nothing', async ({ page }) => {
  await openSql(page)
  await run(page, 'CREATE TABLE my.t AS SELECT 1 AS i')
  await expect(result(page)).toContainText('Created', SLOW)
  const kept = await filesIn(page, FOLDER)
  for (const sql of [
    'INSERT INTO my.t SELECT hash(i) % 1000000000 FROM range(8000000) r(i)',
    "CREATE TABLE my.u AS SELECT i, hash(i) AS h, 'name ' || hash(i) AS name FROM range(3000000) r(i)",
  ]) {
    await run(page, sql)
    await expect.poll(() => filesIn(page, FOLDER), SLOW).not.toEqual(kept)
    await button(page, 'Cancel').click()
    await expect(status(page)).toContainText('Cancelled', SLOW)
    await rows(page, 'FROM my.t', '1 row')
    expect(await refusal(page, 'FROM my.u')).toContain('There is no table my.u')
  }
  await page.reload()
  await rows(page, 'FROM my.t', '1 row')
  await expect.poll(() => filesIn(page, FOLDER), SLOW).toEqual(kept)
})

/** From now on the page hangs when it writes a table's record, and reports that. By then, only the file is written. */
function holdRecords(): void {
  const begin = Reflect.get(IDBDatabase.prototype, 'transaction')
  IDBDatabase.prototype.transaction = function (names, mode, options) {
    if (names === 'locals' && mode === 'readwrite') {
      console.log('record')
      for (;;);
    }
    return begin.call(this, names, mode, options)
  }
}
