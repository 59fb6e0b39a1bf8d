import { expect, test, type Locator } from './test.ts'
import { button, grid, openSql, rows, SLOW, status, write } from './sql.ts'

/* On the SQL screen, nothing is cut off, covers something else, or scrolls out of view by itself. */

const PHONE = { width: 390, height: 844 }

/** Checks that an element is completely within another one. */
async function expectWithin(inner: Locator, outer: Locator): Promise<void> {
  const [small, large] = [await inner.boundingBox(), await outer.boundingBox()]
  if (!small || !large) throw new Error('one of them isn’t shown')
  expect(small.y).toBeGreaterThanOrEqual(large.y)
  expect(small.y + small.height).toBeLessThanOrEqual(large.y + large.height)
}

test('fields of parameters, and what is wrong with them, are seen whole', async ({ page }) => {
  await openSql(page)
  await write(page, 'SELECT $least AS least, $city AS city')
  const form = page.getByRole('form', { name: 'Parameters' })
  const separator = page.getByRole('separator', { name: 'Height of the editor' })
  await expect(form.getByLabel('$city', { exact: true })).toBeVisible(SLOW)
  await form.getByLabel('Type of $least').selectOption('BIGINT')
  await form.getByLabel('$least', { exact: true }).fill('abc')
  const wrong = form.getByText('A whole number, such as 42.')
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await page.setViewportSize(size)
    await wrong.scrollIntoViewIfNeeded()
    await expectWithin(wrong, form)
    const [box, line] = [await form.boundingBox(), await separator.boundingBox()]
    if (!box || !line) throw new Error('one of them isn’t shown')
    expect(box.y + box.height).toBeLessThanOrEqual(line.y + line.height)
  }
  // An invalid field doesn't move the next one.
  await page.setViewportSize({ width: 1440, height: 900 })
  const [first, second] = await Promise.all(
    ['$least', '$city'].map((name) => form.getByLabel(name, { exact: true }).boundingBox()),
  )
  expect(second?.y).toBe(first?.y)
  await button(page, 'Run').click()
  await expect(page.getByRole('alert')).toContainText('Fill it in below the editor')
})

test('long lines go behind the line numbers, and a filter shows the statement from its beginning', async ({ page }) => {
  await openSql(page)
  const long = `SELECT i AS id, ${Array.from({ length: 40 }, (_, i) => `i + ${i} AS column_${i}`).join(', ')} FROM range(9) t(i)`
  await rows(page, long, '9 rows')
  const scroller = page.locator('.cm-scroller')
  expect(await scroller.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  const ground = await page.locator('.cm-gutters').evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(ground).not.toMatch(/transparent|, 0\)|\/ 0\)/)
  await grid(page).getByRole('gridcell').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Exclude rows with/ }).click()
  await expect(status(page)).toContainText('8 rows', SLOW)
  expect(await scroller.evaluate((element) => element.scrollLeft)).toBe(0)
})

test('a plan has a way back to the rows; on a phone a value’s details are seen whole', async ({ page }) => {
  await openSql(page)
  await rows(page, "SELECT 'north' AS region", '1 row')
  await button(page, 'Explain').click()
  await page.getByRole('menuitem', { name: 'Show the plan' }).click()
  await expect(page.getByRole('tree', { name: 'Steps of the plan' })).toBeVisible(SLOW)
  await expect(button(page, 'Pin')).toBeHidden()
  await button(page, 'Show the rows').click()
  await page.setViewportSize(PHONE)
  await grid(page).getByRole('gridcell').first().click()
  await page.keyboard.press('Enter')
  const value = page.getByRole('complementary', { name: 'Details' }).locator('pre')
  await expect(value).toHaveText('north')
  const { seen, whole } = await value.evaluate((element) => ({
    seen: element.clientHeight,
    whole: element.scrollHeight,
  }))
  expect(seen).toBeGreaterThanOrEqual(whole)
})

test('titles of a chart’s axes lie beside its names and are seen whole', async ({ page }) => {
  await openSql(page)
  await rows(
    page,
    "SELECT a, b, 1.5 AS amount FROM (VALUES ('x'), ('y'), ('z')) s(a), (VALUES ('k'), ('l'), ('m')) t(b)",
    '9 rows',
  )
  await button(page, 'Chart').click()
  const chart = page.getByRole('region', { name: 'Chart' })
  await chart.getByRole('combobox', { name: 'Chart', exact: true }).selectOption('heatmap')
  const picture = chart.getByRole('img')
  await expect(picture).toHaveAccessibleName(/Heat map/, SLOW)
  const boxes = async (name: string) => {
    const found = await picture.locator(`[aria-label="${name}"] text`).all()
    return Promise.all(found.map((each) => each.boundingBox()))
  }
  await expect(picture.locator('[aria-label="y-axis label"]')).toBeVisible()
  const [title] = await boxes('y-axis label')
  for (const name of await boxes('y-axis tick label')) {
    if (!title || !name) throw new Error('one of them isn’t shown')
    const apart = title.y + title.height <= name.y || title.x + title.width <= name.x
    expect(apart).toBe(true)
  }
  await expectWithin(picture.locator('[aria-label="x-axis label"]'), picture)
})
