import { expect, test } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { button, openSql, rows, SLOW } from './sql.ts'

/* Charts of results. */

const SALES = `select * from (values
  ('north', date '2024-01-01', 1204.5, 0.12, null::double), ('south', date '2024-02-01', 880, 0.31, null),
  ('east', date '2024-03-01', 640.25, 0.22, null), ('west', date '2024-04-01', 991, 0.08, null)
) t(region, month, revenue, margin, planned)`

test('several measures stand in one chart, on two axes; what holds nothing isn’t drawn by itself', async ({ page }) => {
  await openSql(page)
  await rows(page, `select region, planned, revenue, margin from (${SALES})`, '4 rows')
  await button(page, 'Chart').click()
  const chart = page.getByRole('region', { name: 'Chart' })
  await expect(chart.getByLabel('Y', { exact: true })).toHaveValue('revenue')
  await chart.getByRole('button', { name: 'Measure' }).click()
  await expect(chart.getByLabel('Y 2', { exact: true })).toHaveValue('margin')
  await chart.getByLabel('Aggregate 2').selectOption('mean')
  await chart.getByLabel('Axis 2').selectOption('right')
  const picture = chart.getByRole('img')
  await expect(picture).toHaveAccessibleName(/revenue, margin \(right axis\) by region, 8 points/, SLOW)
  await expect(picture.locator('[aria-label="y-axis tick label"]')).toHaveCount(2)
  // A bar for each region, and one dashed line.
  await expect(picture.locator('[aria-label="bar"] rect')).toHaveCount(4)
  await expect(picture.locator('[aria-label="line"][stroke-dasharray] path')).toHaveCount(1)
  await expectAccessible(page, 'a chart with two axes')
  await page.reload()
  await rows(page, `select region, planned, revenue, margin from (${SALES})`, '4 rows')
  await expect(chart.getByLabel('Axis 2')).toHaveValue('right', SLOW)
  await chart.getByText('Show as table').click()
  await expect(chart.getByRole('table')).toContainText('0.31')
  await chart.getByRole('button', { name: 'Remove Y 2' }).click()
  await expect(chart.getByLabel('Y 2', { exact: true })).toHaveCount(0)
})
