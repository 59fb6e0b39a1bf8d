import { expect, test } from './test.ts'
import { button, grid, openSql, result, rows, SLOW } from './sql.ts'

/* Selections and progress must stay visible if the person has chosen all colors. */

test('in forced colors chosen cells, menus and how far a statement is stay visible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openSql(page)
  await rows(page, 'SELECT range AS n, range * 2 AS m FROM range(100)', '100 rows')
  await grid(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  const outline = (row: number, at: number): Promise<string> =>
    grid(page)
      .locator(`[role=row][aria-rowindex="${row}"] [role=gridcell][aria-colindex="${at}"]`)
      .evaluate((cell) => `${getComputedStyle(cell).outlineStyle} ${getComputedStyle(cell).outlineWidth}`)
  await expect.poll(() => outline(2, 3)).toMatch(/^solid/)
  const active = await outline(4, 3)
  expect(active).not.toMatch(/^none/)
  expect(active).not.toBe(await outline(2, 3))
  expect(await outline(6, 3)).toMatch(/^none/)
  expect(await outline(2, 2)).toMatch(/^none/)
  await button(page, 'More').last().click()
  const line = page.getByRole('menu').getByRole('separator').first()
  expect(await line.evaluate((own) => getComputedStyle(own).borderTopStyle)).toBe('solid')
  await page.keyboard.press('Escape')
  await button(page, 'Explain').click()
  const last = page.getByRole('menuitem', { name: 'Explain and run' })
  await last.hover()
  await expect.poll(() => last.evaluate((own) => getComputedStyle(own).outlineStyle)).toBe('solid')
  await last.click()
  const step = result(page).getByRole('tree').getByRole('treeitem').first()
  await expect(step).toBeVisible(SLOW)
  const bars = await step.evaluate((item) =>
    [...item.querySelectorAll('[class*=gauge]')].map((gauge) => {
      const fill = gauge.firstElementChild ?? gauge
      return {
        edge: getComputedStyle(gauge).borderTopStyle,
        seen: getComputedStyle(fill).backgroundColor !== getComputedStyle(document.body).backgroundColor,
      }
    }),
  )
  expect(bars.length).toBeGreaterThan(0)
  for (const bar of bars) expect(bar).toEqual({ edge: 'solid', seen: true })
})

test('in forced colors a gauge shows how much of it is used', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/settings/usage')
  const gauge = page.getByRole('meter', { name: 'Used on this machine' })
  await expect(gauge).toBeVisible()
  const { fill, around, edge } = await gauge.evaluate((meter) => {
    const { backgroundImage, backgroundColor, borderTopStyle } = getComputedStyle(meter)
    return { fill: /rgb[^)]*\)/.exec(backgroundImage)?.[0], around: backgroundColor, edge: borderTopStyle }
  })
  expect(edge).toBe('solid')
  expect(fill).toBeTruthy()
  expect(fill).not.toBe(around)
})
