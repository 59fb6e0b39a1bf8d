import { expect, test, type Page } from './test.ts'
import { expectAccessible, expectAccessibleNarrow } from './accessible.ts'
import { download } from './page.ts'
import { button, copied as copiedCells, openSql, problem, result, rows, run, SLOW, status, tabs, write } from './sql.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const side = (page: Page, name: 'Current' | 'Pinned') => page.getByRole('region', { name: `${name} result` })
const cells = (page: Page, name: 'Current' | 'Pinned') =>
  side(page, name).getByRole('grid').getByRole('gridcell').allInnerTexts()

test('a pinned result stays beside those of later statements, which says what differs, until it’s unpinned', async ({
  page,
}) => {
  await openSql(page)
  const before = "SELECT * FROM (VALUES (1, 'open'), (2, 'paid'), (3, 'open')) AS t(id, state)"
  await rows(page, before, '3 rows')
  await button(page, 'Pin').click()
  await expect(button(page, 'Pin')).toHaveAttribute('aria-pressed', 'true')
  await expect(side(page, 'Pinned')).toBeHidden()

  await rows(page, "SELECT * FROM (VALUES (1, 'open'), (3, 'paid'), (4, 'new'), (2, 'paid')) AS t(id, state)", '4 rows')
  await expect(side(page, 'Current')).toContainText(
    '1 row more than pinned · 2 rows only here, 1 row only pinned: marked',
  )
  await expect(side(page, 'Pinned')).toContainText(before)
  await expect(side(page, 'Pinned')).toContainText('3 rows · just now')
  await expect(side(page, 'Current').getByRole('rowheader', { description: 'Not in the pinned result' })).toHaveText([
    '2',
    '3',
  ])
  await expect(side(page, 'Pinned').getByRole('rowheader', { description: 'Not in the current result' })).toHaveText([
    '3',
  ])

  // An error, another tab and other columns don't affect it.
  await run(page, 'SELECT nothing_like_that')
  await expect(problem(page)).toBeVisible()
  await expect.poll(() => cells(page, 'Pinned')).toEqual(['1', 'open', '2', 'paid', '3', 'open'])
  await page.keyboard.press('Alt+n')
  await expect(tabs(page)).toHaveCount(2)
  await expect(side(page, 'Pinned')).toBeHidden()
  await tabs(page).first().click()
  await expect.poll(() => cells(page, 'Pinned')).toEqual(['1', 'open', '2', 'paid', '3', 'open'])
  await rows(page, 'SELECT 1 AS id, 2.5 AS amount', '1 row')
  await expect(side(page, 'Current')).toContainText(
    '2 rows fewer than pinned; columns only here: amount; columns only pinned: state',
  )

  await side(page, 'Pinned').getByRole('button', { name: 'Unpin' }).click()
  await expect(side(page, 'Pinned')).toBeHidden()
  await expect(page.getByRole('grid', { name: 'Result' }).getByRole('gridcell')).toHaveText(['1', '2.5'])
})

test('several results stay beside later ones, and the current one is compared with any of them', async ({ page }) => {
  await openSql(page)
  for (const most of [1, 2, 3, 4]) {
    await rows(page, `SELECT range AS n FROM range(${most})`, most === 1 ? '1 row' : `${most} rows`)
    await button(page, 'Pin').click()
    await expect(button(page, 'Pin')).toHaveAttribute('aria-pressed', 'true')
  }
  await rows(page, 'SELECT range AS n FROM range(1, 4)', '3 rows')
  await expect(button(page, 'Pin')).toBeDisabled()
  await expect(button(page, 'Pin')).toHaveAttribute('title', '4 results are pinned: unpin one first')
  const pinned = (at: number) => page.getByRole('region', { name: `Pinned result ${at}` })
  await expect(side(page, 'Current')).toContainText(
    'Compared with “Pinned 4”: 1 row fewer than pinned · 1 row only pinned',
  )
  await expect(pinned(4).getByRole('rowheader', { description: 'Not in the current result' })).toHaveText(['1'])
  await expect(pinned(4).getByRole('button', { name: 'Compare' })).toHaveAttribute('aria-pressed', 'true')
  await pinned(2).getByRole('button', { name: 'Compare' }).press('Enter')
  await expect(side(page, 'Current')).toContainText(
    'Compared with “Pinned 2”: 1 row more than pinned · 2 rows only here, 1 row only pinned: marked',
  )
  await expect(page.getByRole('rowheader', { description: 'Not in the current result' })).toHaveText(['1'])
  await expectAccessible(page, 'several pinned results')
  await pinned(1).getByRole('button', { name: 'Unpin' }).click()
  await expect(side(page, 'Pinned')).toHaveCount(3)
  await expect(button(page, 'Pin')).toBeEnabled()
  await button(page, 'Chart').click()
  await expect(page.getByRole('region', { name: 'Chart' })).toHaveCount(4)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessibleNarrow(page, 'several pinned results below each other')
})

