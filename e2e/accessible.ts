import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 390, height: 844 }
const THEMES = ['light', 'dark'] as const

/**
 * Has axe look at the page as it is, in both themes and both sizes, and fails on what keeps people from using it; or
 * when something is wider than the window. What depends on the theme is its colors, so all rules run once per size.
 * @param state what the page shows, for the failure's message
 */
export async function expectAccessible(page: Page, state: string, sizes = [WIDE, NARROW]): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      // Colors in between are nobody's choice.
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
      const axe = axeOn(page)
      const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(['color-contrast'])).analyze()
      const serious = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])
      expect.soft(serious, `${state}, ${colorScheme} at ${size.width}`).toEqual([])
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect.soft(wider, `${state} is wider than ${size.width}`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(WIDE)
}

/**
 * Axe, told to do what counts here alone. The app has no frames: the results of several would be put together in a page
 * of their own, which takes as long again; and so does describing each element that passed.
 */
export function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
}

/** As `expectAccessible`, of what is only there in a narrow window. */
export async function expectAccessibleNarrow(page: Page, state: string): Promise<void> {
  await expectAccessible(page, state, [NARROW])
}
