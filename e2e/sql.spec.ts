import { expect, test, type Page } from './test.ts'
import { expectAccessible, expectAccessibleNarrow } from './accessible.ts'
import { create, textFile } from './datasets.ts'
import { nativeRows, nativeTypes, quoted } from './native.ts'
import { download, drop, expectWithin, fixture } from './page.ts'
import {
  button,
  column,
  copied,
  editor,
  grid,
  openSql,
  people,
  problem,
  refusal,
  result,
  rows,
  run,
  SLOW,
  status,
  tabs,
  tree,
  write,
} from './sql.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const customers = fixture('customers.csv')

test('a dataset stands in the tree; its rows are exact, sorted and filtered by SQL, and leave as Parquet', async ({
  page,
}) => {
  await create(page, 'Shop', 'customers.csv')
  await page.getByRole('link', { name: 'SQL', exact: true }).click()
  const table = tree(page).getByRole('treeitem', { name: 'customers, 500 rows' })
  await expect(table).toBeVisible(SLOW)
  await table.click()
  await expect(tree(page).getByRole('treeitem', { name: /^customer_no, / })).toBeVisible()
  await write(page, 'SELECT customer_no, name, balance FROM ')
  await table.focus()
  await page.keyboard.press('Enter')
  await expect(editor(page)).toContainText(/FROM \S*Shop\S*\.customers/)
  await editor(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('500 rows', SLOW)
  await expect(status(page)).toContainText(/in this browser/)
  expect(await copied(page)).toEqual(
    await nativeRows(`SELECT customer_no, name, balance::VARCHAR FROM read_csv(${quoted(customers)},
      types={'customer_no': 'VARCHAR', 'balance': 'DECIMAL(7,2)'})`),
  )

  await grid(page)
    .getByRole('columnheader', { name: /^balance/ })
    .click()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Sort descending' }).click()
  await expect(editor(page)).toContainText(/ORDER BY.*balance.* DESC/s)
  const [[most]] = (await nativeRows(
    `SELECT max(balance)::DECIMAL(7,2)::VARCHAR FROM read_csv(${quoted(customers)})`,
  )) as [[string]]
  await expect.poll(async () => (await copied(page))[0]?.[2], SLOW).toBe(most)

  await button(page, 'Export').click()
  await page
    .getByRole('menuitem', { name: /^Parquet/ })
    .first()
    .click()
  const exporting = page.getByRole('dialog')
  await expect(exporting.getByRole('region', { name: 'Receipt' })).toContainText('500 rows', SLOW)
  const file = await download(page, exporting.getByRole('button', { name: 'Download' }))
  expect(await nativeTypes(`SELECT * FROM ${quoted(file.path)}`)).toEqual([
    ['customer_no', 'VARCHAR'],
    ['name', 'VARCHAR'],
    ['balance', 'DECIMAL(7,2)'],
  ])
  expect(await nativeRows(`SELECT count(*), sum(balance)::VARCHAR FROM ${quoted(file.path)}`)).toEqual(
    await nativeRows(
      `SELECT count(*), sum(balance)::VARCHAR FROM read_csv(${quoted(customers)}, types={'balance': 'DECIMAL(7,2)'})`,
    ),
  )
})

test('what is wrong is said with its place, underlined, and with names that may be meant', async ({ page }) => {
  const table = await people(page)
  await openSql(page)
  await expect(tree(page).getByRole('treeitem', { name: 't, 3 rows' })).toBeVisible(SLOW)
  await tree(page).getByRole('treeitem', { name: 't, 3 rows' }).dblclick()
  await expect(editor(page)).toContainText(/^FROM \S+\.t$/)
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('3 rows', SLOW)
  await refusal(page, `SELECT CAST(name AS INTEGER) FROM ${table}`)
  await expect(status(page)).not.toContainText('0 rows')
  await expect(grid(page)).toHaveCount(0)
  const said = await refusal(page, `SELECT id,\n  nmae\nFROM ${table}`)
  expect(said).toMatch(/nmae/)
  expect(said.match(/\bname\b/g)).toHaveLength(1)
  await expect(problem(page).getByRole('button', { name: 'Go to line 2' })).toBeVisible()
  await expect(editor(page).locator('.cm-lintRange-error', { hasText: 'nmae' })).toBeVisible()
  await problem(page).getByRole('button', { name: 'Go to line 2' }).click()
  await page.keyboard.insertText('name')
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('3 rows', SLOW)
  expect(await copied(page)).toEqual([
    ['1', 'Ann'],
    ['2', 'Bob'],
    ['3', "O'Neil, Zoë"],
  ])
  await expect(problem(page)).toHaveCount(0)
  // Checked even before anything has run.
  await write(page, `SELECT id FORM ${table};\n`)
  await expect(editor(page).locator('.cm-lintRange-error').first()).toBeVisible(SLOW)
})

test('a runaway join is cancelled, and the next statement runs', async ({ page }) => {
  await openSql(page)
  const cancel = button(page, 'Cancel')
  await expectWithin(5000, async () => {
    await run(page, 'SELECT sum(a.range * b.range % 7) FROM range(1000000) a, range(1000000) b')
    await expect(cancel).toBeVisible()
    await expect(status(page)).toContainText('Runs in this browser')
    await page.waitForTimeout(1000)
    await cancel.click()
    return () => expect(status(page)).toContainText('Cancelled')
  })
  await expect(cancel).toHaveCount(0)
  await rows(page, 'SELECT 6 * 7 AS answer', '1 row')
  expect(await copied(page)).toEqual([['42']])
})

test('what would reach files, settings or datasets is refused with a reason; temporary tables are one’s own', async ({
  page,
}) => {
  const table = await people(page)
  await openSql(page)
  // Says what applies in any case, also in the editor.
  await run(page, "SET TimeZone = 'UTC'")
  await expect(result(page)).toContainText('times with a zone are in UTC already', SLOW)
  await expect(editor(page).locator('.cm-lintRange-error')).toHaveCount(0)
  for (const [statement, reason] of [
    ["COPY (SELECT 1) TO 'x.csv'", /COPY isn’t run here: .*files/],
    ["ATTACH 'x.db'", /ATTACH isn’t run here: .*files/],
    ['SET old_implicit_casting = true', /SET isn’t run here: .*settings/],
    ['INSTALL httpfs', /INSTALL isn’t run here/],
    ["SELECT * FROM read_csv('/etc/passwd')", /No file \/etc\/passwd is here: drop it/],
    ["SELECT * FROM 'https://example.com/a.parquet'", /can’t read files|example\.com/],
    [`INSERT INTO ${table} VALUES (4, 'x', 0)`, /dataset|read-only|can’t be changed/i],
    [`DROP TABLE ${table}`, /dataset|read-only|can’t be changed/i],
  ] as const) {
    expect.soft(await refusal(page, statement), statement).toMatch(reason)
  }
  await run(page, `CREATE TEMP TABLE mine AS SELECT id * 10 AS ten FROM ${table}`)
  await expect(result(page)).toContainText(/temporary table.*mine/i, SLOW)
  await rows(page, 'FROM mine ORDER BY ten', '3 rows')
  expect(await copied(page)).toEqual([['10'], ['20'], ['30']])
  await expect(tree(page).getByRole('treeitem', { name: /^mine/ })).toBeVisible()
  // An open transaction is shown, and a button ends it.
  await run(page, 'BEGIN')
  const transaction = page.getByRole('group', { name: 'Transaction' })
  await expect(transaction).toContainText('In a transaction', SLOW)
  await run(page, 'DELETE FROM mine')
  await expect(result(page)).toContainText('Removed 3 rows', SLOW)
  await expectAccessible(page, 'a transaction')
  await transaction.getByRole('button', { name: 'Roll back' }).click()
  await expect(transaction).toBeHidden(SLOW)
  await rows(page, 'FROM mine', '3 rows')
  await rows(page, `SELECT count(*) AS n FROM ${table}`, '1 row')
  expect(await copied(page)).toEqual([['3']])
})

test('tabs, what was run and what was saved outlive the page', async ({ page }) => {
  await openSql(page)
  await rows(page, "SELECT 'first' AS a", '1 row')
  await button(page, 'Save the query').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Kept')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(tabs(page).filter({ hasText: 'Kept' })).toBeVisible()
  await button(page, 'New query').click()
  await rows(page, "SELECT 'second' AS b", '1 row')
  await page.reload()
  await expect(tabs(page)).toHaveCount(2, SLOW)
  await expect(editor(page)).toContainText('second')
  await expect(grid(page)).toHaveCount(0)
  await tabs(page).filter({ hasText: 'Kept' }).click()
  await expect(editor(page)).toContainText('first')
  await page.getByRole('tab', { name: 'History', exact: true }).click()
  const history = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(history).toHaveText([/second.*1 row/s, /first.*1 row/s])
  await page.getByRole('searchbox', { name: 'Search history' }).fill('first')
  await expect(history).toHaveCount(1)
  await page.getByRole('tab', { name: 'Saved', exact: true }).click()
  await page.getByRole('list', { name: 'Saved queries' }).getByRole('button', { name: /^Kept/ }).click()
  await expect(tabs(page)).toHaveCount(3)
  await expect(editor(page)).toContainText('first')
})

test('parameters have a form, and what is in it is a value and no SQL', async ({ page }) => {
  await openSql(page)
  await write(page, 'SELECT $word || $word AS twice, $number + 1 AS next')
  const form = page.getByRole('form', { name: 'Parameters' })
  await form.getByRole('combobox', { name: 'Type of $number' }).selectOption('Integer')
  await form.getByRole('textbox', { name: '$number' }).fill('9007199254740993')
  await form.getByRole('textbox', { name: '$word' }).fill("'; DROP")
  await page.keyboard.press('Enter')
  await expect(status(page)).toContainText('1 row', SLOW)
  expect(await copied(page)).toEqual([["'; DROP'; DROP", '9007199254740994']])
  await write(page, 'SELECT ? || ? AS both')
  await expectAccessible(page, 'parameters')
  await form.getByRole('textbox', { name: '$1' }).fill('a')
  await form.getByRole('textbox', { name: '$2' }).fill('?')
  await page.keyboard.press('Enter')
  await expect.poll(() => copied(page), SLOW).toEqual([['a?']])
})

test('a plan is a tree, with rows and times once it was run; a result is a chart; SQL is laid out', async ({
  page,
}) => {
  await openSql(page)
  await write(page, "select 'k' || range % 5 as kind, count(*) as n from range(1000) group by kind order by kind")
  await button(page, 'Format').click()
  await expect(editor(page)).toContainText(/^select\s+'k' \|\| range % 5 as kind,\s+count\(\*\) as n\s*from/)
  await button(page, 'Explain').click()
  await page.getByRole('menuitem', { name: 'Explain and run' }).click()
  const plan = result(page).getByRole('tree')
  await expect(plan.getByRole('treeitem').first()).toBeVisible(SLOW)
  await expect(plan).toContainText(/order/i)
  await expect(plan).toContainText(/1,000/)
  await button(page, 'Run').click()
  await expect(status(page)).toContainText('5 rows', SLOW)
  await button(page, 'Chart').click()
  const chart = page.getByRole('region', { name: 'Chart' })
  await expect(chart.getByRole('combobox', { name: 'Chart' })).toHaveValue('bar')
  await expect(chart.locator('svg rect')).toHaveCount(5, SLOW)
})

test('a file that is dropped is a table at once, and after a reload', async ({ page }) => {
  await openSql(page)
  await drop(page, 'my codes.csv', 'id,code\n1,007\n2,042\n')
  // A file dropped on this screen is queried; on other screens, a dialog asks what to do.
  const local = tree(page).getByRole('treeitem', { name: /codes, 2 rows/ })
  await expect(local).toBeVisible(SLOW)
  await page.reload()
  await expect(local).toBeVisible(SLOW)
  await write(page, 'FROM ')
  await local.focus()
  await page.keyboard.press('Enter')
  await editor(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('2 rows', SLOW)
  expect(await copied(page)).toEqual([
    ['1', '007'],
    ['2', '042'],
  ])
})

test('files that were dropped are found by their names and paths, and the result says so', async ({ page }) => {
  await openSql(page)
  await drop(page, 'codes.csv', 'id,code\n1,007\n2,042\n')
  await expect(tree(page).getByRole('treeitem', { name: /codes, 2 rows/ })).toBeVisible(SLOW)
  await drop(page, 'more codes.csv', 'id,code\n3,100\n')
  await expect(tree(page).getByRole('treeitem', { name: /more_codes, 1 row/ })).toBeVisible(SLOW)
  await rows(page, 'FROM codes ORDER BY id', '2 rows')
  await expect(result(page)).toContainText('codes is the local table local.codes.')
  await rows(page, "SELECT codes.code FROM 'codes.csv' ORDER BY id", '2 rows')
  await expect(result(page)).toContainText('codes.csv is the local table local.codes.')
  expect(await copied(page)).toEqual([['007'], ['042']])
  await rows(page, "SELECT count(*) AS n, max(filename) AS last FROM read_csv('*.csv', filename = true)", '1 row')
  await expect(result(page)).toContainText('*.csv is 2 local tables: local.codes, local.more_codes.')
  expect(await copied(page)).toEqual([['3', 'more codes.csv']])
  await expectAccessible(page, 'what a path means')
  expect(await refusal(page, "FROM 'code.csv'")).toMatch(/No file code.csv is here: drop it on this screen.*codes.csv/s)
  expect(await refusal(page, "FROM read_csv('codes.csv', delim = ';')")).toMatch(/was read with “,” as its delimiter/)
  // The list of files opens within the quotes.
  await write(page, 'FROM ')
  await page.keyboard.type("'mo")
  await page.getByRole('option', { name: /more codes\.csv/ }).click()
  await expect(editor(page)).toHaveText("FROM 'more codes.csv'")
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('1 row', SLOW)
  expect(await copied(page)).toEqual([['3', '100']])
})

test('a link opens the SQL and runs nothing', async ({ page, context }) => {
  await openSql(page)
  await write(page, "SELECT '<b>Zoë</b>' AS shared")
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied').first()).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/sql#sql=[\w-]+$/)
  const other = await context.newPage()
  await openSql(other, link)
  await expect(editor(other)).toContainText("SELECT '<b>Zoë</b>' AS shared", SLOW)
  await expect(other.getByText('Nothing was run.')).toBeVisible()
  await expect(grid(other)).toHaveCount(0)
  expect(new URL(other.url()).hash).toBe('')
  await other.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(status(other)).toContainText('1 row', SLOW)
  expect(await column(other, 0, 1)).toEqual(['<b>Zoë</b>'])
})

test('the service runs it when that is chosen, and two windows query the same table', async ({ page, context }) => {
  const table = await people(page)
  await openSql(page)
  const json = `SELECT '{"a":[1,{"b":"ü"}]}' ->> '$.a[1].b' AS b, json_array_length(json_group_array(name)) AS n FROM ${table} UNION ALL SELECT ('{"c":[2]}' -> 'c')::VARCHAR, 0`
  const found = [
    ['ü', '3'],
    ['[2]', '0'],
  ]
  const zoned = `SELECT ((max(z) + INTERVAL 1 DAY) AT TIME ZONE 'Europe/Berlin')::VARCHAR AS b, hour(min(z)) AS h FROM (VALUES (TIMESTAMPTZ '2024-07-01 12:00:00 Asia/Tokyo')) t(z)`
  await page.getByRole('combobox', { name: 'Where' }).selectOption('The service')
  await rows(page, `SELECT count(*) AS n, sum(amount) AS s FROM ${table}`, '1 row')
  await expect(status(page)).toContainText('on the service')
  expect(await copied(page)).toEqual([['3', '3.75']])
  await rows(page, json, '2 rows')
  expect(await copied(page)).toEqual(found)
  await rows(page, zoned, '1 row')
  expect(await copied(page)).toEqual([['2024-07-02 05:00:00', '3']])
  const other = await context.newPage()
  await openSql(other)
  await run(other, `SELECT name FROM ${table} ORDER BY id`)
  await expect(status(other)).toContainText('3 rows', SLOW)
  await page.bringToFront()
  await page.getByRole('combobox', { name: 'Where' }).selectOption('This browser')
  await rows(page, `SELECT name FROM ${table} ORDER BY id DESC`, '3 rows')
  await expect(status(page)).toContainText('in this browser')
  expect((await column(page, 0, 1))[0]).toBe("O'Neil, Zoë")
  expect((await column(other, 0, 1))[0]).toBe('Ann')
  await rows(page, json, '2 rows')
  expect(await copied(page)).toEqual(found)
  await rows(page, zoned, '1 row')
  expect(await copied(page)).toEqual([['2024-07-02 05:00:00', '3']])
  // What one tab publishes appears in the other's tree.
  await create(other, 'Later', textFile('later.csv', 'id\n1\n'))
  await page.bringToFront()
  await expect(tree(page).getByRole('treeitem', { name: 'later, 1 row' })).toBeVisible(SLOW)
})

test('cells that are chosen add up; a cell’s menu keeps rows or leaves them out; an edit tells that rows are of an earlier text', async ({
  page,
}) => {
  await openSql(page)
  await rows(
    page,
    "SELECT * FROM (VALUES ('open', 1.50), ('paid', 2.25), ('open', NULL)) AS t(state, amount)",
    '3 rows',
  )
  await grid(page).focus()
  await page.keyboard.press('ArrowRight')
  for (let i = 0; i < 2; i++) await page.keyboard.press('Shift+ArrowDown')
  await expect(result(page)).toContainText(
    '3 rows × 1 column chosen · Sum 3.75 · Average 1.875 · 2 values · 1 cell NULL',
  )

  await grid(page).getByRole('gridcell', { name: 'paid' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Exclude rows with “paid”' }).click()
  await expect(status(page)).toContainText('2 rows')
  expect(await column(page, 0, 2)).toEqual(['open', 'open'])
  await grid(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Keep only rows with NULL' }).press('Enter')
  await expect(status(page)).toContainText('1 row')
  await expect(page.getByRole('list', { name: 'Filters' }).getByRole('listitem')).toHaveCount(2)

  await expect(status(page)).not.toContainText('last edit')
  await rows(page, 'SELECT 1 AS a', '1 row')
  await page.keyboard.type('2')
  await expect(status(page)).toContainText('from before your last edit')
  await page.keyboard.press('Backspace')
  await expect(status(page)).not.toContainText('last edit')
  await write(page, "SELECT date_trunc('")
  await expect(status(page)).toContainText('from before your last edit')
  const quarter = page.getByRole('option', { name: /^quarter/ })
  // Typing renders the list again, so a click may miss its target.
  await expect(async () => {
    if (!(await quarter.isVisible())) await page.keyboard.press('Control+Space')
    await quarter.click({ timeout: 5000 })
    await expect(editor(page)).toContainText("date_trunc('quarter'", { timeout: 5000 })
  }).toPass()
})

test('results with names twice, without a name, with markup and control characters are shown as they are', async ({
  page,
}) => {
  await openSql(page)
  await rows(
    page,
    `SELECT 1 AS a, 2 AS a, '<img src=x onerror=alert(1)>' AS "<i>", chr(7) || 'x' AS "  ", NULL AS n`,
    '1 row',
  )
  await expect(grid(page).getByRole('columnheader', { name: /^a/ })).toHaveCount(2)
  const cells = (await copied(page))[0] ?? []
  expect(cells.slice(0, 3)).toEqual(['1', '2', '<img src=x onerror=alert(1)>'])
  expect(cells[3]).toBe('\u0007x')
  await expect(grid(page).locator('img')).toHaveCount(0)
})

test('a dataset’s “Query” asks for its first rows in a tab of its own, and leaves what was written', async ({
  page,
}) => {
  await openSql(page)
  await write(page, 'SELECT 1 AS mine')
  await create(page, 'My "shop"', 'customers.csv')
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  await expect(editor(page)).toContainText(/SELECT \* FROM \S+\."My ""shop"""\.customers LIMIT 100/, SLOW)
  await expect(tabs(page)).toHaveCount(2)
  await editor(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('100 rows', SLOW)
  await tabs(page).first().click()
  await expect(editor(page)).toHaveText('SELECT 1 AS mine')
})

async function busyScreen(page: Page): Promise<void> {
  await openSql(page)
  await rows(page, 'SELECT range AS n, range::VARCHAR AS t, NULL AS nothing FROM range(1000)', '1,000 rows')
  await expect(grid(page).getByRole('gridcell').first()).toBeVisible()
}

test('axe finds nothing serious, in both themes and sizes', async ({ page }) => {
  await busyScreen(page)
  await expectAccessible(page, 'rows')
  await refusal(page, 'SELECT nothing_like_that')
  await expectAccessible(page, 'a problem')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Show tables and queries' }).click()
  await expectAccessibleNarrow(page, 'tables')
})