test('a pinned result is looked at by keyboard, and exported; it can’t be sorted by the tab’s statement', async ({
  page,
}) => {
  await openSql(page)
  await rows(page, 'SELECT range AS n FROM range(3)', '3 rows')
  await button(page, 'Pin').press('Enter')
  await rows(page, 'SELECT range AS n FROM range(3) ORDER BY n DESC', '3 rows')
  await expect(side(page, 'Current')).toContainText('As many rows as pinned · The same rows in another order')
  const pinned = side(page, 'Pinned').getByRole('grid', { name: 'Pinned result' })
  await pinned.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Sort descending' })).toBeDisabled()
  await expect(page.getByRole('menu')).toContainText('A pinned result stays as it is')
  await page.keyboard.press('Escape')
  await side(page, 'Pinned').getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /^JSON/ }).first().click()
  const receipt = page.getByRole('dialog').getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('3 rows', SLOW)
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'a pinned result beside another one')
  const widths = async () =>
    Promise.all(
      (['Current', 'Pinned'] as const).map(async (name) => (await side(page, name).boundingBox())?.width ?? 0),
    )
  // The window is wide again after the accessibility check, which had made it narrow.
  await expect.poll(async () => (await widths()).reduce((sum, width) => sum + width)).toBeLessThan(1440)
  const [before = 0] = await widths()
  const splitter = page.getByRole('separator', { name: 'Width of the current result' })
  await splitter.focus()
  await page.keyboard.press('ArrowRight')
  await expect(splitter).toHaveAttribute('aria-valuenow', '54')
  await expect.poll(async () => (await widths())[0]).toBeGreaterThan(before)
  const place = (await splitter.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await page.mouse.down()
  await page.mouse.move(place.x - 200, place.y + place.height / 2)
  await page.mouse.up()
  await expect.poll(async () => (await widths())[0]).toBeLessThan(before)
  await splitter.dblclick()
  await expect(splitter).toHaveAttribute('aria-valuenow', '50')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessibleNarrow(page, 'a pinned result below another one')
  await write(page, '')
})

