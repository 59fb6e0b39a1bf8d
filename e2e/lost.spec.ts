import { expect, test } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { button, column, openSql, refusal, result, rows, run, SLOW, status, tree } from './sql.ts'

test('what a tab had made is told when its engine is ended by force, and made again at a click', async ({ page }) => {
  await openSql(page)
  for (const [sql, said] of [
    ['CREATE TABLE a AS SELECT 42 AS answer', 'Created the temporary table a'],
    ['CREATE MACRO twice(n) AS n * 2', 'Created the macro twice'],
    ['INSERT INTO a SELECT twice(answer) FROM a', 'Added 1 row'],
  ] as const) {
    await run(page, sql)
    await expect(result(page)).toContainText(said, SLOW)
  }
  // It has no rows for a long time, and the engine can't be stopped while it runs.
  await run(page, 'FROM range(3000000) a, range(3000000) b WHERE hash(a.range, b.range) = 1')
  await expect(status(page)).toContainText('Runs in this browser', SLOW)
  // A statement that the engine hasn't started would be cancelled without ending the engine.
  await page.waitForTimeout(1000)
  await button(page, 'Cancel').click()
  await expect(status(page)).toContainText('Cancelled', SLOW)
  const again = button(page, 'Recreate')
  await expect(again).toBeVisible()
  await expect(result(page)).toContainText('Its temporary tables are gone: a.')
  await page.getByText('“Recreate” runs 3 statements').click()
  await expect(result(page).getByRole('listitem')).toHaveText([/^CREATE TABLE a/, /^CREATE MACRO/, /^INSERT/])
  await expectAccessible(page, 'what was lost')
  await expect(tree(page).getByRole('treeitem', { name: /^a/ })).toHaveCount(0)
  expect(await refusal(page, 'FROM a')).toContain('is gone')
  await again.focus()
  await page.keyboard.press('Enter')
  await expect(again).toHaveCount(0)
  await expect(result(page).getByRole('list', { name: 'Statements' }).getByRole('listitem')).toHaveText(
    [/Created the temporary table a/, /Created the macro/, /Added 1 row/],
    SLOW,
  )
  await rows(page, 'FROM a ORDER BY answer', '2 rows')
  expect(await column(page, 0, 2)).toEqual(['42', '84'])
  await expect(again).toHaveCount(0)
})

test('what a tab had made is told after a reload, made again at a click, and a statement run meanwhile comes after it', async ({
  page,
}) => {
  await openSql(page)
  await run(page, 'SELECT 1')
  await expect(status(page)).toContainText('1 row', SLOW)
  await page.reload()
  await expect(result(page)).toContainText('Rows appear here', SLOW)
  await expect(button(page, 'Leave it')).toHaveCount(0)

  for (const [sql, said] of [
    ['CREATE TABLE a AS SELECT count(*) AS answer FROM range(60000000) WHERE hash(range) % 7 < 9', 'temporary table a'],
    ['SET VARIABLE twice = 2', 'twice'],
    ['BEGIN', 'In a transaction'],
  ] as const) {
    await run(page, sql)
    await expect(result(page)).toContainText(said, SLOW)
  }
  await page.reload()
  await expect(result(page)).toContainText('Its temporary tables are gone: a.', SLOW)
  await expect(result(page)).toContainText('The open transaction is undone')
  await expectAccessible(page, 'what a reload lost')
  expect(await refusal(page, 'FROM a')).toContain('is gone')
  await button(page, 'Recreate').click()
  await rows(page, "SELECT answer * getvariable('twice') AS doubled FROM a", '1 row')
  expect(await column(page, 0, 1)).toEqual(['120000000'])
  await expect(button(page, 'Recreate')).toHaveCount(0)

  await page.reload()
  await button(page, 'Leave it').click(SLOW)
  await page.reload()
  await expect(result(page)).toContainText('Rows appear here', SLOW)
  await expect(button(page, 'Leave it')).toHaveCount(0)
})