test('details beside the grid show all of the cell that the keyboard is at, and its row', async ({ page }) => {
  await openSql(page)
  await rows(
    page,
    `SELECT * FROM (VALUES
      (12345678901234567890123::HUGEINT, {'city': 'Oslo', 'tags': [1, NULL]}, 'one' || chr(10) || 'two', from_hex('48690a')),
      (2, NULL, '', NULL)) AS t(id, place, note, raw)`,
    '2 rows',
  )
  const details = page.getByRole('complementary', { name: 'Details' })
  const grid = page.getByRole('grid', { name: 'Result' })
  await grid.focus()
  await page.keyboard.press('Enter')
  await expect(details.getByRole('heading', { name: 'id HUGEINT' })).toBeVisible()
  await expect(details.getByLabel('Value')).toHaveText('12345678901234567890123')
  await expect(grid).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(details.getByText('"Oslo"', { exact: true })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  expect(await details.getByLabel('Value').textContent()).toBe('one\ntwo')
  await page.keyboard.press('ArrowRight')
  await expect(details.getByLabel('Bytes')).toContainText('48 69 0a')
  await page.keyboard.press('ArrowDown')
  await expect(details).toContainText('NULL: no value')
  const row = details.getByRole('region', { name: 'Row' })
  await expect(row.getByRole('heading', { name: 'Row 2' })).toBeVisible()
  await expect(row.getByRole('listitem')).toHaveText(['id2', 'placeNULL', 'noteempty', 'rawNULL'])
  await row.getByRole('button', { name: 'note' }).click()
  await expect(details).toContainText('Empty: text of no length')

  await page.evaluate(() => navigator.clipboard.writeText(''))
  await row.getByRole('button', { name: 'Copy row' }).click()
  const copied = (): Promise<unknown> => page.evaluate(async () => JSON.parse(await navigator.clipboard.readText()))
  await expect.poll(copied).toEqual([{ id: 2, place: null, note: '', raw: null }])
  await expectAccessible(page, 'details')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessibleNarrow(page, 'details below the grid')
  await details.getByRole('button', { name: /^Close details/ }).focus()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(grid).toBeFocused()
})

test('a result is filtered by a range over the histogram, and by values that are found among all', async ({ page }) => {
  await openSql(page)
  await rows(
    page,
    "SELECT range AS n, DATE '2024-01-01' + range::INTEGER AS day, 'city ' || range % 300 AS city FROM range(1000)",
    '1,000 rows',
  )
  const dialog = page.getByRole('dialog')
  const filter = async (name: string): Promise<void> => {
    await page.getByRole('columnheader', { name: new RegExp(`^${name}`) }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter…' }).click()
    await expect(dialog).toBeVisible()
  }
  await expect(page.getByRole('img', { name: /^0 to 999/ })).toBeVisible()
  await filter('n')
  const bars = dialog.getByRole('img', { name: 'How the values from 0 to 999 are spread' })
  const box = await bars.boundingBox()
  if (!box) throw new Error('no histogram')
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const
  await page.mouse.move(...at(0.275))
  await page.mouse.down()
  await page.mouse.move(...at(0.475))
  await page.mouse.up()
  await expect(dialog.getByRole('textbox', { name: 'From' })).toHaveValue('250')
  await expect(dialog.getByRole('textbox', { name: 'To' })).toHaveValue('500')
  await expectAccessible(page, 'a range')
  await dialog.getByRole('button', { name: 'Filter' }).click()
  await expect(status(page)).toContainText('251 rows', SLOW)
  await expect(page.getByRole('list', { name: 'Filters' }).getByRole('listitem')).toHaveText(['n >= 250', 'n <= 500'])

  await filter('day')
  await dialog.getByRole('textbox', { name: 'From' }).fill('2024-12-01')
  await dialog.getByRole('textbox', { name: 'From' }).press('Enter')
  await expect(status(page)).toContainText('166 rows', SLOW)

  await filter('city')
  await expect(dialog.getByRole('combobox', { name: 'Rows where it' })).toHaveValue('one-of')
  await dialog.getByRole('searchbox', { name: 'Search values' }).fill('CITY 4')
  await dialog.getByRole('checkbox', { name: 'city 40 (1)' }).check()
  await dialog.getByRole('checkbox', { name: 'city 49 (1)' }).check()
  await expectAccessible(page, 'values')
  await dialog.getByRole('button', { name: 'Filter' }).click()
  await expect(status(page)).toContainText('2 rows', SLOW)
})

test('a result and its chart are one web page, in which nothing of the values acts', async ({ page, context }) => {
  await openSql(page)
  const evil = `<script>document.title = 'acted'</script><img src=x onerror="document.title = 'acted'">`
  await rows(
    page,
    `SELECT * FROM (VALUES ('${evil.replaceAll("'", "''")}', 1), (NULL, 2.5)) AS t("<b>name", n)`,
    '2 rows',
  )
  const opened = await context.newPage()
  const asked: string[] = []
  opened.on('request', (request) => void asked.push(request.url()))
  const read = async (path: string, charts: number): Promise<void> => {
    await opened.goto(`file://${path}`)
    await expect(opened.getByRole('heading', { level: 1 })).toHaveText('Query 1')
    await expect(opened.getByRole('cell')).toHaveText([evil, '1.0', 'NULL', '2.5'])
    await expect(opened.getByRole('columnheader')).toHaveText([/^<b>name/, /^n/])
    await expect(opened.locator('figure svg')).toHaveCount(charts)
    await expectAccessible(opened, 'a report')
    expect(await opened.title()).toBe('Query 1')
  }
  await button(page, 'Export').click()
  const table = await download(page, page.getByRole('menuitem', { name: 'Web page' }))
  await read(table.path, 0)

  await button(page, 'Chart').click()
  await expect(page.getByRole('region', { name: 'Chart' }).locator('svg rect').first()).toBeVisible(SLOW)
  await button(page, 'Save picture').click()
  const chart = await download(page, button(page, 'Web page'))
  await read(chart.path, 1)
  // In dark mode, an image on white has no other white around it than its margin.
  const width = async (part: string): Promise<number> => (await opened.locator(part).boundingBox())?.width ?? NaN
  expect((await width('figure')) - (await width('figure svg'))).toBeLessThan(20)
  expect(asked).toEqual([table, chart].map(({ path }) => `file://${encodeURI(path)}`))
})

test('times with a zone are read and shown in the session’s time zone', async ({ page }) => {
  await openSql(page)
  await run(page, "SET TimeZone = 'Europe/Berlin'")
  await expect(status(page)).toContainText('Done', SLOW)
  await expect(result(page)).toContainText('Times with a zone are read and shown in Europe/Berlin')
  await rows(
    page,
    "SELECT z, z::DATE::VARCHAR, date_trunc('day', z), '2024-07-01 00:30' = z FROM (SELECT TIMESTAMPTZ '2024-06-30 22:30:00+00' AS z)",
    '1 row',
  )
  expect(await copiedCells(page)).toEqual([['2024-07-01 00:30:00+02', '2024-07-01', '2024-07-01 00:00:00+02', 'true']])
})

test('on a phone, the toolbar is no higher while a statement runs', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  const height = async (): Promise<number | undefined> =>
    (await page.getByRole('toolbar', { name: 'Query', exact: true }).boundingBox())?.height
  const idle = await height()
  await run(page, 'SELECT count(*) FROM range(100000000000) WHERE hash(range) = 7')
  await expect(button(page, 'Cancel')).toBeVisible()
  expect(await height()).toBe(idle)
  await button(page, 'Cancel').click()
  await expect(status(page)).toContainText('Cancelled', SLOW)
})
